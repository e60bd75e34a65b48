"""Calls of an agent's activities are looked at like those of its tools, and what is found is told and logged once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers
from engine.activities.job import Job
from engine.activities.registry import HandlerRegistry
from engine.activities.service import ServiceHandlerCall
from engine.activities.tools.box import ToolBox
from engine.activities.tools.declared import tool
from engine.activities.tools.guard import Guarded, ToolUse
from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.governor import Governor
from engine.models.base import ModelAnswer
from engine.prompts.assembler import PromptAssembler
from engine.result import RunResult
from engine.status import Status
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from governance.vocabulary import Effect, InteractionLevel
from tests.engine.activities.works import Scripted
from tests.engine.running import FirstWords, Run
from tests.engine.tools.agents import calls, texts_of
from tests.engine.tools.test_boxes import DONE, box, data_input

NOTE = (EventType.DEAD_END.value, {"what": "told", "id": "d1", "action": "tool:pay", "reason": "no", "failed": 1})
PAY = f'<serviceTask id="pay" gov:jobType="pay">{data_input("order", "pay")}</serviceTask>'
SEEN_FIRST = Guarded(InteractionLevel.DIFF_PREVIEW, "it looks odd", (NOTE,))
NOT_DONE = Guarded(InteractionLevel.AUTO_DENY, "it failed before", (NOTE,))


class Says:
    """A guard that says one thing."""

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def before(self, use: ToolUse) -> Guarded:
        return self._guarded

    def after(self, use: ToolUse, failure: str | None) -> None: ...


class Boxed:
    """An agent that pays once, by an activity that a guard looks at first."""

    def __init__(self, guarded: Guarded, effect: Effect, given: Mapping[str, Any] | None = None) -> None:
        self.model, self.paid = Scripted(calls(("pay", {"order": 1})), DONE), list[Any]()

        @tool(effect=effect)
        def pay(job: Job) -> Mapping[str, Any] | None:
            self.paid.append(job.arguments)
            return given

        call = ServiceHandlerCall("pay", pay)

        def looked_at(work: Work) -> Outcome:
            return call(replace(work, guard=Says(guarded)))

        agent = AgentHandler(lambda spec: self.model, PromptAssembler(), ToolBox(HandlerRegistry({}, offers=dict)))
        self.run = Run(box(PAY), {}, handlers={"box_turn": agent, "pay": looked_at})

    def notes(self) -> list[Any]:
        return [(event.element, dict(event.data)) for event in self.run.events(EventType.DEAD_END)]

    def answer(self, decision: Any, reason: str = "") -> None:
        (id,) = self.run.instance.held
        self.run.reload().answer(id, decision, reason=reason)


@pytest.mark.parametrize("effect", Effect)
def test_what_a_guard_notes_of_a_call_is_logged(effect: Effect) -> None:
    done = Boxed(Guarded(notes=(NOTE,)), effect)
    if effect is Effect.IRREVERSIBLE:
        done.answer("approve")
    assert (done.run.status, done.paid) == (Status.COMPLETED, [{"order": 1}])
    assert done.notes() == [("pay", NOTE[1])]


@pytest.mark.parametrize("effect", Effect)
@pytest.mark.parametrize("decision", ["approve", "deny"])
def test_it_is_logged_once_though_a_person_has_to_see_the_call_first(effect: Effect, decision: str) -> None:
    done = Boxed(SEEN_FIRST, effect)
    assert (done.run.status, done.paid) == (Status.WAITING, [])
    assert done.notes() == [("pay", NOTE[1])]
    done.answer(decision, "because")
    assert done.run.status is Status.COMPLETED
    assert done.paid == ([{"order": 1}] if decision == "approve" else [])
    assert done.notes() == [("pay", NOTE[1])]


def test_what_a_guard_refuses_is_logged_and_the_tool_still_offered_for_other_arguments() -> None:
    done = Boxed(NOT_DONE, Effect.READ)
    assert (done.run.status, done.paid) == (Status.COMPLETED, [])
    assert done.notes() == [("pay", NOTE[1])]
    assert json.loads(texts_of(done.model.asked[1].messages)[0]) == {"error": "refused: it failed before"}
    assert "pay" in [spec.name for spec in done.model.asked[1].tools]


def test_a_write_tells_people_and_goes_on() -> None:
    told = {effect: Boxed(Guarded(), effect).run.events(EventType.NOTICE) for effect in (Effect.READ, Effect.WRITE)}
    assert told[Effect.READ] == []
    (notice,) = told[Effect.WRITE]
    assert (notice.element, notice.data["level"]) == ("pay", "MICRO_SUGGESTION")
    assert notice.data["message"] == "an agent calls pay: its effect is write"


@pytest.mark.parametrize("given", [{"toolCallResult": {"denied": True, "credit": 0}}, {"text": '"denied":true'}])
def test_a_tool_that_speaks_of_a_denial_is_offered_again(given: Mapping[str, Any]) -> None:
    done = Boxed(Guarded(), Effect.READ, given)
    assert "pay" in [spec.name for spec in done.model.asked[1].tools]


FIND = '<serviceTask id="find" gov:jobType="find">{}</serviceTask>'
DECLARED = FIND.format(data_input("name", "find"))
MAPPED = FIND.format(
    '<extensionElements><zeebe:ioMapping xmlns:zeebe="http://camunda.org/schema/zeebe/1.0">'
    '<zeebe:input source="=fromAi(toolCall.name)" target="name"/></zeebe:ioMapping></extensionElements>'
)


class House:
    """A database, in which an agent finds by an activity that fails, in one instance after the other."""

    def __init__(self, folder: Path, *answers: ModelAnswer) -> None:
        self.found = list[Any]()

        @tool(effect="read")
        def find(job: Job) -> Any:
            self.found.append(job.arguments["name"])
            raise ValueError("no such town")

        registry, model = HandlerRegistry({"find": find}, offers=dict), Scripted(*answers)
        agent = AgentHandler(lambda spec: model, PromptAssembler(), ToolBox(registry))
        handlers = ActivityHandlers(registry, agent, lambda spec: model, box=ToolBox(registry))
        clock, self.store = FixedClock(datetime(2026, 1, 1, tzinfo=UTC)), SqlStore(Database(str(folder / "a.db")))
        self.governor = Governor(
            self.store, clock=clock, ids=SequentialIds(), summariser=FirstWords(), handlers=lambda settings: handlers
        )

    def start(self, finds: str) -> RunResult:
        return self.governor.start(load(box(finds), file="m.bpmn"), {})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    asked = [("Basle", 1), ("Basle", 7), ("Bern", 9)]
    house = House(tmp_path, *(calls(("find", {"name": name}), text=f"I try {id}.", first=id) for name, id in asked))
    yield house
    house.store.close()


@pytest.mark.parametrize("finds", [DECLARED, MAPPED], ids=["data input", "fromAi"])
def test_a_call_that_failed_is_a_dead_end_whatever_the_model_calls_it(house: House, finds: str) -> None:
    """Providers give each call an id of its own, and models talk; neither makes it another attempt."""
    assert house.start(finds).status == "failed"
    again = house.start(finds)
    assert (again.status, house.found) == ("waiting", ["Basle"])
    (asked,) = again.interventions
    assert (asked["kind"], asked["element"]) == ("dead_end", "find")
    house.start(finds)
    assert house.found == ["Basle", "Bern"], "other arguments are another attempt"


class Refunds:
    """An agent that pays back order 1, by an activity whose input a mapping makes of the call."""

    def __init__(self, inside: str) -> None:
        self.model, self.paid = Scripted(calls(("pay", {"order": 1})), DONE), list[Any]()

        @tool(effect="irreversible")
        def pay(job: Job) -> None:
            seen = {name: job.variables[name] for name in ("order", "number") if name in job.variables}
            self.paid.append((dict(job.arguments), seen))

        agent = AgentHandler(lambda spec: self.model, PromptAssembler(), ToolBox(HandlerRegistry({}, offers=dict)))
        pays = f'<serviceTask id="pay" gov:jobType="pay">{inside}</serviceTask>'
        self.run = Run(box(pays), {}, handlers={"box_turn": agent, "pay": ServiceHandlerCall("pay", pay)})

    @property
    def asked(self) -> str:
        (id,) = self.run.instance.held
        return id

    def told(self) -> list[Any]:
        return [json.loads(text) for text in texts_of(self.model.asked[1].messages)]


ORDER = data_input("order", "pay")
NUMBER = (
    '<extensionElements><zeebe:ioMapping xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"><zeebe:input'
    ' source="=fromAi(toolCall.order, &quot;Its number.&quot;, &quot;number&quot;) + 0" target="number"/>'
    "</zeebe:ioMapping></extensionElements>"
)


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize(("inside", "name"), [(ORDER, "order"), (NUMBER, "number")], ids=["data input", "fromAi"])
def test_a_changed_call_is_made_with_the_changed_arguments_alone(inside: str, name: str, restart: bool) -> None:
    done = Refunds(inside)
    if restart:
        done.run.reload()
    done.run.answer(done.asked, "edit", values={"order": 18}, reason="it is 18")
    assert done.run.status is Status.COMPLETED
    ((arguments, seen),) = done.paid
    assert (arguments, seen[name], set(seen.values())) == ({"order": 18}, 18, {18})
    told = {"changed_by": "ann", "arguments": {"order": 18}, "reason": "it is 18", "result": None}
    assert done.told() == [told]


def test_a_call_that_changed_after_it_was_shown_is_not_made() -> None:
    done = Refunds(ORDER)
    id = done.asked
    (task,) = [each for scope in done.run.instance.workflow.scopes() for each in scope.live.values()
               if each.element_id == "pay" and each.activity is not None]  # fmt: skip
    values, token = done.run.instance.graph.values, task.token
    changed = {**values.get(token.local["toolCall"].value), "order": 4711}
    stamp = token.local["toolCall"]._replace(value=values.put(changed))
    task.token = token._replace(local={**token.local, "toolCall": stamp})
    task.data = done.run.hooks.view(task.token)
    done.run.answer(id, "approve")
    assert done.paid == []
    assert "are not those that were approved" in done.told()[0]["error"]
