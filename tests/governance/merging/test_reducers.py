"""Reducers: SUM, APPEND, UNION, MIN and MAX."""

from __future__ import annotations

from typing import Any

import pytest

from governance.merging.conflicts import Status
from governance.merging.merge import Answer
from governance.merging.originals import Step
from governance.merging.paths import DELETED
from governance.merging.reducers import CannotFold, add_up, fold
from governance.vocabulary import MergeStrategy
from tests.governance.merging.branches import Branches, by

SUM, APPEND, UNION = MergeStrategy.SUM, MergeStrategy.APPEND, MergeStrategy.UNION
MIN, MAX = MergeStrategy.MIN, MergeStrategy.MAX


@pytest.fixture
def process() -> Branches:
    return Branches()


def split_three(process: Branches, before: Any, *values: Any) -> dict[str, str]:
    split = process.start(v=before)
    return {branch: process.write(split, branch, v=value) for branch, value in zip("abc", values, strict=False)}


@pytest.mark.parametrize(
    ("strategy", "before", "values", "outcome"),
    [
        (SUM, 10, (11, 15), 16),
        (SUM, 10, (11, 11), 12),
        (SUM, 10, (11, 9, 13), 13),
        (SUM, 0.1, (0.3, 0.4), 0.6),
        (SUM, 1, (1.5, 2), 2.5),
        (SUM, None, (2, 3), 5),
        (SUM, 10**30, (10**30 + 1, 10**30 + 2), 10**30 + 3),
        (APPEND, [1], ([1, 2], [1, 3]), [1, 2, 3]),
        (APPEND, [1], ([1, 2], [1, 2]), [1, 2, 2]),
        (APPEND, [], (["a", "b"], ["c"], ["d"]), ["a", "b", "c", "d"]),
        (UNION, [1], ([1, 2], [1, 3, 2]), [1, 2, 3]),
        (UNION, [1, 2], ([2], [1, 2, 3]), [2, 1, 3]),
        (UNION, [], ([1], [1.0], [True]), [1, 1.0, True]),
        (MIN, 10, (20, 30), 20),
        (MIN, 10, (7, 3, 5), 3),
        (MAX, 10, (7, 3), 7),
        (MAX, "", ("2026-01-02", "2026-01-10"), "2026-01-10"),
    ],
)
def test_what_branches_wrote_is_folded(
    process: Branches, strategy: MergeStrategy, before: Any, values: tuple[Any, ...], outcome: Any
) -> None:
    heads = split_three(process, before, *values)
    merged = process.value(process.joined(heads, by(v=strategy)), "v")
    assert merged == outcome
    assert type(merged) is type(outcome)


@pytest.mark.parametrize(
    ("strategy", "before", "value"),
    [(SUM, 10, 12), (APPEND, [1], [1, 2]), (APPEND, [1, 2], [2]), (UNION, [1, 2], [2, 3]), (MIN, 5, 9), (MAX, 5, 1)],
)
def test_with_a_single_writer_the_outcome_is_what_it_wrote(
    process: Branches, strategy: MergeStrategy, before: Any, value: Any
) -> None:
    split = process.start(v=before)
    heads = {"a": process.write(split, "a", v=value), "b": process.write(split, "b", y=1)}
    assert process.plan(heads, by(v=strategy)).conflicts == ()
    assert process.value(process.joined(heads, by(v=strategy)), "v") == value


def test_every_write_counts_once_as_its_increment_over_what_its_writer_saw(process: Branches) -> None:
    split = process.start(n=10, log=["start"])
    a = process.write(split, "a", n=11, log=["start", "a1"], at=2)
    a = process.write(a, "a", n=14, log=["start", "a1", "a2"], at=6)
    b = process.write(split, "b", n=11, log=["start", "b1"], at=4)
    merged = process.joined({"a": a, "b": b}, by(n=SUM, log=APPEND), at=9)
    assert process.values(merged) == {"n": 15, "log": ["start", "a1", "b1", "a2"]}


def test_an_inner_join_adds_nothing_of_its_own(process: Branches) -> None:
    rules = by(n=SUM, log=APPEND)
    outer = process.start(n=0, log=[])
    a = process.write(outer, "a", n=1, log=["a"])
    a1, a2 = process.write(a, "a1", n=11, log=["a", "a1"]), process.write(a, "a2", n=101, log=["a", "a2"])
    c = process.write(outer, "c", n=1000, log=["c"])
    inner = process.joined({"a1": a1, "a2": a2}, rules, branch="a")
    assert process.values(inner) == {"n": 111, "log": ["a", "a1", "a2"]}
    inner = process.write(inner, "a", n=112, log=["a", "a1", "a2", "a3"])
    merged = process.joined({"a": inner, "c": c}, rules)
    assert process.values(merged) == {"n": 1112, "log": ["a", "a1", "a2", "c", "a3"]}


def test_what_two_joins_folded_is_counted_once(process: Branches) -> None:
    """A criss-cross: both joins have the increments of a and b."""
    rules = by(n=SUM, log=APPEND, low=MIN)
    split = process.start(n=0, log=[], low=9)
    a, b = process.write(split, "a", n=1, log=["a"], low=5), process.write(split, "b", n=10, log=["b"], low=6)
    one = process.write(process.joined({"a": a, "b": b}, rules, branch="j1"), "k1", n=111, log=["a", "b", "k1"])
    other = process.write(process.joined({"a": a, "b": b}, rules, branch="j2"), "k2", n=1011, log=["a", "b", "k2"])
    merged = process.joined({"k1": one, "k2": other}, rules)
    assert process.values(merged) == {"n": 1111, "log": ["a", "b", "k1", "k2"], "low": 5}


def test_a_criss_cross_folds_on_what_its_bases_come_to(process: Branches) -> None:
    """Only a wrote n before the joins, so nothing was folded there; the newer base does not know it."""
    rules = by(n=SUM)
    split = process.start(n=0, y=0)
    a, b = process.write(split, "a", n=1), process.write(process.write(split, "b", y=1), "b", y=2)
    one = process.write(process.joined({"a": a, "b": b}, rules, branch="j1"), "k1", n=11)
    other = process.write(process.joined({"a": a, "b": b}, rules, branch="j2"), "k2", n=101)
    assert process.value(process.joined({"k1": one, "k2": other}, rules), "n") == 111


@pytest.mark.parametrize("answer", [Answer.take("a2"), Answer.value(15)])
def test_what_a_person_decided_at_a_join_counts_instead_of_what_it_saw(process: Branches, answer: Answer) -> None:
    outer = process.start(n=10, log=[])
    a1, a2 = process.write(outer, "a1", n=11), process.write(outer, "a2", n=15)
    inner = process.joined({"a1": a1, "a2": a2}, by(n=MergeStrategy.HUMAN), answers={"n": answer}, branch="a")
    inner = process.write(inner, "a", n=16)
    c = process.write(outer, "c", n=110)
    assert process.value(process.joined({"a": inner, "c": c}, by(n=SUM)), "n") == 116


def test_what_another_rule_preferred_at_a_join_is_seen_through(process: Branches) -> None:
    """The inner join took the last write; the outer one adds up, so that the other increment counts again."""
    outer = process.start(n=10)
    a1, a2 = process.write(outer, "a1", n=11), process.write(outer, "a2", n=15)
    inner = process.joined({"a1": a1, "a2": a2}, branch="a")
    c = process.write(outer, "c", n=110)
    assert process.value(process.joined({"a": inner, "c": c}, by(n=SUM)), "n") == 116


def test_the_second_round_of_a_loop_folds_its_own_writes(process: Branches) -> None:
    at = process.start(n=0, log=[])
    for step in (1, 2, 3):
        before = process.values(at)
        heads = {
            branch: process.write(at, branch, n=before["n"] + step, log=[*before["log"], f"{branch}{step}"])
            for branch in "ab"
        }
        at = process.joined(heads, by(n=SUM, log=APPEND))
    assert process.values(at) == {"n": 12, "log": ["a1", "b1", "a2", "b2", "a3", "b3"]}


def test_a_value_that_was_overwritten_is_no_minimum(process: Branches) -> None:
    split = process.start(v=0)
    a = process.write(process.write(split, "a", v=1), "a", v=8)
    b = process.write(split, "b", v=9)
    assert process.value(process.joined({"a": a, "b": b}, by(v=MIN)), "v") == 8


@pytest.mark.parametrize("cut", [[], [2], [1, 9, 2], [9, 1, 2]])
def test_a_list_that_a_branch_cut_is_a_conflict_for_a_person(process: Branches, cut: list[int]) -> None:
    heads = split_three(process, [1, 2], cut, [1, 2, 3])
    (conflict,) = process.plan(heads, by(v=APPEND)).open
    assert (conflict.strategy, conflict.status) == (APPEND, Status.OPEN)
    assert conflict.reason == "a branch changed or cut what was in the list"


@pytest.mark.parametrize("strategy", [SUM, APPEND, UNION, MIN, MAX])
def test_removed_against_written_is_a_conflict_for_a_person(process: Branches, strategy: MergeStrategy) -> None:
    for nothing in (DELETED, None):
        heads = split_three(process, [1] if strategy in (APPEND, UNION) else 1, nothing, 5)
        assert [conflict.status for conflict in process.plan(heads, by(v=strategy)).conflicts] == [Status.OPEN]


@pytest.mark.parametrize("strategy", [SUM, APPEND, UNION, MIN, MAX])
def test_removed_in_all_branches_is_an_agreement(process: Branches, strategy: MergeStrategy) -> None:
    heads = split_three(process, 1, DELETED, DELETED)
    assert process.values(process.joined(heads, by(v=strategy))) == {}


@pytest.mark.parametrize(
    ("strategy", "values", "reason"),
    [
        (SUM, ("a", "b"), "SUM needs numbers and found text"),
        (SUM, (1, True), "SUM needs numbers and found a truth value"),
        (SUM, (1e308, 1.1e308), "the sum is too large for a number"),
        (APPEND, ("a", ["b"]), "APPEND and UNION need lists and found text"),
        (UNION, ({"a": 1}, ["b"]), "APPEND and UNION need lists and found an object"),
        (MIN, (1, "b"), "MIN and MAX need numbers, or texts, and found a number, text"),
        (MAX, ([1], [2]), "MIN and MAX need numbers, or texts, and found a list"),
    ],
)
def test_values_that_a_reducer_cannot_fold_are_denied(
    process: Branches, strategy: MergeStrategy, values: tuple[Any, ...], reason: str
) -> None:
    heads = split_three(process, DELETED, *values)
    (conflict,) = process.plan(heads, by(v=strategy)).denied
    assert conflict.reason == reason


def test_a_reducer_works_field_by_field(process: Branches) -> None:
    heads = split_three(process, {"a": 1, "b": 1}, {"a": 3, "b": 1}, {"a": 6, "b": 2})
    assert process.value(process.joined(heads, by(v=SUM)), "v") == {"a": 8, "b": 2}


def test_append_leaves_items_with_ids_to_the_merge_by_items(process: Branches) -> None:
    one, two, three = ({"id": number} for number in (1, 2, 3))
    heads = split_three(process, [one], [one, two], [one, three])
    assert process.value(process.joined(heads, by(v=APPEND)), "v") == [one, two, three]


def test_append_does_not_say_what_becomes_of_a_contested_item(process: Branches) -> None:
    heads = split_three(process, [{"id": 1, "n": 0}], [{"id": 1, "n": 1}], [{"id": 1, "n": 2}])
    (conflict,) = process.plan(heads, by(v=APPEND)).open
    assert (conflict.path, conflict.reason) == ("/[id=1]/n", "APPEND governs the list, not what is inside an item")


def test_increments_are_exact_whatever_their_order() -> None:
    steps = [Step(0.0, 0.1), Step(0.0, 0.2), Step(0.0, 1e17), Step(1e17, 0.0)]
    assert add_up(SUM, 0.0, steps) == add_up(SUM, 0.0, steps[::-1]) == 0.3


def test_a_fold_keeps_the_values_it_is_given_as_they_are() -> None:
    assert repr(fold(MIN, [1.0, 1])) == "1.0"
    assert fold(MAX, [1, None, 0]) == 1
    for nothing in ([], [None], [DELETED]):
        with pytest.raises(CannotFold, match="found nothing"):
            fold(MAX, nothing)


def test_the_conflict_says_what_was_folded(process: Branches) -> None:
    heads = split_three(process, 10, 11, 11)
    (conflict,) = process.plan(heads, by(v=SUM)).conflicts
    assert (conflict.status, conflict.winner, conflict.value, conflict.base) == (Status.SETTLED, None, 12, 10)
    assert "WORKING/v" not in process.graph.get(process.joined(heads, by(v=SUM))).meta.won
