"""Joins: merged by who wrote, whatever the order of arrival. Each case goes wrong on plain SpiffWorkflow."""

from __future__ import annotations

from typing import Any

import pytest

from engine.status import Status
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.running import Plain, Run

TWO = (start(), gateway("g"), user("a"), user("b"), gateway("j"), end(), edges("s > g > a > j > e", "g > b > j"))


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
@pytest.mark.parametrize(
    ("before", "a", "b", "after"),
    [
        pytest.param({"x": 1}, "x = 2", "pass", {"x": 2}, id="an unchanged copy never wins"),
        pytest.param({"x": 1}, "del x", "pass", {}, id="a deletion is honoured"),
        pytest.param({"x": [1, 2, 3]}, "x = x[:1]", "pass", {"x": [1]}, id="a list may shrink"),
        pytest.param({"d": {"k": 1, "l": 1}}, "d['k'] = 2", "d['l'] = 2", {"d": {"k": 2, "l": 2}}, id="fields"),
        pytest.param({"d": {"k": {"m": 1}}}, "d['k']['m'] = 2", "pass", {"d": {"k": {"m": 2}}}, id="nested values"),
    ],
)
def test_a_join_keeps_what_each_branch_wrote(
    before: dict[str, Any], a: str, b: str, after: dict[str, Any], order: tuple[str, str]
) -> None:
    run = Run(model(*TWO), before, code={"a": a, "b": b}).do_all(order)
    assert (run.status, run.variables) == (Status.COMPLETED, after)


def test_plain_loses_what_the_other_branch_wrote() -> None:
    code = {"a": "x = 2", "b": "pass"}
    assert Plain(model(*TWO), {"x": 1}, code=code).do_all("ab").variables != {"x": 2}


def test_branches_do_not_see_each_other() -> None:
    code = {"a": "d['k']['m'] = 2", "b": "seen = d['k']['m']"}
    before = {"d": {"k": {"m": 1}}}
    assert Run(model(*TWO), before, code=code).do_all("ab").variables == {"d": {"k": {"m": 2}}, "seen": 1}
    assert Plain(model(*TWO), before, code=code).do_all("ab").variables["seen"] == 2


LOOP = (
    start(), script("i", "n = 0"), gateway("m", "exclusive"), gateway("g"), user("a"), user("b"), gateway("j"),
    script("inc", "n = n + 1"), gateway("x", "exclusive", default="out"), end(),
    edges("s > i > m > g > a > j > inc > x", "g > b > j", "x -n < 4-> m", "x =out=> e"),
)  # fmt: skip


@pytest.mark.parametrize("order", ["abababab", "abbaabba"])
def test_a_join_in_a_loop_takes_this_rounds_tokens(order: str) -> None:
    run = Run(model(*LOOP), {"tot": 0}, code={"a": "tot = tot + 1", "b": "z = n"}).do_all(order)
    assert run.variables == {"n": 4, "tot": 4, "z": 3}


def test_plain_resets_a_counter_in_a_branch_of_a_loop() -> None:
    code = {"a": "tot = tot + 1", "b": "z = n"}
    plain = Plain(model(*LOOP), {"tot": 0}, code=code).do_all("abababab")
    assert plain.variables["tot"] != 4


def test_a_loop_straight_back_into_a_parallel_gateway_goes_on() -> None:
    source = model(
        start(), gateway("g"), script("a", "n = n + 1"), gateway("x", "exclusive", default="out"), end(),
        edges("s > g > a > x", "x -n < 3-> g", "x =out=> e"),
    )  # fmt: skip
    assert Run(source, {"n": 0}).variables == {"n": 3}


def test_a_surplus_token_stays_at_the_join() -> None:
    source = model(
        start(), gateway("g"), user("a"), user("b"), gateway("x", "exclusive"), user("c"), gateway("j"), end(),
        edges("s > g > a > x > c > j > e", "g > b > x", "g > j"),
    )  # fmt: skip
    run = Run(source).do_all("abcc")
    assert run.status is Status.STALLED
    assert run.instance.reason == "j has a token from c and waits for one from g, which no token can reach"


def test_two_flows_between_the_same_elements_are_two() -> None:
    source = model(start(), gateway("g"), gateway("j"), end(), edges("s > g =one=> j > e", "g =two=> j"))
    run = Run(source)
    assert run.status is Status.COMPLETED
    assert len(run.memory.events) < 20


def test_an_inclusive_join_waits_for_work_that_is_under_way() -> None:
    inside = (
        start(), gateway("o", "inclusive"), user("a"), user("b"), gateway("x", "exclusive", default="d"),
        gateway("j", "inclusive"), user("after"), end(),
        edges("s > o -True-> a > j > after > e", "o -True-> b > x =d=> j"),
    )  # fmt: skip
    run = Run(model(*inside))
    run.do("a")
    assert run.open_items() == ["b"]
    run.do("b")
    assert run.open_items() == ["after"]


@pytest.mark.parametrize(("n", "after"), [(0, {"c": 1}), (1, {"a": 1}), (2, {"a": 1, "b": 1})])
def test_an_inclusive_join_waits_for_the_taken_branches_only(n: int, after: dict[str, int]) -> None:
    source = model(
        start(), gateway("o", "inclusive", default="d"), user("ta"), user("tb"), user("tc"), gateway("j", "inclusive"),
        end(), edges("s > o", "o -n > 0-> ta > j > e", "o -n > 1-> tb > j", "o =d=> tc > j"),
    )  # fmt: skip
    run = Run(source, {"n": n}, code={"ta": "a = 1", "tb": "b = 1", "tc": "c = 1"}).do_all()
    assert run.variables == {"n": n, **after}


def test_the_drawing_changes_nothing() -> None:
    heads = set()
    for shuffle in range(6):
        run = Run(model(*TWO, shuffle=shuffle), {"x": 0}, code={"a": "x = 1", "b": "x = 2"}).do_all("ab")
        heads.add((run.head, run.variables["x"]))
    assert len(heads) == 1


def test_the_order_of_flows_in_the_file_changes_no_merged_value() -> None:
    one = model(start(), gateway("g"), script("a", "x = 1"), script("b", "x = 2"), gateway("j"), end(),
                edges("s > g > a > j > e", "g > b > j"))  # fmt: skip
    other = model(start(), gateway("g"), script("a", "x = 1"), script("b", "x = 2"), gateway("j"), end(),
                  edges("s > g > b > j > e", "g > a > j"))  # fmt: skip
    assert Run(one, {"x": 0}).head == Run(other, {"x": 0}).head


def test_a_join_waits_for_an_input_that_nothing_leads_to_and_says_so() -> None:
    source = model(start(), script("a", "pass"), script("dead", "pass"), gateway("j"), end(),
                   edges("s > a > j > e", "dead > j"))  # fmt: skip
    run = Run(source)
    assert run.status is Status.STALLED
    assert "j has a token from a and waits for one from dead" in (run.instance.reason or "")
