"""Merging is associative over branches, and reducers agree with a direct fold, on random snapshot graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from governance.merging.paths import DELETED, identical
from governance.merging.rules import MergeRules
from governance.vocabulary import MergeStrategy
from tests.governance.merging.oracle import Oracle
from tests.governance.merging.random_graphs import (
    Change,
    RandomGraph,
    a_list_of_items,
    a_number,
    a_number_or_nothing,
    an_object,
)

SEEDS = range(500)
REGROUPINGS = 3


def growing(random: Random, before: Any) -> Any:
    """A list that only grows; hardly any item comes twice."""
    return [*([] if before is DELETED else before), *(random.randrange(10**9) for _ in range(random.randint(1, 2)))]


def growing_items(random: Random, before: Any) -> Any:
    """A list of items that are added, changed and put in another order, never removed."""
    items = [] if before is DELETED else before
    if not items or random.random() < 0.5:
        return [*items, {"id": random.randrange(10**9), "n": 0}]
    items[random.randrange(len(items))][random.choice("nm")] = random.randint(0, 9)
    if random.random() < 0.1:
        random.shuffle(items)
    return items


def rules(strategy: MergeStrategy) -> MergeRules:
    return MergeRules(default=strategy)


def grown(changes: Mapping[str, Change], strategy: MergeStrategy) -> Iterator[RandomGraph]:
    for seed in SEEDS:
        graph = RandomGraph(seed, changes, rules(strategy))
        if len(set(graph.heads.values())) > 2:
            yield graph


def regrouped(graph: RandomGraph) -> str:
    """Merge the heads two or three at a time, in a random order, until one is left."""
    parts = list(graph.heads.items())
    while len(parts) > 1:
        graph.random.shuffle(parts)
        size = graph.random.randint(2, 3)
        group, parts = dict(parts[:size]), parts[size:]
        parts.append((min(group), graph.merge(group)))
    return parts[0][1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "strategy"),
    [
        ({"n": a_number, "m": a_number_or_nothing}, MergeStrategy.LAST_WRITE),
        ({"o": an_object, "m": a_number_or_nothing}, MergeStrategy.LAST_WRITE),
        ({"l": growing_items, "n": a_number}, MergeStrategy.LAST_WRITE),
        ({"n": a_number, "m": a_number_or_nothing}, MergeStrategy.HIGHEST_CONFIDENCE),
        ({"n": a_number, "m": a_number}, MergeStrategy.SUM),
        ({"l": growing, "k": growing}, MergeStrategy.APPEND),
        ({"l": growing, "k": growing}, MergeStrategy.UNION),
        ({"n": a_number, "m": a_number}, MergeStrategy.MIN),
        ({"n": a_number, "m": a_number}, MergeStrategy.MAX),
    ],
    ids=lambda value: "+".join(change.__name__ for change in value.values()) if isinstance(value, dict) else str(value),
)
def test_any_grouping_of_branches_gives_the_same_values(changes: Mapping[str, Change], strategy: MergeStrategy) -> None:
    compared = 0
    for graph in grown(changes, strategy):
        branches = graph.branches
        at_once = branches.values(graph.merge(graph.heads))
        for _ in range(REGROUPINGS):
            assert identical(branches.values(regrouped(graph)), at_once)
            compared += 1
    assert compared > 600


@pytest.mark.slow
def test_removed_items_are_the_same_in_any_grouping_wherever_they_stand() -> None:
    """An item that one branch removed and another changed may come back to another place, and no more than that."""
    for graph in grown({"l": a_list_of_items, "o": an_object}, MergeStrategy.LAST_WRITE):
        at_once = _by_id(graph.branches.values(graph.merge(graph.heads)))
        for _ in range(REGROUPINGS):
            assert identical(_by_id(graph.branches.values(regrouped(graph))), at_once)


def _by_id(values: dict[str, Any]) -> dict[str, Any]:
    items = values.get("l", [])
    return {**values, "l": {item["id"]: item for item in items} if isinstance(items, list) else items}


@pytest.mark.slow
def test_sum_is_the_sum_of_all_increments() -> None:
    for graph in grown({"n": a_number, "m": a_number}, MergeStrategy.SUM):
        oracle = Oracle(graph.branches.graph, graph.heads.values())
        merged = graph.branches.values(graph.merge(graph.heads))
        assert merged == {name: oracle.increments(f"WORKING/{name}") for name in "mn"}


@pytest.mark.slow
def test_append_has_everything_that_was_appended_once() -> None:
    for graph in grown({"l": growing}, MergeStrategy.APPEND):
        oracle = Oracle(graph.branches.graph, graph.heads.values())
        merged = graph.branches.value(graph.merge(graph.heads), "l")
        assert sorted(merged) == sorted(oracle.appended("WORKING/l"))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [MergeStrategy.MIN, MergeStrategy.MAX, MergeStrategy.UNION])
def test_the_others_fold_what_nobody_overwrote(strategy: MergeStrategy) -> None:
    is_union = strategy is MergeStrategy.UNION
    for graph in grown({"v": growing if is_union else a_number}, strategy):
        standing = Oracle(graph.branches.graph, graph.heads.values()).standing("WORKING/v")
        merged = graph.branches.value(graph.merge(graph.heads), "v")
        if is_union:
            assert sorted(merged) == sorted(set().union(*standing))
        else:
            assert merged == (min if strategy is MergeStrategy.MIN else max)(standing)
