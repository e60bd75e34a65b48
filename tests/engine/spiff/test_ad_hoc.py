"""Ad-hoc sub-processes: what nothing leads to is done, at once or in turns, until the condition holds."""

from __future__ import annotations

import pytest

from engine.status import Status
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.running import Run


def held(content: str, attributes: str = 'ordering="Parallel"', until: str = "") -> bytes:
    condition = f"<completionCondition>{until}</completionCondition>" if until else ""
    inside = f'<adHocSubProcess id="h" {attributes}>{content}{condition}</adHocSubProcess>'
    return model(start(), inside, script("z", "pass"), end(), edges("s > h > z > e"))


TASKS = user("a") + user("b") + user("c") + script("d", "pass") + edges("c > d")
CODE = {"a": "x = 1", "b": "y = 1", "c": "w = 1"}


def test_all_begins_at_once_and_is_merged_at_the_end() -> None:
    run = Run(held(TASKS), code=CODE)
    assert run.open_items() == ["a", "b", "c"]
    for element in "bca":
        run.reload().do(element)
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 1, "w": 1})
    assert run.done()[-1] == "z"


def test_in_turns_each_sees_what_the_last_one_did() -> None:
    run = Run(held(TASKS, 'ordering="Sequential"'), code={"a": "x = 1", "b": "y = x + 1", "c": "w = y + 1"})
    for element in "abc":
        assert run.reload().open_items() == [element]
        run.do(element)
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 2, "w": 3})
    assert run.done() == ["a", "b", "c", "d", "z"]


@pytest.mark.parametrize(
    ("attributes", "left"),
    [("", []), ('cancelRemainingInstances="false"', ["b", "c"]), ('ordering="Sequential"', [])],
)
def test_the_condition_ends_it(attributes: str, left: list[str]) -> None:
    run = Run(held(TASKS, attributes, "x == 1"), {"x": 0}, code=CODE)
    run.reload().do("a")
    assert run.open_items() == left
    run.do_all()
    assert (run.instance.status, run.done()[-1]) == (Status.COMPLETED, "z")


@pytest.mark.parametrize("attributes", ["", 'ordering="Sequential"'])
def test_all_done_and_not_complete_is_an_incident_that_says_so(attributes: str) -> None:
    run = Run(held(TASKS, attributes, "x == 7"), {"x": 0}, code=CODE).do_all()
    assert run.instance.status is Status.FAILED
    assert "its completion condition x == 7 is not true" in (run.instance.reason or "")


def test_what_people_draw_in_it_is_rewritten_too() -> None:
    inside = script("a", "pass") + script("b", "pass") + script("c", "pass") + edges("a -x > 0-> b", "a -x > 1-> c")
    assert [sorted(Run(held(inside), {"x": x}).done()) for x in (1, 2)] == [["a", "b", "z"], ["a", "b", "c", "z"]]


def test_it_may_stand_in_a_branch() -> None:
    inside = f'<adHocSubProcess id="h" ordering="Parallel">{user("a")}{user("b")}</adHocSubProcess>'
    flows = edges("s > g > h > j > e", "g > c > j")
    source = model(start(), gateway("g"), inside, user("c"), gateway("j"), end(), flows)
    run = Run(source, code={"a": "x = 1", "b": "y = 1", "c": "w = 1"}).do_all(["b", "c"])
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 1, "w": 1})
