"""What multi-instance activities throw, and what conditions may ask about instances."""

from __future__ import annotations

import pytest

from engine.status import Status
from tests.engine.models import boundary, edges, end, instances, model, script, signal, start, user
from tests.engine.running import Run

BESIDE = '<signal id="sig" name="Sig"/><signalEventDefinition id="sd" signalRef="sig"/>'
COMPLEX = (
    "<complexBehaviorDefinition><condition>{}</condition><event>"
    '<signalEventDefinition signalRef="sig"/></event></complexBehaviorDefinition>'
)


def several(behavior: str, inside: str = "", *, sequential: bool = True, interrupting: bool = True) -> bytes:
    marker = instances(cardinality="3", item="", sequential=sequential).replace(
        "<multiInstanceLoopCharacteristics", f"<multiInstanceLoopCharacteristics {behavior}"
    ).replace("</multi", f"{inside}</multi")  # fmt: skip
    return model(
        start(), user("a", marker), boundary("b", "a", signal(), interrupting=interrupting), script("h", "pass"),
        script("z", "pass"), end(), end("e2"), edges("s > a > z > e", "b > h > e2"), beside=BESIDE,
    )  # fmt: skip


@pytest.mark.parametrize("interrupting", [True, False])
@pytest.mark.parametrize("sequential", [True, False])
@pytest.mark.parametrize(
    ("behavior", "thrown"),
    [("", 0), ('behavior="All"', 0), ('behavior="None" noneBehaviorEventRef="sd"', 3),
     ('behavior="One" oneBehaviorEventRef="sd"', 1)],
)  # fmt: skip
def test_none_throws_with_each_instance_and_one_with_the_first(
    behavior: str, thrown: int, sequential: bool, interrupting: bool
) -> None:
    run = Run(several(behavior, sequential=sequential, interrupting=interrupting))
    for _ in range(3):
        run.reload().do("a")
    assert run.instance.status is Status.COMPLETED
    assert sorted(run.done()) == ["a"] * 3 + ["h"] * thrown + ["z"]


@pytest.mark.parametrize(("interrupting", "done"), [(True, ["a", "a", "h", "z"]), (False, ["a", "a", "a", "h", "z"])])
def test_a_complex_one_throws_on_its_conditions_and_may_end_the_activity(interrupting: bool, done: list[str]) -> None:
    inside = COMPLEX.format("numberOfCompletedInstances == 2")
    run = Run(several('behavior="Complex"', inside, interrupting=interrupting))
    while run.instance.work_items:
        run.reload().do("a")
    assert run.instance.status is Status.COMPLETED
    assert sorted(run.done()) == done


def test_a_completion_condition_may_count_instances() -> None:
    marker = instances(cardinality="9", item="", until="nrOfCompletedInstances / nrOfInstances &gt;= 0.3")
    run = Run(model(start(), user("a", marker), end(), edges("s > a > e")))
    for _ in range(3):
        run.reload().do("a")
    assert run.instance.status is Status.COMPLETED
