"""In the middle of events, compensation and late tokens a restart finds everything again: tokens, contexts, writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.status import Status
from tests.engine.models import (
    MESSAGE,
    boundary,
    catch,
    condition,
    edges,
    end,
    gateway,
    handler,
    instances,
    message,
    model,
    script,
    start,
    throw,
    user,
)
from tests.engine.running import Run
from tests.engine.spiff.test_compensation import TRANSACTION, UNDO, undone

BOUNDARY = model(
    start(), user("a"), boundary("b", "a", message(), interrupting=False), user("h"), end(), end("e2"),
    edges("s > a > e", "b > h > e2"), beside=MESSAGE,
)  # fmt: skip
LISTENING = model(
    start(), gateway("g"), user("a"), user("c"), gateway("j"), end(), edges("s > g > a > j > e", "g > c > j"),
    handler("h", message(), user("hu"), end("he"), edges("h_s > hu > he"), interrupting=False), beside=MESSAGE,
)  # fmt: skip
COMPENSATING = model(
    start(), script("a", "x = 1"), undone("a", "", by_person=True), script("b", "y = 1"),
    undone("b", "", by_person=True), throw("t", UNDO), user("z"), end(), edges("s > a > b > t > z > e"),
)  # fmt: skip
CANCELLED = model(
    start(), TRANSACTION, boundary("k", "t", "<cancelEventDefinition/>"), user("h"), end(), end("e4"),
    edges("s > t > e", "k > h > e4"),
)  # fmt: skip
LATE = model(
    start(), gateway("g"), user("a"), user("b"), user("c"),
    '<complexGateway id="j"><activationCondition>activationCount &gt;= 1</activationCondition></complexGateway>',
    user("z"), end(), edges("s > g > a > j > z > e", "g > b > j", "g > c > j"),
)  # fmt: skip
CONDITIONAL = model(
    start(), gateway("g"), user("a"), catch("w", condition("x == 3")), user("z"), gateway("j"), end(),
    edges("s > g > a > j > e", "g > w > z > j"),
)  # fmt: skip
HOSTED = model(
    start(), user("a", instances(cardinality="3", item="")), boundary("b", "a", message()), user("h"), end(), end("e2"),
    edges("s > a > e", "b > h > e2"), beside=MESSAGE,
)  # fmt: skip

Step = Callable[[Run], Any]


def do(name: str) -> Step:
    return lambda run: run.do(name)


def send(run: Run) -> None:
    run.go(lambda: run.advancing.correlate("m", {"k": 1}))


def state(run: Run) -> tuple[Any, ...]:
    writes, workflow = run.hooks.open_writes, run.instance.workflow
    heads = sorted(
        (task.id, task.token.head, task.token.branch)
        for scope in workflow.scopes()
        for task in scope.live.values()
        if task.token is not None
    )
    waiting = sorted(workflow.event_manager.tasks)
    counts = workflow.census.active, workflow.census.idle, writes.written, writes.conflicting
    return run.instance.status, run.variables, run.open_items(), heads, waiting, counts


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        pytest.param(BOUNDARY, [send, do("h"), send, do("a"), do("h")], id="boundary"),
        pytest.param(LISTENING, [do("a"), send, do("hu"), send, do("c"), do("hu")], id="event sub-process"),
        pytest.param(COMPENSATING, [do("undo_b"), do("undo_a"), do("z")], id="compensation"),
        pytest.param(CANCELLED, [do("c"), do("h")], id="transaction"),
        pytest.param(LATE, [do("b"), do("z"), do("a"), do("c")], id="complex gateway"),
        pytest.param(CONDITIONAL, [do("a"), do("z")], id="condition"),
        pytest.param(HOSTED, [do("a"), do("a"), send, do("h")], id="instances interrupted"),
    ],
)
def test_a_restart_finds_everything_again(source: bytes, steps: list[Step]) -> None:
    code = {name: f"x = 3\n{name} = {number}" for number, name in enumerate(["a", "b", "c", "h", "hu", "z"])}
    straight = Run(source, {"x": 0}, code=code)
    again = Run(source, {"x": 0}, code=code)
    for step in steps:
        step(straight)
        before = state(again)
        again.reload()
        assert state(again) == before
        step(again)
        assert state(again) == state(straight)
    assert again.instance.status is Status.COMPLETED
