"""Governance's four tools, called by an agent in a process."""

from __future__ import annotations

import pytest

from engine.events import EventType
from engine.status import Status
from governance.vocabulary import Fidelity, InteractionLevel
from tests.bpmn.files import policy
from tests.engine.governed.test_compressing import LONG, fidelity
from tests.engine.models import edges, end, gateway, model, script, start
from tests.engine.tools.agents import DONE, Story, calls


def test_an_agent_looks_at_its_context() -> None:
    story = Story("context_inspect", calls(("context_inspect", {"layer": "WORKING"})), DONE, variables={"x": 1})
    (told,) = story.results(2)
    assert told["entries"] == {"WORKING/x": "1"}
    assert told["layers"]["WORKING"]["entries"] == 1


def test_what_is_archived_can_be_asked_for_by_name_though_no_tool_was_named() -> None:
    governed = f'<gov:policy workingThreshold="{len(LONG) + 60}" compressStrategy="ARCHIVE"/>'
    story = Story("", calls(("context_inspect", {"keys": ["x"]})), DONE, variables={"x": LONG}, governed=governed)
    assert fidelity(story.run, "x") is Fidelity.ARCHIVED
    assert story.offered(1) == ["context_inspect"]
    assert story.results(2)[0]["entries"] == {"WORKING/x": LONG}


@pytest.mark.parametrize("named", ["", "look_up", "look_up context_inspect"])
def test_whatever_an_activity_names_all_begin_with_the_same_tool(named: str) -> None:
    """A provider reads the tools first: were they others before something is archived, it would read all anew."""
    assert Story(named, DONE, variables={"x": LONG}).offered(1)[0] == "context_inspect"


def test_an_agent_compresses_and_puts_back() -> None:
    compress = ("context_compress", {"mode": "compress", "layer": "WORKING", "strategy": "ARCHIVE"})
    back = ("context_compress", {"mode": "decompress", "layer": "WORKING", "retain_keys": ["x"]})
    story = Story("context_compress", calls(compress), calls(back, first=2), DONE, variables={"x": LONG})
    assert story.run.status is Status.COMPLETED
    assert LONG not in story.asked[1].messages[1].content
    assert LONG in story.asked[2].messages[1].content
    assert story.results(3)[1]["put_back"] == ["x"]


def test_what_a_tool_lowered_stays_lowered_when_the_attempt_waits() -> None:
    compress = ("context_compress", {"mode": "compress", "layer": "WORKING", "strategy": "ARCHIVE"})
    confirm = ("human_confirm", {"trigger_type": "QUALITY", "interaction_level": "DIFF_PREVIEW", "message": "Fine?"})
    tools, then = "context_compress human_confirm", calls(confirm, first=2)
    story = Story(tools, calls(compress), then, DONE, variables={"x": LONG})
    (asked,) = story.pending()
    story.run.reload()
    story.run.answer(asked.id, "approve", values={"choice": "yes"})
    assert story.run.status is Status.COMPLETED
    assert len(story.asked) == 3
    assert fidelity(story.run, "x") is Fidelity.ARCHIVED
    assert story.results(3)[1] == {"approved": True, "by": "ann", "reason": "", "values": {"choice": "yes"}}


def test_an_evaluation_changes_nothing() -> None:
    evaluate = ("context_compress", {"mode": "evaluate", "layer": "WORKING", "strategy": "ARCHIVE"})
    story = Story("context_compress", calls(evaluate), DONE, variables={"x": LONG})
    (told,) = story.results(2)
    assert [change["key"] for change in told["changes"]] == ["WORKING/x"]
    assert fidelity(story.run, "x") is Fidelity.FULL


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("context_compress", {"mode": "compress", "layer": "SYSTEM"}, "Input should be 'HISTORY' or 'WORKING'"),
        ("context_compress", {"mode": "decompress", "layer": "WORKING"}, "decompress needs retain_keys"),
        ("context_inspect", {"keys": ["nothing"]}, "there is no entry nothing"),
        ("context_branch", {"mode": "snapshot", "branch_id": "/fork@3:1.other"}, "acts on its own branch alone"),
        ("context_branch", {"mode": "resolve_conflict"}, "no branches wait here"),
        ("human_confirm", {"trigger_type": "X", "interaction_level": "AUTO_DENY", "message": "m"}, "trigger_type"),
        (
            "human_confirm",
            {"trigger_type": "RUNTIME", "interaction_level": "AUTO_ALLOW", "message": "m"},
            "tells and asks nobody",
        ),
    ],
)
def test_a_bad_argument_is_an_error_that_the_model_is_told(name: str, arguments: dict[str, object], told: str) -> None:
    story = Story("context_* human_confirm", calls((name, arguments)), DONE, variables={"x": 1})
    assert told in story.results(2)[0]["error"]
    assert story.run.status is Status.COMPLETED


def test_a_suggestion_tells_people_and_waits_for_nobody() -> None:
    told = {"trigger_type": "QUALITY", "interaction_level": "MICRO_SUGGESTION", "message": "The order is odd."}
    story = Story("human_confirm", calls(("human_confirm", told)), DONE)
    assert story.run.status is Status.COMPLETED
    assert story.results(2) == [{"told": True}]
    (notice,) = story.run.events(EventType.NOTICE)
    assert notice.data["message"] == "The order is odd.: the agent says"


def test_a_question_of_an_agent_shows_what_would_change() -> None:
    question = {
        "trigger_type": "QUALITY",
        "interaction_level": "EXPLICIT_APPROVAL",
        "message": "Close the case?",
        "diff_content": "- open\n+ closed",
        "options": ["yes", "later"],
    }
    story = Story("human_confirm", calls(("human_confirm", question)), DONE)
    (asked,) = story.pending()
    assert asked.level is InteractionLevel.EXPLICIT_APPROVAL
    assert asked.shown == {"message": "Close the case?", "diff": "- open\n+ closed", "options": ["yes", "later"]}
    story.run.answer(asked.id, "deny", reason="not yet")
    assert story.results(2) == [{"approved": False, "by": "ann", "reason": "not yet"}]
    assert story.run.status is Status.COMPLETED


def isolated() -> bytes:
    inside = policy('<gov:agent outputs="y" tools="context_inspect context_compress"/>')
    split = policy('<gov:policy><gov:branchStrategy split="ISOLATED"/></gov:policy>')
    return model(
        start(),
        f'<parallelGateway id="g">{split}</parallelGateway>',
        f'<serviceTask id="a">{inside}</serviceTask>',
        script("other", "z = 1"),
        gateway("j"),
        end(),
        edges("s > g > a > j > e", "g > other > j"),
    )


def test_what_a_split_keeps_from_a_branch_no_tool_brings_back() -> None:
    inspect = ("context_inspect", {"keys": ["secret"]})
    back = ("context_compress", {"mode": "decompress", "layer": "WORKING", "retain_keys": ["secret"]})
    story = Story("", calls(inspect, back), DONE, variables={"secret": "s3cret"}, body=isolated())
    assert story.run.status is Status.COMPLETED
    assert [each["error"] for each in story.results(2)] == ["secret is kept from this branch"] * 2
    assert all("s3cret" not in message.content for request in story.asked for message in request.messages)
    assert story.run.variables["secret"] == "s3cret"


def test_an_approval_waits_in_one_branch_while_the_other_goes_on() -> None:
    inside = policy('<gov:agent outputs="y" tools="refund"/>')
    body = model(
        start(),
        gateway("g"),
        f'<serviceTask id="a">{inside}</serviceTask>',
        script("other", "z = 1"),
        script("further", "z2 = z + 1"),
        gateway("j"),
        end(),
        edges("s > g > a > j > e", "g > other > further > j"),
    )
    story = Story("", calls(("refund", {"order": 1})), DONE, body=body)
    assert story.run.status is Status.WAITING
    assert story.run.done() == ["other", "further"]
    (asked,) = story.pending()
    story.run.reload()
    story.run.answer(asked.id, "approve")
    assert story.run.status is Status.COMPLETED
    assert story.run.variables == {"z": 1, "z2": 2, "y": "done"}
