"""The dead-end registry around activities, through the public door and over several instances of one database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bpmn.definition import Element
from bpmn.load import load
from engine.activities.work import BpmnErrorRaised, DeadEndNote, Outcome, Work
from engine.events import EventType
from engine.governed import attempts
from engine.governor import Governor
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.cda.dead_ends.signature import state_of
from governance.policy import Limits
from governance.ports import FixedClock
from governance.vocabulary import Effect, Producer
from tests.engine.models import boundary, edges, end, model, service, start, user
from tests.engine.running import FirstWords

INPUT = '<ioSpecification><dataInput id="i" name="query"/></ioSpecification>'
AGENT = "<extensionElements><gov:agent/></extensionElements>"
ONE = model(start(), service("a", inside=INPUT), end(), edges("s > a > e"))
CAUGHT = '<errorEventDefinition errorRef="known"/>'


@dataclass
class House:
    """A database, a clock, and who does what by element id; `done` are the elements whose handlers were called."""

    path: Path
    do: dict[str, Callable[[Work], Outcome]] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    effects: dict[str, Effect] = field(default_factory=dict)
    clock: FixedClock = field(default_factory=lambda: FixedClock(datetime(2026, 1, 1, tzinfo=UTC)))
    ids: SequentialIds = field(default_factory=lambda: SequentialIds("i"))
    budget: Limits | None = None
    open: list[Governor] = field(default_factory=list)

    def governor(self) -> Governor:
        """A program of its own."""
        made = Governor(
            SqlStore(Database(str(self.path))),
            clock=self.clock,
            ids=self.ids,
            summariser=FirstWords(),
            handlers=lambda settings: self,
            budget=self.budget,
        )
        self.open.append(made)
        return made

    def start(self, source: bytes = ONE, settings: Mapping[str, Any] | None = None, **variables: Any) -> RunResult:
        return self.governor().start(load(source, file="m.bpmn"), variables, settings=settings)

    def answer(self, result: RunResult, decision: Any, reason: str = "because") -> RunResult:
        (asked,) = self.governor().store.interventions(instance=result.instance)
        assert asked.kind == "dead_end"
        return self.governor().answer(asked.id, decision, by="ann", reason=reason)

    def events(self, result: RunResult) -> list[tuple[str, str]]:
        """(what, reason) of the instance's dead-end events."""
        found = self.governor().store.events(result.instance, types=[EventType.DEAD_END])
        return [(event.data["what"], event.data["reason"]) for event in found]

    # as handlers

    def handler_for(self, element: Element) -> Callable[[Work], Outcome]:
        def do(work: Work) -> Outcome:
            self.done.append(element.id)
            return self.do.get(element.id, lambda work: Outcome(producer=Producer.SERVICE))(work)

        return do

    def require(self, definition: Any) -> None: ...

    def version_of(self, element: Element) -> str:
        return self.versions.get(element.id, "")

    def effect_of(self, element: Element) -> Effect:
        return self.effects.get(element.id, Effect.WRITE)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "governor.db")
    yield house
    for each in house.open:
        each.store.close()


def failing(error: Exception) -> Callable[[Work], Outcome]:
    def do(work: Work) -> Outcome:
        raise error

    return do


def answering(*outputs: Mapping[str, Any]) -> Callable[[Work], Outcome]:
    """An agent that gives these outputs, one after the other."""
    left = list(outputs)
    return lambda work: Outcome(outputs=left.pop(0), producer=Producer.AGENT, confidence=0.9)


def test_what_failed_is_not_done_again_by_another_instance(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    assert house.start(query="Bern").status == "failed"
    second = house.start(query="Bern")
    assert (second.status, house.done) == ("waiting", ["a"])
    (asked,) = second.interventions
    assert (asked["kind"], asked["level"], asked["trigger"]) == ("dead_end", "EXPLICIT_APPROVAL", "RUNTIME")
    assert asked["message"] == "a known dead end: no such customer; do it anyway?"
    assert house.events(second) == [("refused", "no such customer")]


def test_other_inputs_are_another_attempt(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(query="Bern")
    house.start(query="Basel")
    assert house.done == ["a", "a"]


def test_what_it_would_read_is_gathered_only_where_a_dead_end_of_it_is_known(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathered: list[int] = []

    def counting(**state: Any) -> str:
        gathered.append(len(state["reads"]))
        return state_of(**state)

    monkeypatch.setattr(attempts, "state_of", counting)
    several = model(start(), service("a"), service("b"), end(), edges("s > a > b > e"))
    house.start(several, one=1, two=2)
    assert (house.done, gathered) == (["a", "b"], [])
    house.do["b"] = failing(ValueError("no such customer"))
    house.start(several, one=1, two=2)
    gathered.clear()
    assert house.start(several, one=1, two=2).status == "waiting"
    assert set(gathered) == {2}


def test_a_person_lets_it_pass_and_a_success_ends_it(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(query="Bern")
    del house.do["a"]
    second = house.answer(house.start(query="Bern"), "approve")
    assert (second.status, house.done) == ("completed", ["a", "a"])
    assert house.events(second) == [("refused", "no such customer"), ("worked", "no such customer")]
    assert house.start(query="Bern").status == "completed"


def test_a_person_agrees_that_it_is_one(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(query="Bern")
    denied = house.answer(house.start(query="Bern"), "deny", "ask the customer first")
    assert denied.status == "failed"
    assert denied.reason == "a: dead end, not tried again: ann: ask the customer first"
    assert house.done == ["a"]


def test_an_operator_tries_again_without_being_asked(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    first = house.start(query="Bern")
    again = house.governor().retry(first.instance)
    assert (again.status, house.done) == ("failed", ["a", "a"])
    (found,) = house.governor().store.dead_ends().all(id="")[-1:]
    assert found.kind == "failed"


def test_new_code_is_another_tool(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(query="Bern")
    house.versions["a"] = "2"
    house.start(query="Bern")
    assert house.done == ["a", "a"]


def test_an_edit_in_between_makes_it_no_repeat(house: House) -> None:
    """Test, edit, test again: the edit may have changed what the test looks at."""
    two = model(start(), service("edit"), service("a", inside=INPUT), end(), edges("s > edit > a > e"))
    house.do["a"] = failing(ValueError("the test fails"))
    house.start(two, query="x")
    first = house.done.copy()
    house.start(model(start(), service("a", inside=INPUT), end(), edges("s > a > e")), query="x")
    assert (first, house.done) == (["edit", "a"], ["edit", "a", "a"])
    assert house.start(two, query="x").status == "waiting"
    assert house.done == ["edit", "a", "a", "edit"]


def test_what_only_reads_is_no_edit(house: House) -> None:
    two = model(start(), service("look"), service("a", inside=INPUT), end(), edges("s > look > a > e"))
    house.effects["look"] = Effect.READ
    house.do["a"] = failing(ValueError("the test fails"))
    house.start(model(start(), service("a", inside=INPUT), end(), edges("s > a > e")), query="x")
    assert house.start(two, query="x").status == "waiting"


@pytest.mark.parametrize("error", [TimeoutError("no answer"), RuntimeError("HTTP 503")], ids=["timeout", "503"])
def test_what_may_work_a_moment_later_is_not_kept(house: House, error: Exception) -> None:
    house.do["a"] = failing(error)
    first = house.start(query="Bern")
    house.start(query="Bern")
    assert house.done == ["a", "a"]
    assert house.events(first) == []


def test_it_is_over_after_its_time(house: House) -> None:
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(query="Bern")
    house.clock.move_to(house.clock.now() + timedelta(days=31))
    house.start(query="Bern")
    assert house.done == ["a", "a"]


def test_a_boundary_event_may_wait_for_it(house: House) -> None:
    source = model(
        start(),
        service("a", inside=INPUT),
        boundary("b", "a", CAUGHT),
        service("c"),
        end(),
        end("f"),
        edges("s > a > e", "b > c > f"),
        beside='<error id="known" errorCode="DEAD_END"/>',
    )
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(source, query="Bern")
    second = house.start(source, query="Bern")
    assert (second.status, house.done) == ("completed", ["a", "c"])


def test_an_error_that_the_process_catches_is_a_way_it_knows(house: House) -> None:
    source = model(
        start(),
        service("a", inside=INPUT),
        boundary("b", "a", CAUGHT),
        end(),
        end("f"),
        edges("s > a > e", "b > f"),
        beside='<error id="known" errorCode="DENIED"/>',
    )
    house.do["a"] = failing(BpmnErrorRaised("DENIED", "no credit"))
    first = house.start(source, query="Bern")
    second = house.start(source, query="Bern")
    assert (first.status, second.status, house.done) == ("completed", "completed", ["a", "a"])
    assert house.events(first) == [("registered", "BPMN error DENIED: no credit")]


@pytest.mark.parametrize(
    ("reach", "refused"), [(None, False), ("everywhere", True), ("instance", False), ("off", False)]
)
def test_other_processes_know_of_it_where_that_is_allowed(house: House, reach: str | None, refused: bool) -> None:
    other = ONE.replace(b'id="p"', b'id="q"')
    assert other != ONE
    settings = {} if reach is None else {"dead_ends": reach}
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(settings=settings, query="Bern")
    assert (house.start(other, settings=settings, query="Bern").status == "waiting") is refused


@pytest.mark.parametrize(("reach", "refused"), [("instance", False), ("off", False), (None, True)])
def test_how_far_a_dead_end_reaches(house: House, reach: str | None, refused: bool) -> None:
    settings = {} if reach is None else {"dead_ends": reach}
    house.do["a"] = failing(ValueError("no such customer"))
    house.start(settings=settings, query="Bern")
    assert (house.start(settings=settings, query="Bern").status == "waiting") is refused


def agent(identifier: str, *, level: str = "") -> str:
    policy = f'<gov:policy interactionLevel="{level}"/>' if level else ""
    return service(identifier, "agent", f"<extensionElements><gov:agent/>{policy}</extensionElements>{INPUT}")


def test_an_agent_that_proposes_what_was_refused_is_told_and_finds_another_way(house: House) -> None:
    source = model(start(), agent("a", level="DIFF_PREVIEW"), end(), edges("s > a > e"))
    house.do["a"] = answering({"fix": "restart"}, {"fix": "restart"}, {"fix": "roll back"})
    asked = house.start(source, query="slow")
    governor = house.governor()
    (first,) = governor.store.interventions(instance=asked.instance)
    governor.answer(first.id, "deny", by="ann", reason="it loses orders")
    assert house.done == ["a", "a", "a"]
    (second,) = governor.store.interventions(instance=asked.instance)
    assert second.shown["outputs"] == {"fix": "roll back"}  # type: ignore[index,call-overload]
    assert [what for what, _ in house.events(asked)] == ["registered", "refused"]


def test_an_agent_that_insists_needs_somebody_s_consent(house: House) -> None:
    source = model(start(), service("try"), agent("a"), end(), edges("s > try > a > e"))
    note = DeadEndNote("fix", "restart", "the pods came back as they were", ("try",))
    house.do["try"] = lambda work: Outcome(producer=Producer.SERVICE, dead_ends=(note,))
    house.do["a"] = answering(*[{"fix": "restart"}] * 3)
    asked = house.start(source, query="slow")
    assert (asked.status, house.done) == ("waiting", ["try", "a", "a", "a"])
    done = house.answer(asked, "approve")
    assert (done.status, done.variables["fix"]) == ("completed", "restart")


def test_agents_are_told_what_was_tried_in_place_of_its_records(house: House) -> None:
    told: list[Any] = []

    def look(work: Work) -> Outcome:
        told.append(work.dead_ends)
        return Outcome(outputs={"fix": "roll back"}, producer=Producer.AGENT)

    source = model(start(), service("try"), agent("a"), end(), edges("s > try > a > e"))
    note = DeadEndNote("fix", "restart", "the pods came back as they were", ("try",))
    house.do.update({"try": lambda work: Outcome(producer=Producer.SERVICE, dead_ends=(note,)), "a": look})
    house.start(source, query="slow")
    ((known,),) = told
    assert known.line == (
        "Tried: the strategy fix with fix: restart. Failed because: the pods came back as they were."
    )
    assert [entry.rpartition(":")[2] for entry in known.entries] == ["try"]


def test_an_operator_says_that_a_way_led_nowhere(house: House) -> None:
    """What agents propose from then on is another way."""
    source = model(start(), user("look"), agent("a"), end(), edges("s > look > a > e"))
    house.do["a"] = answering({"fix": "Restart"}, {"fix": "roll back"})
    waiting = house.start(source, query="slow")
    governor = house.governor()
    found = governor.register_dead_end(waiting.instance, "fix", "restart", "it lost orders last week", by="ann")
    assert (found.source, found.reason) == ("operator", "it lost orders last week")
    (item,) = governor.store.work_items(instance=waiting.instance)
    done = governor.complete(item.id, {}, by="ann")
    assert (done.status, done.variables["fix"]) == ("completed", "roll back")
    assert house.events(done) == [("refused", "it lost orders last week")]


def test_an_attempt_that_is_done_over_is_told_the_same(house: House) -> None:
    """Its prompts are the same, so that no model call is made again, whatever became known meanwhile."""
    told: list[list[str]] = []
    calls: list[str] = []

    def do(work: Work) -> Outcome:
        told.append([each.line for each in work.dead_ends])

        def ask() -> dict[str, Any]:
            calls.append("call")
            return {"tokens_in": 100}

        work.call_model(f"{told[-1]}", ask)
        work.call_model(f"{told[-1]}, once more", ask)
        return Outcome(outputs={"fix": "roll back"}, producer=Producer.AGENT)

    inside = f'<extensionElements><gov:agent/><gov:policy budget="tokens=100"/></extensionElements>{INPUT}'
    source = model(start(), service("a", "agent", inside), end(), edges("s > a > e"))
    house.do["a"] = do
    waiting = house.start(source, query="slow")
    governor = house.governor()
    governor.register_dead_end(waiting.instance, "fix", "restart", "it loses orders", by="ann")
    (asked,) = governor.store.interventions(instance=waiting.instance)
    assert governor.answer(asked.id, "approve", by="ann").status == "completed"
    assert (told, len(calls)) == ([[], []], 2)


def test_nothing_is_looked_up_where_nothing_failed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.store.dead_ends import StoredDeadEnds

    asked: list[str] = []
    for name in ("facts", "of_session", "hottest"):
        monkeypatch.setattr(StoredDeadEnds, name, lambda *args, _name=name: asked.append(_name))
    assert house.start(query="Bern").status == "completed"
    assert asked == []
