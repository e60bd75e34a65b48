"""What the branches that still have to merge have written: the same before a restart and after it."""

from __future__ import annotations

import pytest

from tests.engine.models import (
    MESSAGE,
    boundary,
    edges,
    end,
    gateway,
    instances,
    message,
    model,
    script,
    start,
    sub,
    user,
)
from tests.engine.running import Run


def counts(run: Run) -> tuple[int, int]:
    """(keys written, keys in conflict), which a restart must not change."""
    before = run.hooks.open_writes.written, run.hooks.open_writes.conflicting
    run.reload()
    assert (run.hooks.open_writes.written, run.hooks.open_writes.conflicting) == before
    return before


def nested(inner_join: str = "") -> bytes:
    """Two branches, the first of which splits again after `a`; `inner_join` is what comes after it is one again."""
    after = f"{inner_join} > j" if inner_join else "j"
    return model(
        start(), gateway("g"), user("a"), gateway("h"), user("c"), user("d"), gateway("i"), user("after"), user("b"),
        gateway("j"), end(), edges(f"s > g > a > h > c > i > {after} > e", "h > d > i", "g > b > j"),
    )  # fmt: skip


CODE = {"a": "x = 1\ny = 1", "b": "x = 2", "c": "z = 1", "d": "d['k'] = 2"}


def test_a_branch_that_split_again_holds_what_it_wrote_before() -> None:
    run = Run(nested("after"), {"d": {"k": 1, "l": 1}}, code=CODE)
    run.do("a")
    run.do("b")
    assert counts(run) == (2, 1)


def test_what_branches_wrote_is_held_by_the_one_they_came_back_to() -> None:
    code = CODE | {"c": "d['l'] = 2\nz = 1", "b": "z = 2"}
    run = Run(nested("after"), {"d": {"k": 1, "l": 1}}, code=code)
    for element in "abcd":
        run.do(element)
    assert run.open_items() == ["after"]
    assert counts(run) == (4, 1)
    held = run.hooks.open_writes._by_branch["/g@1:2.a"]
    assert run.instance.graph.values.get(held["WORKING/d"] or "") == {"k": 2, "l": 2}


def test_an_instance_that_is_done_still_has_to_merge() -> None:
    source = model(start(), user("m", instances(cardinality="3")), end(), edges("s > m > e"))
    run = Run(source, {"x": 0}, code={"m": "x = it + 5"})
    run.do("m", key=0)
    run.do("m", key=2)
    assert counts(run) == (1, 1)


CALLED = (
    '<process id="q" isExecutable="true"><ioSpecification><dataInput id="di" name="x"/><dataOutput id="do" name="x"/>'
    f"<inputSet/><outputSet/></ioSpecification>{start('qs')}{script('c', 'x = x + 1; inner = 1')}{user('u')}{end('qe')}"
    f"{edges('qs > c > u > qe')}</process>"
)


def test_the_variables_of_a_called_process_are_gone_with_it() -> None:
    source = model(
        start(), gateway("g"), '<callActivity id="c1" calledElement="q"/>', user("a"), user("b"), gateway("j"), end(),
        edges("s > g > c1 > a > j > e", "g > b > j"), beside=CALLED,
    )  # fmt: skip
    run = Run(source, {"x": 0}, process="p")
    assert counts(run) == (2, 0)
    run.do("u")
    assert counts(run) == (1, 0)


def interrupted() -> bytes:
    inner = sub(
        "sp", start("s2"), user("a"), gateway("h"), user("c"), user("d"), gateway("i"), end("e2"),
        edges("s2 > a > h > c > i > e2", "h > d > i"),
    )  # fmt: skip
    return model(
        start(), gateway("g"), user("before"), inner, boundary("be", "sp", message()), user("late"), user("b"),
        gateway("j", "inclusive"), end(),
        edges("s > g > before > sp > j > e", "be > late > j", "g > b > j"), beside=MESSAGE,
    )  # fmt: skip


def test_what_was_interrupted_no_longer_has_to_merge() -> None:
    run = Run(interrupted(), code={"before": "v = 1", "a": "x = 1", "c": "y = 1", "b": "y = 2"})
    for element in ("before", "a", "c", "b"):
        run.do(element)
    assert counts(run) == (3, 1)
    run.go(lambda: run.advancing.correlate("m", {}))
    assert run.open_items() == ["late"]
    assert counts(run) == (2, 0)


@pytest.mark.parametrize("finished", [[1], [0, 1]])
def test_instances_that_were_cancelled_no_longer_have_to_merge(finished: list[int]) -> None:
    inner = sub("sp", start("s2"), user("a"), user("c"), end("e2"), edges("s2 > a > c > e2"),
                inside=instances(cardinality="3", output="res", until="it == 1"))  # fmt: skip
    source = model(
        start(), gateway("g"), inner, user("after"), user("b"), gateway("j"), end(),
        edges("s > g > sp > after > j > e", "g > b > j"),
    )  # fmt: skip
    run = Run(source, {"x": 0}, code={"a": "x = it + 5", "c": "pass"})
    for _ in range(3):
        run.do("a")
    assert counts(run) == (1, 1)
    for number in finished:
        (task,) = [task for task, item in run.instance.work_items.items() if item.branch.endswith(f".{number}")]
        run.go(lambda task=task: run._run_code(task, "pass"))  # type: ignore[misc]
    assert run.open_items() == ["b", "after"]
    assert counts(run) == (2, 0)
