"""Calls of tools that failed before in the same way are refused, and the model is told why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.activities.job import Job
from engine.activities.tools.declared import tool
from engine.events import EventType
from tests.engine.tools.agents import DONE, Story, calls

FIND = {"type": "object", "properties": {"name": {"type": "string"}, "pin": {"type": "string"}}}


def failing(error: Exception) -> dict[str, Callable[[Job], Any]]:
    @tool(effect="read", parameters=FIND, public=("name",))
    def find(job: Job) -> Any:
        if job.arguments["name"] == "Bern":
            return {"found": 1}
        raise error

    return {"find": find}


def told(story: Story) -> list[tuple[str, str]]:
    return [(event.data["what"], event.data["reason"]) for event in story.run.events(EventType.DEAD_END)]


def test_a_call_that_failed_is_refused_with_the_reason_and_what_worked_instead() -> None:
    first, other, again = (
        calls(("find", {"name": "Basle"})),
        calls(("find", {"name": "Bern"}), first=2),
        calls(("find", {"name": "basle "}), first=3),
    )
    story = Story("find", first, other, again, DONE, more=failing(ValueError("no such town")))
    assert story.results(4)[2] == {
        "error": "it is a known dead end. Tried: the tool find with name: Basle. "
        "Failed because: ValueError: no such town. What worked instead: find with name: Bern."
    }
    assert told(story) == [("registered", "ValueError: no such town"), ("refused", "ValueError: no such town")]
    assert "find" in story.offered(4), "other arguments may do"


def test_an_effect_in_between_makes_it_no_repetition() -> None:
    story = Story(
        "find mark",
        calls(("find", {"name": "Basle"})),
        calls(("mark", {"order": 1}), first=2),
        calls(("find", {"name": "Basle"}), first=3),
        DONE,
        more=failing(ValueError("no such town")),
        variables={"order": 1},
    )
    assert story.results(4)[2] == {"error": "ValueError: no such town"}


def test_what_failed_for_a_while_is_tried_again() -> None:
    again = calls(("find", {"name": "Basle"})), calls(("find", {"name": "Basle"}), first=2)
    story = Story("find", *again, DONE, more=failing(TimeoutError("no answer")))
    assert story.results(3)[1] == {"error": "TimeoutError: no answer"}
    assert told(story) == []


def test_arguments_that_are_not_public_are_kept_as_a_hash_alone() -> None:
    secret = "correct-horse-battery"
    story = Story("find", calls(("find", {"name": "Basle", "pin": secret})), DONE, more=failing(ValueError("no")))
    kept = "".join(fact.model_dump_json() for fact in story.run.instance.dead_ends.drain())
    assert "name: Basle" in kept
    assert secret not in kept


def test_effects_of_an_agent_s_tools_count_for_what_comes_after() -> None:
    made = calls(("mark", {"order": 1}), ("look_up", {"order": 1}), ("mark", {"order": 2}))
    assert Story("mark look_up", made, DONE).run.instance.writes == 2
