"""Multi-instance activities and loops: ordered, isolated, repeatable."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from bpmn.load import load
from engine.events import EventType
from engine.status import Status
from tests.engine.models import edges, end, gateway, instances, model, script, start, sub, user
from tests.engine.running import Plain, Run

ITEMS = model(
    start(),
    user("m", instances(collection="items", output="res")),
    end(),
    edges("s > m > e"),
)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_results_are_in_the_order_of_the_items(order: tuple[int, ...]) -> None:
    run = Run(ITEMS, {"items": [5, 6, 7], "x": 0}, code={"m": "o = it * 2\nx = x + it"})
    for key in order:
        run.do("m", key=key)
    assert run.variables == {"items": [5, 6, 7], "x": 7, "res": [10, 12, 14]}
    assert run.instance.status is Status.COMPLETED


def test_plain_orders_results_by_completion() -> None:
    plain = Plain(ITEMS, {"items": [5, 6, 7]}, code={"m": "o = it * 2"})
    plain.do("m", 2).do("m", 0).do("m", 0)
    assert plain.variables["res"] != [10, 12, 14]


def test_instances_do_not_see_each_other() -> None:
    source = model(
        start(), script("m", "o = cfg['n']\ncfg['n'] = cfg['n'] + 1", instances(cardinality="3", output="res")), end(),
        edges("s > m > e"),
    )  # fmt: skip
    assert Run(source, {"cfg": {"n": 1}}).variables["res"] == [1, 1, 1]
    assert Plain(source, {"cfg": {"n": 1}}).variables["res"] == [1, 1, 1]
    nested = source.replace(b"cfg['n']", b"cfg['a']['n']")
    assert Run(nested, {"cfg": {"a": {"n": 1}}}).variables["res"] == [1, 1, 1]
    assert Plain(nested, {"cfg": {"a": {"n": 1}}}).variables["res"] != [1, 1, 1]


def test_a_multi_instance_activity_runs_again_in_a_loop() -> None:
    source = model(
        start(), script("i", "n = 0"), gateway("m", "exclusive"),
        script("w", "o = it + n", instances(cardinality="2", output="res")), script("inc", "n = n + 1"),
        gateway("x", "exclusive", default="out"), end(),
        edges("s > i > m > w > inc > x", "x -n < 3-> m", "x =out=> e"),
    )  # fmt: skip
    assert Run(source).variables == {"n": 3, "res": [2, 3]}
    with pytest.raises(Exception, match=r"output must be|data_ouput"):
        Plain(source)


def test_sequential_instances_share_one_context() -> None:
    source = model(
        start(), user("m", instances(collection="items", output="res", sequential=True)), end(), edges("s > m > e")
    )
    run = Run(source, {"items": [5, 6, 7], "x": 0}, code={"m": "o = it * 2\nx = x + it"}).do_all()
    assert run.variables == {"items": [5, 6, 7], "x": 18, "res": [10, 12, 14]}


def test_a_collection_may_be_an_object() -> None:
    source = model(start(), script("m", "o = it + 1", instances(collection="items", output="res")), end(),
                   edges("s > m > e"))  # fmt: skip
    assert Run(source, {"items": {"a": 1, "b": 2}}).variables["res"] == {"a": 2, "b": 3}


def test_no_items_no_instances() -> None:
    run = Run(ITEMS, {"items": []})
    assert (run.status, run.variables) == (Status.COMPLETED, {"items": [], "res": []})


@pytest.mark.parametrize("sequential", [True, False])
def test_a_completion_condition_ends_the_rest(sequential: bool) -> None:
    marker = instances(collection="items", output="res", sequential=sequential, until="o == 12")
    run = Run(model(start(), user("m", marker), end(), edges("s > m > e")), {"items": [5, 6, 7]}, code={"m": "o=it*2"})
    run.do("m")
    run.do("m", key=1)
    assert (run.instance.status, run.variables["res"]) == (Status.COMPLETED, [10, 12])
    assert run.instance.work_items == {}


def test_a_standard_loop_goes_on_from_its_last_round() -> None:
    condition = "<loopCondition>x &lt; 3</loopCondition>"
    marker = f'<standardLoopCharacteristics loopMaximum="5">{condition}</standardLoopCharacteristics>'
    source = model(start(), script("a", "x = x + 1", marker), end(), edges("s > a > e"))
    assert Run(source, {"x": 0}).variables == {"x": 3}


def test_instances_of_a_sub_process_split_and_join_inside() -> None:
    inner = sub(
        "sp", start("s2"), gateway("g"), user("a"), user("b"), gateway("j"), end("e2"),
        edges("s2 > g > a > j > e2", "g > b > j"), inside=instances(cardinality="3"),
    )  # fmt: skip
    run = Run(model(start(), inner, end(), edges("s > sp > e")), {"x": 0}, code={"a": "x = x + 1", "b": "y = it"})
    run.do_all()
    assert run.variables == {"x": 1, "y": 2}


def test_a_restored_multi_instance_activity_completes() -> None:
    run = Run(ITEMS, {"items": [1, 2]}, code={"m": "o = it"})
    run.do("m")
    run.reload().do("m")
    assert (run.instance.status, run.variables["res"]) == (Status.COMPLETED, [1, 2])


@pytest.mark.parametrize("sequential", [True, False])
def test_a_completion_condition_that_fails_is_an_incident_of_the_activity(sequential: bool) -> None:
    marker = instances(collection="items", output="res", sequential=sequential, until="done")
    run = Run(model(start(), user("m", marker), end(), edges("s > m > e")), {"items": [1]}, code={"m": "o = it"})
    run.do("m")
    assert (run.instance.status, [each.kind for each in run.instance.incidents.values()]) == (
        Status.FAILED, ["MissingVariable"],
    )  # fmt: skip
    run.reload()
    (task,) = run.instance.incidents
    run.retry(task)
    assert "done" in (run.instance.reason or "")


@pytest.mark.parametrize("cardinality", ["0 - 1", "1.5", "True"])
def test_a_number_of_instances_that_is_none_is_an_incident(cardinality: str) -> None:
    source = model(start(), script("m", "x = 1", instances(cardinality=cardinality)), end(), edges("s > m > e"))
    run = Run(source)
    assert (run.status, "loopCardinality gives" in (run.instance.reason or "")) == (Status.FAILED, True)


@pytest.mark.parametrize(
    ("collection", "variables", "told"),
    [
        ("l", {}, "its collection l is missing"),
        ("l", {"l": None}, "its collection l is nothing (None)"),
        ("l", {"l": "abc"}, "its collection l is str"),
        ("l", {"l": 5}, "its collection l is int"),
        ("l[0]", {"l": ["abc"]}, "its collection l[0] is str"),
    ],
)
@pytest.mark.parametrize("sequential", [False, True])
def test_what_has_no_items_is_an_incident_that_names_it(
    collection: str, variables: dict[str, Any], told: str, sequential: bool
) -> None:
    marker = instances(collection=collection, sequential=sequential)
    run = Run(model(start(), script("m", "x = 1", marker), end(), edges("s > m > e")), variables)
    assert run.status is Status.FAILED
    assert [each.kind for each in run.instance.incidents.values()] == ["NoCollection"]
    assert told in (run.instance.reason or "")


@pytest.mark.parametrize("sequential", [False, True])
def test_each_instance_knows_its_number_and_nothing_behind_them_does(sequential: bool) -> None:
    marker = instances(collection="items", output="res", sequential=sequential)
    source = model(start(), script("m", "o = [loopCounter, it]", marker), end(), edges("s > m > e"))
    run = Run(source, {"items": ["a", "b"]})
    assert run.variables == {"items": ["a", "b"], "res": [[0, "a"], [1, "b"]]}


@pytest.mark.parametrize(("before", "rounds"), [("false", [0, 1, 2]), ("true", [0, 1, 2])])
def test_a_round_of_a_loop_and_its_condition_know_its_number(before: str, rounds: list[int]) -> None:
    marker = (
        f'<standardLoopCharacteristics testBefore="{before}"><loopCondition>loopCounter &lt; 3</loopCondition>'
        "</standardLoopCharacteristics>"
    )
    run = Run(model(start(), script("m", "l.append(loopCounter)", marker), end(), edges("s > m > e")), {"l": []})
    assert run.variables == {"l": rounds}


def test_a_loop_inside_a_loop_hides_the_outer_number_until_it_is_over() -> None:
    inner = script("w", "l.append(loopCounter)", instances(cardinality="2", sequential=True))
    outer = sub("o", start("i"), inner, script("x", "l.append(loopCounter * 10)"), edges("i > w > x"),
                inside=instances(cardinality="2", sequential=True))  # fmt: skip
    run = Run(model(start(), outer, end(), edges("s > o > e")), {"l": []})
    assert run.variables == {"l": [0, 1, 0, 0, 1, 10]}


def test_the_number_is_there_after_a_restart() -> None:
    marker = instances(collection="items", output="res")
    body = sub("o", start("i"), user("u"), script("x", "o = loopCounter"), edges("i > u > x"), inside=marker)
    run = Run(model(start(), body, end(), edges("s > o > e")), {"items": [1, 2, 3]}).reload().do_all()
    assert run.variables["res"] == [0, 1, 2]


def _zeebe(element: str, script_: str = "={v: it * 2, n: loopCounter}", *, sequential: bool = False) -> bytes:
    marker = (
        f'<multiInstanceLoopCharacteristics isSequential="{str(sequential).lower()}"><extensionElements>'
        f'<zeebe:loopCharacteristics inputCollection="=items" inputElement="it" outputCollection="out" '
        f'outputElement="{element}"/></extensionElements></multiInstanceLoopCharacteristics>'
    )
    made = f'<zeebe:script expression="{script_}" resultVariable="r"/>'
    task = f'<scriptTask id="a"><extensionElements>{made}</extensionElements>{marker}</scriptTask>'
    return model(start(), task, end(), edges("s > a > e"))


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize(
    ("element", "out"),
    [("=r.v", [2, 4]), ("=r.v + 1", [3, 5]), ("={a: it}", [{"a": 1}, {"a": 2}]), ("=r.n", [1, 2]), ("r.v", [2, 4])],
)
def test_an_output_element_may_be_any_expression(element: str, out: list[Any], sequential: bool) -> None:
    run = Run(_zeebe(element, sequential=sequential), {"items": [1, 2]})
    assert (run.status, run.variables["out"]) == (Status.COMPLETED, out)


def test_an_output_element_that_is_wrong_is_told_at_once_or_is_an_incident_of_the_activity() -> None:
    (problem,) = load(_zeebe("=r.v +"), file="a.bpmn").errors
    assert (problem.rule, problem.element) == ("expression", "a")
    run = Run(_zeebe("=nowhere + 1"), {"items": [1, 2]})
    assert run.status is Status.FAILED
    assert "nowhere" in (run.instance.reason or "")


def test_instances_over_an_object_are_branches_that_go_by_its_names() -> None:
    marker = instances(collection="d", output="r")
    run = Run(model(start(), user("a", marker), end(), edges("s > a > e")), {"d": {"x": 1, "y/z": 2}, "r": {}})
    (split,) = run.events(EventType.D2)
    branches = split.data["branches"]
    assert [name.rpartition(".")[2] for name in branches] == ["x", "y%2Fz"]
    assert sorted(item.branch for item in run.instance.work_items.values()) == sorted(branches)
    run.reload().do_all()
    assert run.status is Status.COMPLETED
    (join,) = run.events(EventType.D3)
    assert sorted(join.data["branches"]) == sorted(branches)
