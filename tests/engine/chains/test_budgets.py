"""What models think of contexts is paid by the activity that they think for, from the same hard budgets."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.agent import AgentHandler
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.models.base import ModelAnswer, ModelRequest
from engine.prompts.assembler import PromptAssembler
from engine.status import Status
from tests.engine.chains.runs import ByChain, ThinkingRun
from tests.engine.chains.test_chains import LONG, NOTE, agent, rewrite
from tests.engine.models import edges, end, model, script, start

DONE = ModelAnswer(outputs={"y": "done"}, confidence=0.9, tokens_in=60, tokens_out=40)
WRITE = rewrite("P-17 stopped at 12:40; an hour lost.")


def paid(request: ModelRequest) -> ModelAnswer:
    """A thought for 1,000 tokens."""
    return ModelAnswer(outputs=WRITE(request), model="by-chain", tokens_in=900, tokens_out=100, cost=0.5)


def run_of(budget: str, *, whole: str = "", path: str = "a") -> tuple[ThinkingRun, ByChain]:
    one = f'<gov:policy workingThreshold="{len(LONG) + 60}" budget="{budget}"/>'
    process = f'<extensionElements><gov:policy budget="{whole}"/></extensionElements>' if whole else ""
    more = script("more", f"z = {NOTE.replace('pump', 'crane') * 11!r}")
    done = [more if id == "more" else agent(one, id) for id in path.split()]
    source = model(process, start(), *done, end(), edges(" > ".join(["s", *path.split(), "e"])))
    asked = ByChain(D1_model=paid, agent=lambda request: DONE)
    handler = AgentHandler(lambda spec: asked, PromptAssembler())
    return ThinkingRun(source, {"x": LONG}, asked, handlers={"a": handler, "b": handler}), asked


def chains(run: ThinkingRun) -> list[dict[str, Any]]:
    return [dict(event.data) for event in run.events(EventType.CHAIN)]


def test_a_thought_counts_once_for_its_activity_and_its_instance() -> None:
    run, asked = run_of("tokens=100000")
    assert (run.status, asked.chains()) == (Status.COMPLETED, ["D1_model"])
    assert run.instance.spending.used[:2] == (1_100, 0.5)


@pytest.mark.parametrize("budget", ["tokens=1000", "cost=0.5"])
def test_what_a_thought_used_up_is_not_there_for_the_agent(budget: str) -> None:
    run, asked = run_of(budget)
    assert (run.status, len(asked.asked)) == (Status.WAITING, 1), "the agent's own model was not called"
    (question,) = run.instance.interventions.values()
    assert question.kind == "budget"
    run.answer(question.id, "approve", reason="go on")
    assert (run.status, len(asked.asked)) == (Status.COMPLETED, 2), "nothing was thought twice"


def test_where_a_budget_is_used_up_the_rule_finishes_and_says_so() -> None:
    run, asked = run_of("", whole="instance.tokens=1050", path="a more b")
    assert run.status is Status.WAITING
    assert asked.chains() == ["D1_model"], "the second activity's was not asked"
    first, second = chains(run)
    assert "fallback" not in first
    assert "the budget is used up: 1,100 of 1,050 tokens" in str(second["fallback"])


def test_what_was_paid_before_a_restart_is_not_paid_again() -> None:
    """A thought that was kept counts for a run that does not know it, and never twice."""
    run, _ = run_of("tokens=1000")
    (task,) = [each for each in run.instance.workflow.get_tasks() if isinstance(each.activity, ActivityRun)]
    kept = ActivityRun.load(task.activity.dump())
    assert len(kept.thoughts) == 1
    budgets, used = run.hooks.budgets, run.instance.spending.used
    row = paid_row()
    for key, tokens in ((kept.thoughts[0], 0), ("another", 1_000), ("another", 1_000)):
        assert budgets.think(kept, run.instance.index.policy("a"), key, row, dict) == row
        assert run.instance.spending.used.tokens - used.tokens == tokens


def paid_row() -> dict[str, Any]:
    return ModelAnswer(tokens_in=900, tokens_out=100).to_json()
