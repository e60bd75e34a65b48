"""The five phases of a memory as an explicit machine: what moves it, and what each phase assembles.

Design: CDA, phases; the sources' table of entry, source and exit. Time moves nothing; events of the work and the state
of the context do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from governance.cda.errors import PhaseRefused


class Phase(StrEnum):
    """What the memory is doing."""

    BOOTSTRAP = "bootstrap"
    ASSEMBLE = "assemble"
    INGEST = "ingest"
    AFTER_TURN = "after_turn"
    COMPACT = "compact"


class PhaseEvent(StrEnum):
    """What moves a memory from phase to phase."""

    START = "start"
    INPUT = "input"
    """A user speaks, or an activity starts."""
    INPUT_FINISHED = "input_finished"
    OUTPUT_FINISHED = "output_finished"
    OVER_RED = "over_red"
    """Usage is above RED when a turn has ended, or a compaction is asked for."""
    COMPACTED = "compacted"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a phase puts into a context, and where from."""

    entry: str
    exit: str
    path: bool = False
    """The end of the path: what was said last."""
    candidates: bool = False
    """What QTS finds."""
    experience: bool = False
    """Hot dead ends and experiences."""
    measures: bool = False
    """Alignment and usage of the last turn."""
    keys: bool = False
    """Keys of what is left out, to ask for it."""


RECIPES: Final[dict[Phase, Recipe]] = {
    Phase.BOOTSTRAP: Recipe("start of the memory", "initial context ready", experience=True),
    Phase.ASSEMBLE: Recipe(
        "user input or start of an activity",
        "output of the model",
        path=True,
        candidates=True,
        experience=True,
        keys=True,
    ),
    Phase.INGEST: Recipe("input finished", "entries stored", path=True),
    Phase.AFTER_TURN: Recipe("output finished", "turn measured", path=True, measures=True),
    Phase.COMPACT: Recipe("usage above RED", "context items written", candidates=True, measures=True, keys=True),
}

_MOVES: Final[dict[tuple[Phase, PhaseEvent], Phase]] = {
    **{(phase, PhaseEvent.INPUT): Phase.ASSEMBLE for phase in Phase},
    **{(phase, PhaseEvent.INPUT_FINISHED): Phase.INGEST for phase in Phase},
    (Phase.INGEST, PhaseEvent.OUTPUT_FINISHED): Phase.AFTER_TURN,
    **{(phase, PhaseEvent.OVER_RED): Phase.COMPACT for phase in Phase if phase is not Phase.COMPACT},
    (Phase.COMPACT, PhaseEvent.COMPACTED): Phase.ASSEMBLE,
}


class Transition(NamedTuple):
    """A move that happened; `turn` is the count of turns then."""

    from_: Phase
    to: Phase
    event: PhaseEvent
    turn: int
    reason: str


class PhaseMachine:
    """The current phase, and the moves that led to it; `observers` are told of each, in order."""

    def __init__(self, observers: Sequence[Callable[[Transition], None]] = (), kept: int = 1_000) -> None:
        self._phase = Phase.BOOTSTRAP
        self._observers = tuple(observers)
        self._transitions: deque[Transition] = deque(maxlen=kept)

    @property
    def phase(self) -> Phase:
        return self._phase

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The last moves, oldest first."""
        return tuple(self._transitions)

    def on(self, event: PhaseEvent, turn: int, reason: str = "") -> Phase:
        """Move, and tell. Raises PhaseRefused if the phase does not know the event."""
        to = _MOVES.get((self._phase, event))
        if to is None:
            allowed = tuple(str(known) for phase, known in _MOVES if phase is self._phase)
            raise PhaseRefused(str(self._phase), str(event), allowed)
        if to is not self._phase:
            moved = Transition(self._phase, to, event, turn, reason)
            self._phase = to
            self._transitions.append(moved)
            for observer in self._observers:
                observer(moved)
        return self._phase


_SAYS: Final[tuple[tuple[Phase, tuple[str, ...]], ...]] = (
    (Phase.COMPACT, ("compact", "compress", "summarise", "summarize", "condense", "压缩", "摘要")),
    (Phase.BOOTSTRAP, ("bootstrap", "resume", "restart", "start over", "cold start", "启动", "恢复")),
    (Phase.AFTER_TURN, ("evaluate", "assess", "review what", "how did", "评估", "复盘")),
    (Phase.INGEST, ("remember", "note that", "store", "save this", "for the record", "记住", "存储")),
)


def infer_phase(intent: str, recent_tools: Sequence[str] = ()) -> Phase:
    """The phase that words and the last tool suggest, where no caller says it; `assemble` if nothing else does."""
    last = recent_tools[-1].lower() if recent_tools else ""
    said = intent.lower()
    for phase, words in _SAYS:
        if any(word in last for word in words) or any(word in said for word in words):
            return phase
    return Phase.AFTER_TURN if not said.strip() and recent_tools else Phase.ASSEMBLE
