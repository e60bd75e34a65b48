"""The items of multi-instance activities: fixed when it begins, and an instance's own until it ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.status import Status
from tests.engine.models import MESSAGE, edges, end, gateway, instances, message, model, script, start, sub, user
from tests.engine.running import Run


def around(activity: str, beside: str = "") -> bytes:
    name = activity.split('id="', 1)[1].split('"', 1)[0]
    return model(start(), activity, end(), edges(f"s > {name} > e"), beside=beside)


@pytest.mark.parametrize(("items", "cut"), [([5, 6, 7], "items[:1]"), ({"a": 5, "b": 6, "c": 7}, "{}")])
def test_sequential_instances_run_over_what_was_there_when_they_began(items: object, cut: str) -> None:
    inner = user("m", instances(collection="items", output="res", sequential=True))
    run = Run(around(inner), {"items": items}, code={"m": f"o = it\nitems = {cut}"})
    while run.instance.work_items:
        run.reload().do("m")
    assert run.status is Status.COMPLETED
    assert run.variables["res"] == items


CALLED = (
    '<process id="q" isExecutable="true"><ioSpecification><dataInput id="di" name="it"/><dataOutput id="do" name="o"/>'
    f"<inputSet/><outputSet/></ioSpecification>{start('qs')}{script('a', 'o = it * 2')}{end('qe')}"
    f"{edges('qs > a > qe')}</process>"
)


@pytest.mark.parametrize("sequential", [True, False])
def test_what_a_called_process_gives_back_may_be_an_instances_own(sequential: bool) -> None:
    marker = instances(collection="items", output="res", sequential=sequential)
    call = f'<callActivity id="c" calledElement="q">{marker}</callActivity>'
    run = Run(around(call, beside=CALLED), {"items": [1, 2]}, process="p")
    assert run.variables == {"items": [1, 2], "res": [2, 4]}


@pytest.mark.parametrize("order", ["abab", "baba", "aabb", "bbaa"])
def test_branches_inside_an_instance_merge_its_own_items(order: Sequence[str]) -> None:
    inner = sub(
        "sp", start("s2"), gateway("g"), user("a"), user("b"), gateway("j"), script("c", "o = it"), end("e2"),
        edges("s2 > g > a > j > c > e2", "g > b > j"), inside=instances(cardinality="2", output="res"),
    )  # fmt: skip
    run = Run(around(inner), code={"a": "it = it + 10", "b": "pass"}).do_all(order)
    assert run.variables == {"res": [10, 11]}


REPEATED = '<standardLoopCharacteristics loopMaximum="3"/>'
NESTED = instances(cardinality="2", item="inner", sequential=True)
PARALLEL = instances(cardinality="2", item="inner")


@pytest.mark.parametrize(("marker", "times"), [(REPEATED, 3), (NESTED, 2), (PARALLEL, 1)])
def test_what_repeats_inside_an_instance_may_write_its_items(marker: str, times: int) -> None:
    inner = sub(
        "sp", start("s2"), script("a", "it = it + 10", marker), script("c", "o = it"), end("e2"),
        edges("s2 > a > c > e2"), inside=instances(cardinality="2", output="res"),
    )  # fmt: skip
    assert Run(around(inner)).variables == {"res": [10 * times, 10 * times + 1]}


def test_a_message_may_bring_an_instances_own_item() -> None:
    catch = f'<intermediateCatchEvent id="c">{message()}</intermediateCatchEvent>'
    inner = sub("sp", start("s2"), catch, end("e2"), edges("s2 > c > e2"),
                inside=instances(cardinality="2", output="res"))  # fmt: skip
    run = Run(around(inner, beside=MESSAGE))
    for answer in (5, 6):
        run.go(lambda answer=answer: run.advancing.correlate("m", {"o": answer}))  # type: ignore[misc]
    assert run.variables == {"res": [5, 6]}


def test_an_instance_without_a_result_gives_nothing_whatever_a_variable_of_that_name_holds() -> None:
    inner = script("m", "seen = 1", instances(cardinality="2", output="res"))
    assert Run(around(inner), {"o": 7}).variables == {"o": 7, "res": [None, None], "seen": 1}


def test_an_item_may_be_deleted() -> None:
    inner = sub("sp", start("s2"), script("a", "del it"), script("b", "o = 1"), end("e2"), edges("s2 > a > b > e2"),
                inside=instances(cardinality="2", output="res"))  # fmt: skip
    run = Run(around(inner), {"it": 7})
    assert (run.status, run.variables) == (Status.COMPLETED, {"it": 7, "res": [1, 1]})
