"""KNOWLEDGE: what several branches found is kept once."""

from __future__ import annotations

from typing import Any

import pytest

from governance.merging.knowledge import combined
from governance.merging.paths import DELETED
from governance.merging.rules import MergeRules
from governance.snapshots.metadata import meta
from governance.vocabulary import MergeStrategy
from tests.governance.merging.branches import Branches

ASK = MergeRules(default=MergeStrategy.HUMAN)


def first_words(one: str, other: str) -> float:
    """A similarity that is 0.95 for texts with the same first word, and at the limit for those with the same last."""
    if one.split()[0] == other.split()[0]:
        return 0.95
    return 0.9 if one.split()[-1] == other.split()[-1] else 0.0


@pytest.fixture
def process() -> Branches:
    return Branches(first_words)


def item(text: str, confidence: float, source: str | None = None) -> dict[str, Any]:
    return {"text": text, "confidence": confidence} | ({} if source is None else {"source": source})


def joined(process: Branches, a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    split = process.start(x=0)
    heads = {"a": process.write(split, "a", a, space="KNOWLEDGE"), "b": process.write(split, "b", b, space="KNOWLEDGE")}
    assert process.plan(heads, ASK).conflicts == ()
    return process.values(process.joined(heads, ASK), "KNOWLEDGE")


@pytest.mark.parametrize(
    ("sources", "confidence"),
    [
        ({"s": 0.7}, 0.7),
        ({"s": 1.0}, 1.0),
        ({"s": 0.8, "t": 0.7}, 0.94),
        ({"s": 0.5, "t": 0.5, "u": 0.5}, 0.875),
        ({"s": 0.95, "t": 0.95}, 0.99),
        ({"s": 1.0, "t": 0.5}, 1.0),
    ],
)
def test_independent_sources_confirm_each_other(sources: dict[str, float], confidence: float) -> None:
    assert combined(sources) == confidence


def test_items_that_say_the_same_become_the_surer_one(process: Branches) -> None:
    merged = joined(process, {"k1": item("fire exits", 0.7, "s")}, {"k2": item("fire doors", 0.8, "t")})
    assert merged == {"k2": item("fire doors", 0.94, "t")}


def test_the_same_source_twice_confirms_nothing(process: Branches) -> None:
    merged = joined(process, {"k1": item("fire exits", 0.7, "s")}, {"k2": item("fire doors", 0.8, "s")})
    assert merged == {"k2": item("fire doors", 0.8, "s")}


def test_items_without_a_source_are_not_taken_to_be_independent(process: Branches) -> None:
    assert joined(process, {"k1": item("fire a", 0.7)}, {"k2": item("fire b", 0.7)}) == {"k1": item("fire a", 0.7)}


def test_items_that_are_only_alike_both_stay(process: Branches) -> None:
    a, b = {"k1": item("old house", 0.7, "s")}, {"k2": item("new house", 0.8, "t")}
    assert joined(process, a, b) == {**a, **b}


def test_the_same_item_under_the_same_key_is_confirmed(process: Branches) -> None:
    merged = joined(process, {"k": item("fire exits", 0.8, "s")}, {"k": item("fire exits", 0.7, "t")})
    assert merged["k"]["confidence"] == 0.94
    same_source = joined(process, {"k": item("fire exits", 0.8, "s")}, {"k": item("fire exits", 0.7, "s")})
    assert same_source["k"]["confidence"] == 0.8


def test_a_branch_is_not_cleared_of_its_own_repetitions(process: Branches) -> None:
    a = {"k1": item("fire exits", 0.7, "s"), "k2": item("fire doors", 0.8, "t")}
    assert joined(process, a, {"k3": item("water", 0.8, "t")}) == {**a, "k3": item("water", 0.8, "t")}


def test_what_a_branch_lowered_stays_low(process: Branches) -> None:
    split = process.start(y=1)
    a = process.write(split, "a", {"k": item("fire exits", 0.9, "s")}, space="KNOWLEDGE")
    a = process.write(a, "a", {"k": item("fire exits", 0.8, "s")}, space="KNOWLEDGE")
    merged = process.joined({"a": a, "b": process.write(split, "b", x=1)})
    assert process.value_in(merged, "KNOWLEDGE", "k")["confidence"] == 0.8


def test_values_that_are_no_items_are_merged_as_any_other(process: Branches) -> None:
    assert joined(process, {"k": "plain", "l": 1}, {"k": "text", "m": [1]}) == {"k": "text", "l": 1, "m": [1]}


def test_a_removed_item_is_confirmed_by_nobody(process: Branches) -> None:
    split = process.start({"k": item("fire exits", 0.9, "s")}, space="KNOWLEDGE")
    a = process.write(split, "a", {"k": DELETED}, space="KNOWLEDGE")
    b = process.write(split, "b", {"l": item("fire doors", 0.5, "t")}, space="KNOWLEDGE")
    merged = process.joined({"a": a, "b": b})
    assert process.values(merged, "KNOWLEDGE") == {"l": item("fire doors", 0.5, "t")}


def test_the_new_confidence_is_in_the_metadata_too_and_the_record_tells(process: Branches) -> None:
    split = process.start(x=0)
    a = process.write(split, "a", {"k1": item("fire exits", 0.7, "s")}, space="KNOWLEDGE", confidence=0.7)
    b = process.write(split, "b", {"k2": item("fire doors", 0.8, "t")}, space="KNOWLEDGE", confidence=0.8)
    result = process.merge({"a": a, "b": b})
    assert result.record["confirmed"] == [{"key": "KNOWLEDGE/k2", "dropped": ["KNOWLEDGE/k1"], "confidence": 0.94}]
    kept = process.graph.contents(result.snapshot).item("KNOWLEDGE/k2")
    assert kept is not None
    known = meta(process.graph.values, kept.meta)
    assert (known.confidence, known.branch) == (0.94, "b")


def test_by_default_texts_are_compared_by_their_words() -> None:
    process = Branches()
    text = "the insurer pays the whole amount of the damage within thirty days of the claim"
    assert list(joined(process, {"k1": item(text, 0.7, "s")}, {"k2": item(text, 0.6, "t")})) == ["k1"]
