"""A model that gives recorded turns, for samples and tests."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from bpmn.findings import near_match
from engine.models.base import ModelAnswer, ModelRequest, ToolCall
from engine.models.errors import NoRecordedTurn, RecordedFailure
from engine.models.recording import RecordedAnswer, RecordedTurn, Recording, read_recording
from governance.snapshots.canonical import canonical
from governance.tokens import EstimatingCounter

_COUNTED = ("visit", "attempt", "turn")
_ANY = "*"


class ReplayModel:
    """Finds a call's turn by what names the call, never by counting calls: a restart changes nothing.

    Of an activity's turns those that select the call by `branch`, `visit`, `attempt` and `turn` are for it, the most
    exact first. Turns that leave something out are used in file order: the second serves the second visit, or the
    second attempt or turn of the first. Behind the last one, the last one marked `repeat` serves; so does the last one
    for a branch, since visits are counted over all branches.
    """

    def __init__(self, recording: Recording, file: str) -> None:
        self._file = file
        self.name = f"replay:{Path(file).name}"
        self._turns: dict[str, list[RecordedTurn]] = {}
        for turn in recording.turns:
            self._turns.setdefault(turn.activity, []).append(turn)
        self._counter = EstimatingCounter()

    @classmethod
    def load(cls, file: Path) -> ReplayModel:
        """The model of a YAML file. Raises BadRecording."""
        return cls(read_recording(file), str(file))

    def has_chains(self) -> bool:
        """Whether there are turns for the chains of governance."""
        return any(turn.chain for turns in self._turns.values() for turn in turns)

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """The recorded answer. Raises NoRecordedTurn, or RecordedFailure where a failure was recorded."""
        turn = self._find(request)
        if turn.answer is None:
            raise RecordedFailure(turn.fail or "")
        said = turn.answer
        return ModelAnswer(
            text=said.text,
            outputs=said.outputs,
            confidence=said.confidence,
            tool_calls=_calls(said, request),
            cost=said.cost,
            tries=said.tries,
            tokens_in=self._tokens_in(request) if said.tokens_in is None else said.tokens_in,
            tokens_out=self._tokens_out(turn) if said.tokens_out is None else said.tokens_out,
            model=self.name,
        )

    def _find(self, request: ModelRequest) -> RecordedTurn:
        recorded = self._turns.get(request.activity, [])
        fitting = [turn for turn in recorded if _fits(turn, request)]
        for selectors in sorted({_selectors(turn) for turn in fitting}, key=lambda given: (-len(given), given)):
            group = [turn for turn in fitting if _selectors(turn) == selectors]
            found = _in_order(group, selectors, request)
            if found is not None:
                return found
        near = None if recorded else near_match(request.activity, self._turns)
        raise NoRecordedTurn(self._file, request, len(recorded), near)

    def _tokens_in(self, request: ModelRequest) -> int:
        return sum(map(self._counter.count, request.texts()))

    def _tokens_out(self, turn: RecordedTurn) -> int:
        assert turn.answer is not None
        outputs = "" if turn.answer.outputs is None else canonical(turn.answer.outputs).decode()
        return self._counter.count(turn.answer.text) + self._counter.count(outputs)


def _calls(said: RecordedAnswer, request: ModelRequest) -> tuple[ToolCall, ...]:
    """Ids name the turn, so that they differ within a conversation and are the same each time."""
    return tuple(
        ToolCall(f"call_{request.turn}_{place}", call.name, canonical(call.arguments).decode())
        for place, call in enumerate(said.tool_calls, 1)
    )


def _selectors(turn: RecordedTurn) -> tuple[str, ...]:
    """What a turn says of the calls it is for."""
    counted = tuple(name for name in _COUNTED if getattr(turn, name) is not None)
    return counted if turn.branch == _ANY else ("branch", *counted)


def _fits(turn: RecordedTurn, request: ModelRequest) -> bool:
    if turn.chain != request.chain:
        return False
    counted = all(getattr(turn, name) in (None, getattr(request, name)) for name in _COUNTED)
    return counted and fnmatchcase(request.branch, turn.branch)


def _in_order(group: Sequence[RecordedTurn], selectors: Sequence[str], request: ModelRequest) -> RecordedTurn | None:
    """The turn at the call's place in the group, counted by what the group leaves out."""
    place: int = sum(getattr(request, name) - 1 for name in _COUNTED if name not in selectors)
    if place < len(group):
        return group[place]
    return next((turn for turn in reversed(group) if turn.repeat or turn.branch != _ANY), None)
