"""Governed instances on a real store, for what goes through their history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from engine.activities.work import Outcome, Work
from engine.embedding import RuleSummaries
from engine.governor import Governor
from engine.replay.replayer import Replayed
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from governance.vocabulary import Effect

HEAD = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:gov="urn:bpmn-governor:governance:1.0" targetNamespace="t" id="defs">
<message id="paid" name="paid"/><error id="err" errorCode="broken"/>
<process id="p" isExecutable="true">"""
TAIL = "</process></definitions>"
Doer = Callable[[Work], Outcome]


def model(*elements: str) -> bytes:
    return (HEAD + "".join(elements) + TAIL).encode()


def flows(*pairs: str) -> str:
    """`a>b` for each sequence flow."""
    return "".join(
        f'<sequenceFlow id="f{place}" sourceRef="{pair.split(">")[0]}" targetRef="{pair.split(">")[1]}"/>'
        for place, pair in enumerate(pairs)
    )


class Handlers:
    """By element id: what does it, and to what effect."""

    def __init__(self, doers: Mapping[str, Doer], effects: Mapping[str, Effect]) -> None:
        self.doers, self.effects = doers, effects
        self.keys: list[str] = []

    def handler_for(self, element: Any) -> Doer:
        def do(work: Work) -> Outcome:
            self.keys.append(work.key)
            return self.doers.get(element.id, lambda work: Outcome())(work)

        return do

    def require(self, definition: Any) -> None: ...

    def version_of(self, element: Any) -> str:
        return "1"

    def effect_of(self, element: Any) -> Effect:
        return self.effects.get(element.id, Effect.WRITE)


class House:
    """A Governor on a file, with a clock that is moved by hand."""

    def __init__(self, path: Path, doers: Mapping[str, Doer], effects: Mapping[str, Effect]) -> None:
        self.path = path
        self.clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
        self.handlers = Handlers(doers, effects)
        self.store = SqlStore(Database(str(path)))
        self.governor = Governor(
            self.store, clock=self.clock, ids=SequentialIds("i"), summariser=RuleSummaries(),
            handlers=lambda settings: self.handlers,
        )  # fmt: skip

    def start(self, source: bytes, variables: Mapping[str, Any] | None = None, **settings: Any) -> str:
        loaded = self.governor.check(source)
        return self.governor.start(loaded, variables or {}, starter="sue", settings=settings).instance

    def later(self, seconds: float = 60.0) -> None:
        self.clock.move_to(self.clock.now() + timedelta(seconds=seconds))

    def do(self, element: str, outputs: Mapping[str, Any] | None = None) -> None:
        """A person does the oldest open task of an element."""
        self.later()
        item = next(each for each in self.store.work_items() if each.element == element)
        self.governor.complete(item.id, outputs or {}, by="ann")

    def replayed(self, instance: str) -> Replayed:
        return self.governor.replay(instance)

    def same(self, instance: str) -> Replayed:
        """A replay, which has to come to the same."""
        found = self.replayed(instance)
        assert found.difference is None, found.difference
        assert found.snapshots + found.taken == len(self.store.snapshots(instance))
        return found


@contextmanager
def house(
    path: Path, doers: Mapping[str, Doer] | None = None, effects: Mapping[str, Effect] | None = None
) -> Iterator[House]:
    made = House(path, doers or {}, effects or {})
    try:
        yield made
    finally:
        made.store.close()
