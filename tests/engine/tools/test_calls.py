"""Agents call tools: checked, asked about, done once, and told as events."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from engine.activities.agent import AgentHandler
from engine.activities.errors import UnknownTools
from engine.activities.job import Job
from engine.activities.registry import HandlerRegistry
from engine.activities.tools.box import ToolBox
from engine.activities.tools.declared import tool
from engine.activities.tools.guard import Guarded, ToolUse
from engine.events import EventType
from engine.models.base import Hear, ModelAnswer, ModelRequest
from engine.prompts.assembler import PromptAssembler
from engine.status import Status
from governance.vocabulary import InteractionLevel
from tests.bpmn.files import policy
from tests.engine.activities.works import Scripted
from tests.engine.models import edges, end, model, start
from tests.engine.running import Run
from tests.engine.tools.agents import DONE, ORDER, Story, calls, paired


def test_a_call_is_made_and_its_result_goes_back_to_the_model() -> None:
    story = Story("look_up", calls(("look_up", {"order": 7})), DONE)
    assert story.run.status is Status.COMPLETED
    assert story.shop.done == [("look_up", {"order": 7})]
    assert story.results(2) == [{"order": 7, "state": "shipped"}]
    assert story.offered(1) == ["context_inspect", "look_up"]
    assert story.asked[0].tools[1].description == "Gives an order by its number."
    assert paired(story.asked[1].messages)


def test_every_call_is_an_event_that_shows_public_arguments_alone() -> None:
    story = Story("look_up mark", calls(("look_up", {"order": 7}), ("mark", {"order": 8})), DONE)
    first, second = story.tool_events()
    assert (first["tool"], first["effect"], first["public"], first["turn"]) == ("look_up", "read", {"order": 7}, 1)
    assert "public" not in second
    assert len(second["arguments"]) == 32
    (record,) = [event.data for event in story.run.events(EventType.ACTIVITY_COMPLETED)]
    assert record["by"] == "agent"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("{order: 7}", "not JSON"),
        ("[7]", "allowed: an object"),
        ({"order": "seven"}, "is not of type 'integer'"),
        ({}, "'order' is a required property"),
        ({"order": 1, "x": 2}, "'x' was unexpected"),
    ],
)
def test_bad_arguments_are_an_error_that_the_model_is_told(arguments: Any, told: str) -> None:
    story = Story("look_up", calls(("look_up", arguments)), calls(("look_up", {"order": 7})), DONE)
    assert story.run.status is Status.COMPLETED
    assert told in story.results(2)[0]["error"]
    assert story.shop.done == [("look_up", {"order": 7})]
    assert "failed" in story.tool_events()[0]


def test_a_tool_that_there_is_not_is_told_with_those_there_are() -> None:
    story = Story("look_up", calls(("lookup", {"order": 7})), DONE)
    assert story.results(2) == [{"error": "there is no such tool; there are context_inspect, look_up"}]


def test_a_tool_that_fails_is_told_to_the_model_and_is_no_incident() -> None:
    story = Story("broken", calls(("broken", {})), DONE)
    assert story.run.status is Status.COMPLETED
    assert story.results(2) == [{"error": "ValueError: no such table"}]


def test_a_tool_that_gives_nothing_has_a_result_too() -> None:
    story = Story("mark", calls(("mark", {"order": 1})), DONE)
    assert story.results(2) == [{"result": None}]
    assert paired(story.asked[1].messages)


def test_two_servers_answer_at_once_and_results_stand_in_the_order_of_the_calls() -> None:
    meet = threading.Barrier(2, timeout=20)

    def served(name: str) -> Any:
        @tool(effect="read")
        def handler(job: Job) -> Any:
            meet.wait()
            return {"from": name}

        return handler

    more = {"left": served("left"), "right": served("right")}
    story = Story("left right", calls(("right", {}), ("left", {})), DONE, more=more)
    assert story.run.status is Status.COMPLETED
    assert story.results(2) == [{"from": "right"}, {"from": "left"}]


def test_what_cannot_be_taken_back_waits_for_a_person_and_is_done_once() -> None:
    story = Story("refund look_up", calls(("look_up", {"order": 1}), ("refund", {"order": 1})), DONE)
    assert (story.run.status, story.shop.done) == (Status.WAITING, [])
    (asked,) = story.pending()
    assert (asked.kind, asked.level) == ("tool", InteractionLevel.EXPLICIT_APPROVAL)
    assert isinstance(asked.shown, dict)
    assert (asked.shown["tool"], asked.shown["arguments"]) == ("refund", {"order": 1})
    story.run.reload()
    story.run.answer(asked.id, "approve")
    assert story.run.status is Status.COMPLETED
    assert story.shop.done == [("look_up", {"order": 1}), ("refund", {"order": 1})]
    assert len(story.asked) == 2, "the model's first answer came from the journal"
    assert [event.data["recalled"] for event in story.run.events(EventType.MODEL_CALL)] == [False, False]
    assert [each["tool"] for each in story.tool_events()] == ["look_up", "refund"]
    assert story.tool_events()[1]["by"] == "ann"
    assert len(story.run.events(EventType.ACTIVITY_STARTED)) == 1


def test_arguments_are_kept_until_the_answer_and_no_longer() -> None:
    story = Story("refund", calls(("refund", {"order": 4711})), DONE)
    (asked,) = story.pending()
    story.run.answer(asked.id, "approve")
    closed = story.run.memory.interventions[asked.id]
    assert "4711" not in closed.model_dump_json()
    assert isinstance(closed.shown, dict)
    assert closed.answer.shown_hash == asked.shown_hash
    assert closed.shown["arguments_hash"] == asked.shown["arguments_hash"]  # type: ignore[index,call-overload]


def test_a_denied_tool_is_not_done_and_not_offered_again() -> None:
    refund = calls(("refund", {"order": 1}))
    story = Story("refund look_up", refund, calls(("refund", {"order": 2}), first=2), DONE)
    (asked,) = story.pending()
    story.run.reload()
    story.run.answer(asked.id, "deny", reason="ask the customer first")
    assert story.run.status is Status.COMPLETED
    assert story.shop.done == []
    assert story.offered(1) == ["context_inspect", "refund", "look_up"]
    assert story.offered(2) == ["context_inspect", "look_up"]
    assert story.results(2) == [{"error": "denied by ann: ask the customer first"}]
    assert "no such tool" in story.results(3)[1]["error"], "it is called all the same"
    assert story.pending() == []


def test_two_approvals_wait_side_by_side_and_outlive_a_restart() -> None:
    story = Story("refund", calls(("refund", {"order": 1}), ("refund", {"order": 2})), DONE)
    first, second = story.pending()
    story.run.answer(second.id, "deny", reason="not this one")
    assert story.run.status is Status.WAITING
    story.run.reload()
    story.run.answer(first.id, "approve")
    assert story.run.status is Status.COMPLETED
    assert story.shop.done == [("refund", {"order": 1})]
    assert story.results(2) == [{"refunded": 1}, {"error": "denied by ann: not this one"}]
    assert paired(story.asked[1].messages)


def test_an_approval_is_for_the_call_that_was_shown_and_for_no_other() -> None:
    """The context is put back while somebody decides: the model is asked anew, and wants something else."""
    first, other = calls(("refund", {"order": 1})), calls(("refund", {"order": 999}))
    story = Story("refund", first, other, DONE, variables={"x": 1})
    (asked,) = story.pending()
    run = story.run
    run.reload()
    run.journal.clear()
    run.answer(asked.id, "approve")
    assert (run.status, story.shop.done) == (Status.WAITING, [])
    (again,) = story.pending()
    assert isinstance(again.shown, dict)
    assert again.shown["arguments"] == {"order": 999}
    run.answer(again.id, "approve")
    assert story.shop.done == [("refund", {"order": 999})]


def test_a_write_tells_people_and_goes_on() -> None:
    story = Story("mark", calls(("mark", {"order": 1})), DONE)
    (notice,) = story.run.events(EventType.NOTICE)
    assert notice.data["message"] == "a calls mark: its effect is write"


def test_the_floor_of_the_activity_holds_for_writes_and_not_for_reads() -> None:
    floor = '<gov:policy interactionLevel="DIFF_PREVIEW"/>'
    story = Story("mark look_up", calls(("look_up", {"order": 1})), calls(("mark", {"order": 1})), DONE, governed=floor)
    (asked,) = story.pending()
    assert (asked.kind, asked.level) == ("tool", InteractionLevel.DIFF_PREVIEW)
    assert [name for name, _ in story.shop.done] == ["look_up"]


def test_the_same_call_is_not_made_for_ever() -> None:
    again = [calls(("look_up", {"order": 7})) for _ in range(6)]
    story = Story("look_up", *again, DONE)
    assert len(story.shop.done) == 2
    assert "made before" in story.results(4)[2]["error"]
    assert story.offered(6) == [], "in circles: no tools any more"
    assert story.run.status is Status.COMPLETED


def test_the_last_turn_is_made_without_tools() -> None:
    story = Story("look_up", *[calls(("look_up", {"order": number})) for number in range(2)], DONE, max_turns=3)
    assert [bool(each.tools) for each in story.asked] == [True, True, False]
    assert story.run.status is Status.COMPLETED


def test_a_model_that_calls_on_and_on_ends_at_the_quality_gate() -> None:
    story = Story("look_up", *[calls(("look_up", {"order": number})) for number in range(9)], max_turns=3)
    assert story.run.status is Status.WAITING
    assert [asked.kind for asked in story.pending()] == ["quality"]
    assert len(story.asked) == 4, "three turns and a correction"


def test_a_key_names_the_call_for_systems_that_drop_repeated_ones() -> None:
    story = Story("look_up", calls(("look_up", {"order": 1}), ("look_up", {"order": 2})), DONE)
    assert len(set(story.shop.keys)) == 2
    assert all(key.startswith("i/") for key in story.shop.keys)


class Watch:
    """A guard that refuses what failed before."""

    def __init__(self) -> None:
        self.uses: list[tuple[str, int, str | None]] = []

    def before(self, use: ToolUse) -> Guarded:
        if any(tool == use.tool and failed for tool, _, failed in self.uses):
            return Guarded(InteractionLevel.AUTO_DENY, "tried before, failed because: no such table")
        return Guarded()

    def after(self, use: ToolUse, failure: str | None) -> None:
        self.uses.append((use.tool, use.writes, failure))


def test_a_guard_learns_from_calls_and_refuses_with_its_reason() -> None:
    guard = Watch()
    first, again = calls(("mark", {"order": 1}), ("broken", {})), calls(("broken", {}), first=3)
    story = Story("broken mark", first, again, DONE, guard=guard)
    assert guard.uses == [("mark", 0, None), ("broken", 1, "ValueError: no such table")]
    assert story.results(3)[2] == {"error": "tried before, failed because: no such table"}
    assert "broken" in story.offered(3), "other arguments may do"


def test_what_a_guard_refused_stays_refused_after_a_wait() -> None:
    """An attempt that is done over must come by the same results, whatever the guard has learned since."""
    guard = Watch()
    first = calls(("broken", {}), ("refund", {"order": 1}))
    story = Story("broken refund", calls(("broken", {})), first, DONE, guard=guard)
    story.run.answer(story.pending()[0].id, "approve")
    assert story.run.status is Status.COMPLETED
    assert story.results(2) == [{"error": "ValueError: no such table"}]
    assert len(story.asked) == 3


def test_what_a_model_says_is_heard_as_it_comes() -> None:
    heard: list[str] = []

    class Speaking(Scripted):
        def stream(self, request: ModelRequest, hear: Hear) -> ModelAnswer:
            answer = self.answer(request)
            for word in answer.text.split():
                hear(word)
            return answer

    said = ModelAnswer(text="It is done.", outputs={"y": "done"}, confidence=0.9)
    agent = AgentHandler(lambda spec: Speaking(said), PromptAssembler(), hear=lambda work: heard.append)
    one = model(start(), f'<serviceTask id="a">{policy(GOV)}</serviceTask>', end(), edges("s > a > e"))
    assert Run(one, {}, handlers={"a": agent}).status is Status.COMPLETED
    assert heard == ["It", "is", "done."]


GOV = '<gov:agent outputs="y"/>'


def test_tools_are_looked_up_before_anything_runs() -> None:
    box = ToolBox(HandlerRegistry({"look-up": lambda job: None}, offers=dict))
    found = box.tools(["context_*", "look-up"], "a")
    assert list(found) == ["context_inspect", "context_compress", "context_branch", "look-up"]
    with pytest.raises(UnknownTools, match="a: there is no tool lookup; did you mean look-up"):
        box.tools(["lookup"], "a")


def test_names_that_providers_do_not_take_are_rewritten_and_stay_apart() -> None:
    names = ["io.acme:look up", "io.acme_look up", "x" * 80]
    box = ToolBox(HandlerRegistry(dict.fromkeys(names, lambda job: None), offers=dict))
    offered = box.tools(names, "a")
    assert list(offered) == ["io_acme_look_up", "io_acme_look_up_2", "x" * 64]
    assert [each.name for each in offered.values()] == names


def test_a_handler_that_says_nothing_is_taken_to_write() -> None:
    def send(job: Job) -> None:
        """Sends it."""

    box = ToolBox(HandlerRegistry({"send": send}, offers=dict))
    declaration = box.tools(["send"], "a")["send"].declaration
    assert (declaration.description, declaration.effect.value) == ("Sends it.", "write")
    assert ORDER["type"] == "object"
