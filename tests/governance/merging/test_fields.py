"""Objects field by field, lists of objects item by item."""

from __future__ import annotations

from typing import Any

import pytest

from governance.merging.paths import DELETED
from governance.merging.rules import MergeRules
from governance.vocabulary import MergeStrategy
from tests.governance.merging.branches import Branches, conflicting, sides


@pytest.fixture
def process() -> Branches:
    return Branches()


def two(process: Branches, before: Any, a: Any, b: Any) -> dict[str, str]:
    split = process.start(v=before)
    return {"a": process.write(split, "a", v=a), "b": process.write(split, "b", v=b)}


def merged(process: Branches, heads: dict[str, str]) -> Any:
    return process.values(process.joined(heads)).get("v", DELETED)


def test_different_fields_do_not_conflict(process: Branches) -> None:
    heads = two(process, {"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2})
    assert process.plan(heads).conflicts == ()
    assert merged(process, heads) == {"a": 2, "b": 2}


def test_fields_deep_inside_are_merged_too(process: Branches) -> None:
    before = {"k": {"m": {"p": 1, "q": 1}, "n": 1}}
    heads = two(process, before, {"k": {"m": {"p": 2, "q": 1}, "n": 1}}, {"k": {"m": {"p": 1, "q": 1}, "n": 2}})
    assert merged(process, heads) == {"k": {"m": {"p": 2, "q": 1}, "n": 2}}


def test_a_field_added_and_a_field_removed(process: Branches) -> None:
    heads = two(process, {"a": 1, "b": 1}, {"a": 1}, {"a": 1, "b": 1, "c": 1})
    assert merged(process, heads) == {"a": 1, "c": 1}


def test_the_same_field_conflicts_and_the_others_do_not(process: Branches) -> None:
    heads = two(process, {"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1}, {"a": 3, "b": 1, "c": 3})
    (conflict,) = process.plan(heads).conflicts
    assert (conflict.key, conflict.path, conflict.id) == ("WORKING/v", "/a", "WORKING/v#/a")
    assert (conflict.base, sides(conflict)) == (1, {"a": 2, "b": 3})
    assert merged(process, heads) == {"a": 3, "b": 2, "c": 3}


def test_each_field_has_its_own_last_writer(process: Branches) -> None:
    split = process.start(v={"p": 0, "q": 0})
    a = process.write(process.write(split, "a", v={"p": 1, "q": 0}, at=2), "a", v={"p": 1, "q": 1}, at=5)
    b = process.write(process.write(split, "b", v={"p": 0, "q": 2}, at=3), "b", v={"p": 2, "q": 2}, at=4)
    assert process.value(process.joined({"a": a, "b": b}, at=9), "v") == {"p": 2, "q": 1}


def test_a_later_write_of_the_whole_overwrites_the_fields_that_it_saw(process: Branches) -> None:
    split = process.start(v={"p": 0, "q": 0})
    a = process.write(split, "a", v={"p": 1, "q": 0})
    a1, a2 = process.write(a, "a1", v="done"), process.write(a, "a2", w=1)
    c = process.write(split, "c", u=1)
    plan = process.plan({"a1": a1, "a2": a2, "c": c})
    assert plan.conflicts == ()
    assert process.value(process.joined({"a1": a1, "a2": a2, "c": c}), "v") == "done"


def test_a_later_field_stands_on_the_whole_that_it_saw(process: Branches) -> None:
    split = process.start(x=0)
    a = process.write(split, "a", v={"p": 1, "q": 1})
    a1, a2 = process.write(a, "a1", v={"p": 2, "q": 1}), process.write(a, "a2", v={"p": 1, "q": 3})
    c = process.write(split, "c", x=1)
    plan = process.plan({"a1": a1, "a2": a2, "c": c})
    assert plan.conflicts == ()
    assert process.value(process.joined({"a1": a1, "a2": a2, "c": c}), "v") == {"p": 2, "q": 3}


def test_the_key_deleted_against_a_field_is_a_conflict_about_the_whole(process: Branches) -> None:
    split = process.start(v={"p": 1, "q": 1})
    deleted = process.write(split, "a", v=DELETED)
    changed = process.write(split, "b", v={"p": 2, "q": 1})
    (conflict,) = process.plan({"a": deleted, "b": changed}).conflicts
    assert (conflict.path, sides(conflict)) == (None, {"a": DELETED, "b": {"p": 2, "q": 1}})
    assert process.value(process.joined({"a": deleted, "b": changed}), "v") == {"p": 2, "q": 1}
    deleted_later = process.write(split, "a", v=DELETED, at=90)
    assert process.values(process.joined({"a": deleted_later, "b": changed}, at=91)) == {}


def test_an_object_replaced_against_a_field_inside_it(process: Branches) -> None:
    heads = two(process, {"k": {"m": 1, "n": 1}, "z": 0}, {"k": "gone", "z": 0}, {"k": {"m": 2, "n": 1}, "z": 1})
    (conflict,) = process.plan(heads).conflicts
    assert (conflict.path, sides(conflict)) == ("/k", {"a": "gone", "b": {"m": 2, "n": 1}})
    assert merged(process, heads) == {"k": {"m": 2, "n": 1}, "z": 1}


def test_a_contested_place_is_taken_whole_as_its_winner_left_it(process: Branches) -> None:
    split = process.start(v={"k": {"m": 1, "n": 1}})
    heads = {
        "a": process.write(split, "a", v={"k": 0}),
        "b": process.write(split, "b", v={"k": {"m": 2, "n": 1}}),
        "c": process.write(split, "c", v={"k": {"m": 1, "n": 3}}),
    }
    (conflict,) = process.plan(heads).conflicts
    assert sides(conflict) == {"a": 0, "b": {"m": 2, "n": 1}, "c": {"m": 1, "n": 3}}
    assert merged(process, heads) == {"k": {"m": 1, "n": 3}}


def test_an_older_write_of_a_branch_is_not_offered_beside_its_newer_one(process: Branches) -> None:
    split = process.start(v={"m": 1, "n": 1})
    a = process.write(process.write(split, "a", v={"m": 2, "n": 1}), "a", v={"m": 2, "n": 2})
    b = process.write(split, "b", v=DELETED)
    (conflict,) = process.plan({"a": a, "b": b}).conflicts
    assert [(value.branch, value.value) for value in conflict.values] == [("a", {"m": 2, "n": 2}), ("b", DELETED)]


def test_a_list_of_plain_values_is_one_value(process: Branches) -> None:
    heads = two(process, [1, 2, 3], [1], [1, 2, 3, 4])
    assert conflicting(process.plan(heads)) == ["WORKING/v"]


def test_a_list_may_shrink_when_nobody_else_wrote_it(process: Branches) -> None:
    split = process.start(v=[1, 2, 3])
    heads = {"a": process.write(split, "a", v=[1]), "b": process.write(split, "b", y=1)}
    assert merged(process, heads) == [1]


def lines(**quantities: int) -> list[dict[str, Any]]:
    return [{"id": name, "qty": quantity} for name, quantity in quantities.items()]


def test_items_are_merged_by_their_ids(process: Branches) -> None:
    heads = two(process, lines(a=1, b=1, c=1), lines(a=2, b=1, c=1, d=4), lines(a=1, c=3, e=5))
    assert process.plan(heads).conflicts == ()
    assert merged(process, heads) == lines(a=2, c=3, d=4, e=5)


def test_new_items_come_in_the_order_in_which_they_were_added(process: Branches) -> None:
    split = process.start(v=lines(a=1))
    z = process.write(process.write(split, "z", v=lines(a=1, p=1)), "z", v=lines(a=1, p=1, q=1), at=9)
    y = process.write(split, "y", v=lines(a=1, r=1), at=5)
    assert [item["id"] for item in process.value(process.joined({"z": z, "y": y}, at=10), "v")] == ["a", "p", "r", "q"]


@pytest.mark.parametrize("added", [("z", "a"), ("a", "z"), ("m", "z", "a", "0")])
@pytest.mark.parametrize("place", ["", "lines"])
def test_items_that_one_write_added_stay_as_it_put_them(process: Branches, added: tuple[str, ...], place: str) -> None:
    def holding(*names: str, **changed: int) -> Any:
        items = [{"id": name, "qty": changed.get(name, 1)} for name in names]
        return {place: items} if place else items

    heads = two(process, holding("k"), holding("k", *added), holding("k", k=5))
    assert merged(process, heads) == holding("k", *added, k=5)
    process.tick = 0
    split = process.start(v=holding("k"))
    a = process.write(process.write(split, "a", v=holding("k", *added)), "a", v=holding("k", *added, **{added[0]: 7}))
    b = process.write(split, "b", v=holding("k", "n"), at=90)
    expected = holding("k", *added, "n", **{added[0]: 7})
    assert process.value(process.joined({"a": a, "b": b}, at=91), "v") == expected


def test_a_new_item_keeps_its_place_when_a_later_change_of_it_is_contested(process: Branches) -> None:
    """a adds p and splits: a1 removes it, a2 changes it last of all; c has added r in between."""
    split = process.start(v=lines(z=1))
    a = process.write(split, "a", v=lines(z=1, p=1), at=2)
    a1, a2 = process.write(a, "a1", v=lines(z=1), at=3), process.write(a, "a2", v=lines(z=1, p=2), at=9)
    c = process.write(split, "c", v=lines(z=1, r=1), at=5)
    merged = process.joined({"a1": a1, "a2": a2, "c": c}, at=10)
    assert process.value(merged, "v") == lines(z=1, p=2, r=1)


def test_the_same_new_item_twice_is_a_conflict_about_that_item(process: Branches) -> None:
    heads = two(process, [], lines(a=1), lines(a=2))
    (conflict,) = process.plan(heads).conflicts
    assert conflict.path == '/[id="a"]'
    assert merged(process, heads) == lines(a=2)


def test_an_item_removed_against_a_field_of_it(process: Branches) -> None:
    heads = two(process, lines(a=1, b=1, c=1), lines(a=1, c=1), lines(a=1, b=5, c=1))
    (conflict,) = process.plan(heads).conflicts
    assert (conflict.path, conflict.winner) == ('/[id="b"]', "b")
    assert merged(process, heads) == lines(a=1, b=5, c=1)


def test_a_new_order_of_items_is_a_write_of_the_list(process: Branches) -> None:
    heads = two(process, lines(a=1, b=1), lines(b=1, a=1), lines(a=1, b=2))
    assert conflicting(process.plan(heads)) == ["WORKING/v"]


def test_a_resolved_field_is_settled_and_the_others_still_count(process: Branches) -> None:
    """The inner join settles p and carries q; q is still a's own write for the outer join."""
    split = process.start(v={"p": 0, "q": 0})
    a, b = process.write(split, "a", v={"p": 1, "q": 1}), process.write(split, "b", v={"p": 2, "q": 0})
    inner = process.graph.get(process.joined({"a": a, "b": b}, branch="ab"))
    assert inner.writes["WORKING/v"].paths == ("/p",)
    c = process.write(split, "c", v={"p": 0, "q": 3})
    (conflict,) = process.plan({"ab": inner.id, "c": c}).conflicts
    assert (conflict.path, sides(conflict)) == ("/q", {"a": 1, "c": 3})
    assert process.value(process.joined({"ab": inner.id, "c": c}), "v") == {"p": 2, "q": 3}


def test_a_name_that_looks_like_a_key_and_a_path_is_a_place_of_its_own(process: Branches) -> None:
    split = process.start({"WORKING/v": {"p": 0}, "WORKING/v#/p": 0})
    heads = {
        branch: process.write(split, branch, {"WORKING/v": {"p": value}, "WORKING/v#/p": value})
        for branch, value in (("a", 1), ("b", 2))
    }
    assert sorted(conflicting(process.plan(heads))) == ["WORKING/v##/p", "WORKING/v#/p"]


def test_a_strategy_may_name_a_field(process: Branches) -> None:
    rules = MergeRules(keys={"v": MergeStrategy.LAST_WRITE, "v/count": MergeStrategy.SUM})
    heads = two(process, {"count": 10, "who": ""}, {"count": 11, "who": "a"}, {"count": 15, "who": "b"})
    assert process.value(process.joined(heads, rules), "v") == {"count": 16, "who": "b"}
