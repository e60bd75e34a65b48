"""Programs that move the same instances, each with a Governor of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bpmn.definition import Definition, Element
from bpmn.load import Loaded, load
from engine.activities.work import Outcome, Work
from engine.events import Event, EventType
from engine.governor import Governor
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from tests.engine.running import FirstWords

Doer = Callable[[Work], Outcome]


@dataclass
class Office:
    """`doers` do services, by element id; what they raise is an incident."""

    where: str
    doers: dict[str, Doer] = field(default_factory=dict)
    clock: FixedClock = field(default_factory=lambda: FixedClock(datetime(2026, 1, 1, tzinfo=UTC)))
    ids: SequentialIds = field(default_factory=lambda: SequentialIds("i"))
    overtake: Callable[[Event], None] | None = None

    @contextmanager
    def governor(self) -> Iterator[Governor]:
        governor = Governor(
            SqlStore(Database(self.where)), clock=self.clock, ids=self.ids, summariser=FirstWords(),
            handlers=lambda settings: self, listener=lambda event: self.overtake and self.overtake(event),
        )  # fmt: skip
        with governor:
            yield governor

    def do(self, step: Callable[[Governor], Any]) -> Any:
        """One step by a program of its own."""
        with self.governor() as governor:
            return step(governor)

    def start(self, source: bytes, variables: Mapping[str, Any] | None = None, process: str = "p") -> RunResult:
        result: RunResult = self.do(lambda governor: governor.start(read(source, process), variables or {}))
        return result

    def log(self, instance: str, *types: EventType) -> list[Event]:
        found: list[Event] = self.do(lambda governor: governor.events(instance, types=types or None))
        return found

    # as handlers

    def handler_for(self, element: Element) -> Doer:
        return self.doers.get(element.id, lambda work: Outcome())

    def require(self, definition: Definition) -> None: ...


def read(source: bytes, process: str = "p", file: str = "m.bpmn") -> Loaded:
    loaded = load(source, file=file, process=process)
    assert not loaded.errors, "\n".join(map(str, loaded.errors))
    return loaded


def on(folder: Path) -> Office:
    return Office(str(folder / "governor.db"))


def failing(times: int = 1) -> Doer:
    """Fails so often, then does it."""
    left = [times]

    def do(work: Work) -> Outcome:
        if left[0] > 0:
            left[0] -= 1
            raise RuntimeError("broken")
        return Outcome()

    return do
