"""Several instances on one database, moved by programs that die after each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bpmn.definition import Definition, Element
from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.events import Event, EventType
from engine.governor import Governor
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from tests.bpmn.files import document
from tests.engine.running import FirstWords


@dataclass
class City:
    """`done` are the activities completed, of all instances in order."""

    path: Path
    clock: FixedClock = field(default_factory=lambda: FixedClock(datetime(2026, 1, 1, tzinfo=UTC)))
    ids: SequentialIds = field(default_factory=lambda: SequentialIds("i"))
    done: list[str] = field(default_factory=list)

    def _hear(self, event: Event) -> None:
        if event.type is EventType.ACTIVITY_COMPLETED and event.element is not None:
            self.done.append(event.element)

    def do(self, step: Callable[[Governor], Any]) -> Any:
        """One step by a program of its own."""
        governor = Governor(
            SqlStore(Database(str(self.path))), clock=self.clock, ids=self.ids, summariser=FirstWords(),
            handlers=lambda settings: self, listener=self._hear,
        )  # fmt: skip
        with governor:
            return step(governor)

    def start(self, source: bytes, process: str, **variables: Any) -> RunResult:
        loaded = load(source, file="m.bpmn", process=process)
        assert not loaded.errors, "\n".join(map(str, loaded.errors))
        result: RunResult = self.do(lambda governor: governor.start(loaded, variables))
        return result

    def complete(self, element: str, outputs: Mapping[str, Any] | None = None) -> RunResult:
        def step(governor: Governor) -> RunResult:
            item = next(each for each in governor.store.work_items() if each.element == element)
            return governor.complete(item.id, outputs or {}, by="ann")

        result: RunResult = self.do(step)
        return result

    def status(self) -> dict[str, str]:
        """Every instance's process and status."""
        records = self.do(lambda governor: governor.store.instances())
        return {f"{record.id} {record.process}": record.status for record in reversed(records)}

    def posts(self) -> int:
        """How many messages and signals are on their way."""
        import sqlite3

        with sqlite3.connect(self.path) as connection:
            return int(connection.execute("SELECT count(*) FROM gov_post").fetchone()[0])

    # as handlers

    def handler_for(self, element: Element) -> Callable[[Work], Outcome]:
        return lambda work: Outcome()

    def require(self, definition: Definition) -> None: ...


def pools(processes: Mapping[str, str], flows: Mapping[str, str], beside: str = "") -> bytes:
    """A file with processes, each in a pool `pool_<id>`, and message flows by their ends."""
    made = "".join(f'<process id="{name}" isExecutable="true">{body}</process>' for name, body in processes.items())
    drawn = "".join(f'<participant id="pool_{name}" processRef="{name}"/>' for name in processes)
    drawn += "".join(
        f'<messageFlow id="mf{n}" sourceRef="{source}" targetRef="{target}"/>'
        for n, (source, target) in enumerate(flows.items())
    )
    return document(f'{made}<collaboration id="k"><participant id="black"/>{drawn}</collaboration>{beside}')
