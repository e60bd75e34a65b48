"""A person changes the arguments of a call before it is made; what is approved is made, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.activities.tools.approving import hash_of
from engine.governed.outputs import WrongEdit
from engine.status import Status
from governance.human_loop.errors import DecisionNotOffered, IncompleteAnswer
from tests.engine.tools.agents import DONE, Story, calls


def refunding(*more: Any, **how: Any) -> Story:
    return Story("refund", calls(("refund", {"order": 17})), *(more or (DONE,)), **how)


def edit(story: Story, values: dict[str, Any] | None, id: str | None = None) -> None:
    story.run.answer(id or story.pending()[0].id, "edit", values=values, reason="it is 18")


def test_the_call_is_made_with_the_changed_arguments_and_the_model_is_told() -> None:
    story = refunding()
    (asked,) = story.pending()
    assert asked.options == ("approve", "edit", "deny")
    assert isinstance(asked.shown, dict)
    assert asked.shown["parameters"]["required"] == ["order"]  # type: ignore[index,call-overload]
    edit(story, {"order": 18})
    assert story.run.status is Status.COMPLETED
    assert story.shop.done == [("refund", {"order": 18})]
    (told,) = story.results(2)
    assert (told["changed_by"], told["arguments"], told["reason"]) == ("ann", {"order": 18}, "it is 18")
    assert json.loads(told["result"]) == {"refunded": 18}


def test_the_event_has_the_hash_of_what_was_used_and_says_that_it_was_changed() -> None:
    story = refunding()
    edit(story, {"order": 18})
    (event,) = story.tool_events()
    assert (event["arguments"], event["edited"], event["by"]) == (hash_of({"order": 18}), True, "ann")


def test_neither_the_old_nor_the_new_arguments_are_kept_after_the_answer() -> None:
    story = refunding()
    (asked,) = story.pending()
    edit(story, {"order": 4711})
    closed = story.run.memory.interventions[asked.id]
    assert "4711" not in closed.model_dump_json()
    assert closed.answer.values == {"arguments_hash": hash_of({"order": 4711})}
    assert closed.answer.shown_hash == asked.shown_hash
    assert not any(b"4711" in value for value in story.run.memory.values.values())


@pytest.mark.parametrize(
    ("values", "problem"),
    [({"order": "seven"}, "is not of type 'integer'"), ({"order": 1, "amount": 2}, "'amount' was unexpected")],
)
def test_arguments_that_the_tool_does_not_take_are_refused_and_nothing_moves(values: Any, problem: str) -> None:
    story = refunding()
    with pytest.raises(WrongEdit, match=problem):
        edit(story, values)
    assert (len(story.pending()), story.shop.done) == (1, [])
    edit(story, {"order": 18})
    assert story.shop.done == [("refund", {"order": 18})]


def test_an_edit_without_values_is_refused() -> None:
    story = refunding()
    with pytest.raises(IncompleteAnswer):
        edit(story, None)


def test_what_changed_after_the_approval_is_not_done() -> None:
    """Two calls wait. The first is approved; what is stored of that is changed before the second is answered."""
    story = Story("refund", calls(("refund", {"order": 1}), ("refund", {"order": 2})), DONE)
    first, second = story.pending()
    edit(story, {"order": 11}, first.id)
    (task,) = [task for task in story.run.instance.workflow.live.values() if task.activity is not None]
    (row,) = task.activity.answers.values()
    row["edited"] = {"order": 999}
    story.run.answer(second.id, "approve")
    assert story.run.status is Status.COMPLETED
    assert story.shop.done == [("refund", {"order": 2})]
    assert story.results(2)[0] == {"error": "its arguments are not those that were approved"}


def test_an_edited_call_outlives_a_restart_between_its_approval_and_the_next() -> None:
    story = Story("refund", calls(("refund", {"order": 1}), ("refund", {"order": 2})), DONE)
    first, second = story.pending()
    edit(story, {"order": 11}, first.id)
    story.run.reload()
    story.run.answer(second.id, "approve")
    assert story.shop.done == [("refund", {"order": 11}), ("refund", {"order": 2})]


def test_what_an_agent_asks_people_takes_no_edit() -> None:
    asks = {"trigger_type": "RUNTIME", "interaction_level": "EXPLICIT_APPROVAL", "message": "May I?"}
    story = Story("human_confirm", calls(("human_confirm", asks)), DONE)
    with pytest.raises(DecisionNotOffered):
        edit(story, {"message": "You may."})
