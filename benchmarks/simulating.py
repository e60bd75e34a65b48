"""Runs files as `governor run --simulate` does, on a database that is thrown away."""

from __future__ import annotations

import builtins
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bpmn.load import Loaded
from engine.embedding import HandlersBySettings
from engine.events import Event
from engine.governor import Governor, HandlersFor
from engine.people.answerers import SimulatedAnswerer
from engine.people.conversation import Conversation
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class Beginnings:
    """Summaries that cost nothing: the beginning of the text."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        return str(value)[:limit]


@contextmanager
def governor(
    clock: FixedClock | None = None,
    handlers: HandlersFor | None = None,
    listener: Callable[[Event], None] | None = None,
) -> Iterator[Governor]:
    """A Governor whose clock only moves when it is moved."""
    with tempfile.TemporaryDirectory() as folder:
        made = Governor(
            SqlStore(Database(str(Path(folder) / "runs.db"), synchronous="OFF")),
            clock=clock or FixedClock(BEGIN),
            ids=SequentialIds(),
            summariser=Beginnings(),
            handlers=handlers or HandlersBySettings(),
            listener=listener,
        )
        try:
            yield made
        finally:
            made.store.close()


def simulate(made: Governor, loaded: Loaded, variables: Mapping[str, Any] | None = None) -> RunResult:
    """Start an instance with placeholders for all work, and answer what people are asked as a simulation does."""
    result = made.start(loaded, variables or {}, settings={"simulate": True})
    return Conversation(made, [SimulatedAnswerer()]).go_on(result)


def defects(result: RunResult) -> list[str]:
    """Incidents that are no error of the file but one of ours: exceptions of Python itself."""
    return [
        f"{each['element']}: {each['kind']}: {each['error']}"
        for each in result.incidents
        if isinstance(getattr(builtins, str(each["kind"]), None), type)
    ]
