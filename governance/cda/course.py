"""The course of a memory: what happened to it, and what became of it; done again after a restart (Design: CDA)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from governance.cda.dead_ends.model import DeadEnd
from governance.cda.direction import Direction, Turned
from governance.cda.embedding import Embedding
from governance.cda.entry import Entry, Message
from governance.cda.failures import Failures, text_of_trace
from governance.cda.library import Library
from governance.cda.measures import TurnMeasures, alignment
from governance.cda.phases import Phase, PhaseEvent, PhaseMachine
from governance.cda.settings import CdaSettings
from governance.cda.zones import ZoneTable
from governance.vocabulary import Fidelity


class Course:
    """Moves the parts of one memory on, event by event; the same events make the same memory.

    Says nothing to a journal: whoever calls it does, and `replay` takes what was written.
    """

    def __init__(
        self,
        library: Library,
        zones: ZoneTable[int],
        direction: Direction,
        failures: Failures,
        machine: PhaseMachine,
        embedding: Embedding,
        settings: CdaSettings,
    ) -> None:
        self._library, self._zones, self._direction = library, zones, direction
        self._failures, self._machine = failures, machine
        self._embedding, self._settings = embedding, settings
        self.measures: TurnMeasures | None = None
        """Of the last turn."""
        self.turns, self.intent, self.query, self.gradient = 0, "", "", "STEADY"

    @property
    def usage(self) -> float:
        """Tokens of all context items as shown / window."""
        return self._library.shown_tokens / self._settings.window_tokens

    def aim(self, intent: str) -> None:
        """All the work is for `intent`."""
        self.intent = intent
        self._direction.aim(intent)

    def add_turn(
        self, messages: Sequence[Message], tools: Sequence[str], phase: Phase | None, scope: str, at: str
    ) -> list[Entry]:
        """A turn came in. Raises BadMessage; then nothing of it is there."""
        entries = self._library.add_all(messages, turn=self.turns, scope=scope, tools=tools, at=at)
        self.turns += 1
        first = next((entry.text for entry in entries if entry.role == "user"), "")
        if first and not self.intent:
            self.aim(first)
        self._move_on(phase, any(entry.role == "assistant" for entry in entries))
        output = "\n".join(entry.text for entry in entries if entry.role == "assistant")
        self.measures = TurnMeasures(alignment(output, self._direction.current, self._embedding), self.usage)
        return entries

    def turn(self, query: str, scope_text: str, phase: Phase | None) -> Turned:
        """Turn to what is asked now; the memory's own phase moves unless the caller says another."""
        if len(self._library) and phase in (None, Phase.ASSEMBLE):
            self._machine.on(PhaseEvent.INPUT, self.turns, "a context is asked for")
        turned = self._direction.turn(query, scope_text)
        self.query, self.gradient = query, str(turned.gradient)
        return turned

    def fail(self, trace: Mapping[str, Any], reason: str, session: str, at: str) -> DeadEnd | None:
        """A way led nowhere: known as a dead end, and turned away from. None for what may be gone a moment later."""
        found = self._failures.register(trace, reason, session, at)
        if found is not None:
            self._direction.miss(text_of_trace(trace, reason))
        return found

    def raise_whole(self, ids: Iterable[str]) -> None:
        """Make entries whole items again. Raises UnknownEntry."""
        for id in ids:
            self._library.raise_whole(self._library.entry(id).number)

    def replay(self, event: Mapping[str, Any]) -> None:
        """What an event of the journal did, done again."""
        match event["event"]:
            case "aim":
                self.aim(event["intent"])
            case "turn":
                self.add_turn(
                    event["messages"], event["tools"], _phase(event["phase"]), event["scope"], event["at"]
                )
            case "compact":
                for number, fidelity, cost in event["items"]:
                    self._library.lower(number, Fidelity(fidelity), cost)
            case "assemble":
                self.turn(event["query"], event["scope_text"], _phase(event["phase"]))
                self._zones.load(event["zones"])
            case "restore":
                self.raise_whole(event["ids"])
            case "dead_end":
                self.fail(event["trace"], event["reason"], event["session"], event["at"])

    def _move_on(self, phase: Phase | None, spoke: bool) -> None:
        self._machine.on(PhaseEvent.INPUT_FINISHED, self.turns, "a turn came in")
        if phase is Phase.AFTER_TURN or (phase is None and spoke):
            self._machine.on(PhaseEvent.OUTPUT_FINISHED, self.turns, "the model has answered")


def _phase(name: str | None) -> Phase | None:
    return None if name is None else Phase(name)
