"""What is shown after a merge."""

from __future__ import annotations

import pytest

from governance.merging.rules import MergeRules
from governance.snapshots.model import Item, Shown
from governance.vocabulary import Fidelity, MergeStrategy
from tests.governance.merging.branches import Branches, by

KEY = "WORKING/x"


@pytest.fixture
def process() -> Branches:
    return Branches()


def lowered(process: Branches, parent: str, branch: str, fidelity: Fidelity, text: str, key: str = KEY) -> str:
    shown = Shown(fidelity, process.graph.values.put(text))
    return process.write(parent, branch, shown={key: shown}, kind="D1")


def after(process: Branches, heads: dict[str, str], rules: MergeRules | None = None) -> tuple[Fidelity, str | None]:
    merged = process.joined(heads, rules or MergeRules())
    item = process.graph.contents(merged).item(KEY)
    assert item is not None
    return shown_of(process, item)


def shown_of(process: Branches, item: Item) -> tuple[Fidelity, str | None]:
    return item.fidelity, None if item.text is None else process.graph.values.get(item.text)


def test_the_highest_fidelity_of_the_branches_is_shown(process: Branches) -> None:
    split = process.start(x="long")
    a = lowered(process, process.write(split, "a", a=1), "a", Fidelity.KEY_ONLY, "x..")
    b = lowered(process, process.write(split, "b", b=1), "b", Fidelity.SUMMARY, "lo")
    c = process.write(split, "c", c=1)
    assert after(process, {"a": a, "b": b}) == (Fidelity.SUMMARY, "lo")
    assert after(process, {"b": b, "a": process.write(a, "a", a=2)}) == (Fidelity.SUMMARY, "lo")
    assert after(process, {"a": a, "c": c}) == (Fidelity.FULL, None)


def test_of_equal_fidelities_the_first_branch_has_the_text(process: Branches) -> None:
    split = process.start(x="long")
    a = lowered(process, process.write(split, "a", a=1), "a", Fidelity.SUMMARY, "by a")
    b = lowered(process, process.write(process.write(split, "b", b=1), "b", b=2), "b", Fidelity.SUMMARY, "by b")
    assert after(process, {"b": b, "a": a}) == (Fidelity.SUMMARY, "by a")


def test_a_branch_shows_only_its_own_value(process: Branches) -> None:
    """a wrote x and lowered it; b still has the old value in full, which says nothing of the new one."""
    split = process.start(x="old")
    a = lowered(process, process.write(split, "a", x="new"), "a", Fidelity.SUMMARY, "ne")
    b = process.write(process.write(split, "b", b=1), "b", b=2)
    assert after(process, {"a": a, "b": b}) == (Fidelity.SUMMARY, "ne")


def test_a_value_that_is_put_together_is_shown_in_full(process: Branches) -> None:
    split = process.start(x={"p": 0, "q": 0})
    a = lowered(process, process.write(split, "a", x={"p": 1, "q": 0}), "a", Fidelity.SUMMARY, "p")
    b = lowered(process, process.write(split, "b", x={"p": 0, "q": 1}), "b", Fidelity.SUMMARY, "q")
    assert after(process, {"a": a, "b": b}) == (Fidelity.FULL, None)


def test_a_resolution_is_shown_as_its_branch_showed_it(process: Branches) -> None:
    split = process.start(x="old")
    a = lowered(process, process.write(split, "a", x="one"), "a", Fidelity.ARCHIVED, "")
    b = lowered(process, process.write(split, "b", x="two"), "b", Fidelity.SUMMARY, "tw")
    assert after(process, {"a": a, "b": b}, by(x=MergeStrategy.LAST_WRITE)) == (Fidelity.SUMMARY, "tw")


def test_a_branch_that_did_nothing_does_not_undo_what_another_lowered(process: Branches) -> None:
    split = process.start(x="long")
    a = lowered(process, process.write(split, "a", a=1), "a", Fidelity.SUMMARY, "lo")
    assert process.plan({"a": a, "b": split}).fast_forward == a


def test_nor_does_it_when_others_are_merged_too(process: Branches) -> None:
    split = process.start(x="long")
    a = lowered(process, process.write(split, "a", a=1), "a", Fidelity.SUMMARY, "lo")
    b = lowered(process, process.write(split, "b", b=1), "b", Fidelity.KEY_ONLY, "l.")
    before_a = process.graph.get(a).parents[0]
    assert after(process, {"a": a, "b": b, "c": before_a}) == (Fidelity.SUMMARY, "lo")


def test_what_a_split_hid_comes_back_as_it_was(process: Branches) -> None:
    start = process.start(x="long", y="other", z="third")
    split = lowered(process, start, "", Fidelity.SUMMARY, "lo")
    hidden = {f"WORKING/{name}": Shown(Fidelity.ARCHIVED) for name in "xyz"}
    a = process.write(split, "a", shown=hidden, kind="D2")
    b = process.write(split, "b", shown=hidden, kind="D2")
    merged = process.joined({"a": process.write(a, "a", {"z": "new", "a": 1}), "b": b})
    contents = process.graph.contents(merged)
    items = {name: contents.item(f"WORKING/{name}") for name in "xyz"}
    assert {name: item and shown_of(process, item) for name, item in items.items()} == {
        "x": (Fidelity.SUMMARY, "lo"),
        "y": (Fidelity.FULL, None),
        "z": (Fidelity.FULL, None),
    }


def test_an_entry_taken_over_is_shown_as_its_branch_showed_it(process: Branches) -> None:
    key = "HISTORY/b@2:t"
    split = process.start(x=0)
    a = process.write(process.write(split, "a", a=1), "a", a=2)
    b = lowered(process, process.write(split, "b", {key: {"activity": "t"}}), "b", Fidelity.SUMMARY, "t", key)
    item = process.graph.contents(process.joined({"a": a, "b": b})).item(key)
    assert item is not None
    assert shown_of(process, item) == (Fidelity.SUMMARY, "t")
