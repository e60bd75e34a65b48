"""The cases by which the merge was designed, each as a process would draw it."""

from __future__ import annotations

from itertools import permutations

import pytest

from governance.merging.paths import DELETED
from tests.governance.merging.branches import LAST_WRITE, Branches, conflicting, sides


@pytest.fixture
def process() -> Branches:
    return Branches()


def test_a_branch_that_never_wrote_a_key_has_no_say(process: Branches) -> None:
    split = process.start(x=1, y=1)
    a, b = process.write(split, "a", x=2), process.write(split, "b", y=2)
    plan = process.plan({"a": a, "b": b})
    assert plan.conflicts == ()
    assert process.values(process.joined({"a": a, "b": b})) == {"x": 2, "y": 2}


def test_an_unchanged_copy_never_wins_even_when_its_branch_was_last(process: Branches) -> None:
    split = process.start(x=1)
    a = process.write(split, "a", x=2)
    b = process.write(split, "b", y=1)
    assert process.value(process.joined({"a": a, "b": b}), "x") == 2


def test_a_branch_without_any_step_costs_no_snapshot(process: Branches) -> None:
    split = process.start(x=1)
    a = process.write(split, "a", x=2)
    plan = process.plan({"a": a, "b": split})
    assert plan.fast_forward == a
    assert process.joined({"a": a, "b": split}) == a
    assert process.plan({"a": split, "b": split}).fast_forward == split


def test_a_deletion_is_honoured(process: Branches) -> None:
    split = process.start(x=1, y=1)
    heads = {"a": process.write(split, "a", x=DELETED), "b": process.write(split, "b", y=2)}
    assert process.plan(heads).conflicts == ()
    assert process.values(process.joined(heads)) == {"y": 2}


def test_a_deletion_against_a_write_is_a_conflict_that_the_last_one_wins(process: Branches) -> None:
    split = process.start(x=1)
    deleted = process.write(split, "a", x=DELETED)
    written = process.write(split, "b", x=5)
    (conflict,) = process.plan({"a": deleted, "b": written}).conflicts
    assert sides(conflict) == {"a": DELETED, "b": 5}
    assert (conflict.base, conflict.winner, conflict.value) == (1, "b", 5)
    assert process.values(process.joined({"a": deleted, "b": written})) == {"x": 5}
    later = process.write(split, "a", x=DELETED, at=99)
    assert process.values(process.joined({"a": later, "b": written}, at=100)) == {}


def test_two_deletions_agree(process: Branches) -> None:
    split = process.start(x=1)
    heads = {"a": process.write(split, "a", x=DELETED), "b": process.write(split, "b", x=DELETED)}
    assert process.plan(heads).conflicts == ()
    assert process.values(process.joined(heads)) == {}


def test_equal_values_are_an_agreement_and_from_then_on_one_write(process: Branches) -> None:
    split = process.start(x=1)
    a, b = process.write(split, "a", x=2), process.write(split, "b", x=2)
    plan = process.plan({"a": a, "b": b})
    assert (plan.agreed, plan.conflicts) == (("WORKING/x",), ())
    merged = process.graph.get(process.joined({"a": a, "b": b}))
    assert list(merged.writes) == ["WORKING/x"]
    assert merged.meta.won["WORKING/x"].branch == "b"
    assert merged.meta.won["WORKING/x"].at == process.graph.get(b).meta.at


@pytest.mark.parametrize("other", [1.0, True, "1"])
def test_values_of_different_kinds_do_not_agree(process: Branches, other: object) -> None:
    split = process.start(x=0)
    heads = {"a": process.write(split, "a", x=1), "b": process.write(split, "b", x=other)}
    assert conflicting(process.plan(heads)) == ["WORKING/x"]


def test_written_and_put_back_counts_as_written(process: Branches) -> None:
    split = process.start(x=1)
    a = process.write(process.write(split, "a", x=2), "a", x=1)
    b = process.write(split, "b", x=3)
    assert conflicting(process.plan({"a": a, "b": b})) == ["WORKING/x"]
    b_only = process.write(split, "b", y=3)
    assert process.values(process.joined({"a": a, "b": b_only})) == {"x": 1, "y": 3}


def test_nested_splits_with_a_deletion(process: Branches) -> None:
    """a deletes x and splits into a1, which writes it again, and a2; they join, and the result joins c."""
    outer = process.start(x=1, y=1)
    a = process.write(outer, "a", x=DELETED)
    a1, a2 = process.write(a, "a1", x=2), process.write(a, "a2", y=2)
    inner = process.joined({"a1": a1, "a2": a2}, branch="a")
    assert process.values(inner) == {"x": 2, "y": 2}
    c = process.write(outer, "c", z=1)
    plan = process.plan({"a": inner, "c": c})
    assert (plan.conflicts, plan.bases) == ((), (outer,))
    assert process.values(process.joined({"a": inner, "c": c})) == {"x": 2, "y": 2, "z": 1}


def test_a_deletion_by_an_inner_branch_reaches_the_outer_join(process: Branches) -> None:
    outer = process.start(x=1)
    a = process.write(outer, "a", y=1)
    a1, a2 = process.write(a, "a1", x=DELETED), process.write(a, "a2", z=1)
    inner = process.joined({"a1": a1, "a2": a2}, branch="a")
    c = process.write(outer, "c", w=1)
    assert process.values(process.joined({"a": inner, "c": c})) == {"y": 1, "z": 1, "w": 1}


def test_a_nested_split_into_one_join(process: Branches) -> None:
    """a writes x and splits; b1 only carries the copy that b2 overwrites: no conflict, whatever the order of heads."""
    outer = process.start(x=0)
    a = process.write(outer, "a", x=1)
    b1, b2 = process.write(a, "b1", p=1), process.write(a, "b2", x=2)
    c = process.write(outer, "c", y=1)
    heads = {"b1": b1, "b2": b2, "c": c}
    for order in permutations(heads):
        plan = process.plan({branch: heads[branch] for branch in order})
        assert (plan.conflicts, plan.bases) == ((), (outer,))
    assert process.values(process.joined(heads)) == {"x": 2, "p": 1, "y": 1}


def test_a_copy_that_both_inner_branches_carry_is_one_write(process: Branches) -> None:
    outer = process.start(x=0)
    a = process.write(outer, "a", x=1)
    b1, b2 = process.write(a, "b1", p=1), process.write(a, "b2", q=1)
    c = process.write(outer, "c", x=3)
    (conflict,) = process.plan({"b1": b1, "b2": b2, "c": c}).conflicts
    assert sides(conflict) == {"a": 1, "c": 3}


def test_the_second_round_of_a_loop_merges_against_its_own_split(process: Branches) -> None:
    at = process.start(n=0, total=0)
    for step in range(1, 4):
        a = process.write(at, f"/G@{step}.a", total=step * 10)
        b = process.write(at, f"/G@{step}.b", seen=step)
        plan = process.plan({"a": a, "b": b})
        assert (plan.bases, plan.conflicts) == ((at,), ())
        at = process.write(process.joined({"a": a, "b": b}), "", n=step)
    assert process.values(at) == {"n": 3, "total": 30, "seen": 3}


def test_a_conflict_of_one_round_is_settled_for_the_next(process: Branches) -> None:
    split = process.start(x=0)
    first = process.joined({"a": process.write(split, "a", x=1), "b": process.write(split, "b", x=2)})
    second = {"a": process.write(first, "a", y=1), "b": process.write(first, "b", z=1)}
    assert process.plan(second).conflicts == ()
    assert process.value(process.joined(second), "x") == 2


def test_an_unstructured_join_of_three(process: Branches) -> None:
    """a and b join, and the result joins c: every conflict is seen once, with the values that nobody overwrote."""
    split = process.start(x=0)
    a, b, c = (process.write(split, branch, x=value) for branch, value in (("a", 1), ("b", 2), ("c", 3)))
    joined = process.joined({"a": a, "b": b}, branch="a+b")
    (conflict,) = process.plan({"a+b": joined, "c": c}).conflicts
    assert sides(conflict) == {"b": 2, "c": 3}
    assert process.value(process.joined({"a+b": joined, "c": c}), "x") == 3


def test_a_resolution_keeps_the_time_of_its_winner(process: Branches) -> None:
    """c wrote after a and b, but before they were joined: the join must not make b's write look the later one."""
    split = process.start(x=0)
    a, b = process.write(split, "a", x=1), process.write(split, "b", x=2)
    c = process.write(split, "c", x=3)
    joined = process.joined({"a": a, "b": b}, branch="a+b")
    assert process.value(process.joined({"a+b": joined, "c": c}), "x") == 3


def test_a_criss_cross_asks_nothing_twice(process: Branches) -> None:
    """x written after the first join beats the copy that the second join carries, and there is no false conflict."""
    split = process.start(x=0, y=0)
    a, b = process.write(split, "a", x=1), process.write(split, "b", y=1)
    one, other = process.joined({"a": a, "b": b}, branch="j1"), process.joined({"a": a, "b": b}, branch="j2")
    k1, k2 = process.write(one, "k1", x=5), process.write(other, "k2", z=1)
    plan = process.plan({"k1": k1, "k2": k2})
    assert (set(plan.bases), plan.conflicts) == ({a, b}, ())
    assert process.values(process.joined({"k1": k1, "k2": k2})) == {"x": 5, "y": 1, "z": 1}


def test_what_a_merge_carries_is_no_write(process: Branches) -> None:
    split = process.start(x=0)
    a, b = process.write(split, "a", x=1), process.write(split, "b", y=1)
    merged = process.graph.get(process.joined({"a": a, "b": b}))
    assert dict(merged.writes) == {}
    assert [*merged.carry] in (["WORKING/x"], ["WORKING/y"])


def test_the_merge_stands_on_the_longer_branch_so_that_it_carries_little(process: Branches) -> None:
    split = process.start(x=0)
    long = split
    for step in range(20):
        long = process.write(long, "b", {f"HISTORY/b@{step}:t": {"activity": "t"}})
    a = process.write(split, "a", x=1)
    merged = process.graph.get(process.joined({"a": a, "b": long}))
    assert merged.parents == (long, a)
    assert list(merged.carry) == ["WORKING/x"]


def test_undo_is_a_write_on_top(process: Branches) -> None:
    """A branch that goes back to the split writes what stood there, and that conflicts with the other's change."""
    split = process.start(x=0)
    moved = process.write(split, "a", x=1)
    meta = process.graph.get(process.write(moved, "a", y=1)).meta
    undone = process.graph.restore(moved, split, meta).id
    b = process.write(split, "b", x=2)
    (conflict,) = process.plan({"a": undone, "b": b}).conflicts
    assert sides(conflict) == {"a": 0, "b": 2}


def test_branches_compare_as_numbers_where_they_are_numbers(process: Branches) -> None:
    split = process.start(x=0)
    heads = {f"/M@1:12.{n}": process.write(split, f"/M@1:12.{n}", x=n, at=5) for n in (2, 10, 9)}
    (conflict,) = process.plan(heads).conflicts
    assert list(sides(conflict)) == ["/M@1:12.2", "/M@1:12.9", "/M@1:12.10"]
    assert conflict.winner == "/M@1:12.10"


def test_the_same_merge_is_the_same_snapshot(process: Branches) -> None:
    split = process.start(x=0, d={"p": 1})
    heads = {branch: process.write(split, branch, x=branch, d={"p": 1, branch: 1}) for branch in "cab"}
    merged = {
        process.joined({branch: heads[branch] for branch in order}, LAST_WRITE, at=50) for order in permutations(heads)
    }
    assert len(merged) == 1
