"""Random snapshot graphs against brute force: which writes survive, which bases there are, what conflicts."""

from __future__ import annotations

import pytest

from governance.merging.paths import changed_paths
from governance.merging.plan import MergePlan
from governance.merging.survivors import Survivor
from governance.merging.survivors import survivors as survivors_among
from tests.governance.merging.oracle import Oracle
from tests.governance.merging.random_graphs import (
    RandomGraph,
    a_list_of_items,
    a_number,
    a_number_or_nothing,
    an_object,
)

GRAPHS = 2500
CHANGES = {"n": a_number, "m": a_number_or_nothing, "o": an_object, "l": a_list_of_items}


def survivors_of(plan: MergePlan) -> dict[str, list[Survivor]]:
    """What survives of every key, those included that need no looking at."""
    return survivors_among(plan.evidence.divergence.commits, plan.evidence.written)


@pytest.mark.slow
def test_thousands_of_random_graphs_agree_with_brute_force() -> None:
    graphs = criss_crosses = conflicting = 0
    for seed in range(GRAPHS):
        grown = RandomGraph(seed, CHANGES)
        if len(set(grown.heads.values())) < 2:
            continue
        graphs += 1
        plan = grown.branches.plan(grown.heads)
        oracle = Oracle(grown.branches.graph, grown.heads.values())
        survivors = {
            (survivor.commit, key, survivor.path)
            for key, found in survivors_of(plan).items()
            for survivor in found
        }
        assert survivors == oracle.survivors(), f"seed {seed}"
        assert set(plan.bases) == oracle.bases(), f"seed {seed}"
        contested = {merge.key for merge in plan.merges if any(one.region.contested for one in merge.settlements)}
        assert contested == oracle.unseen_overlaps(), f"seed {seed}"
        criss_crosses += len(plan.bases) > 1
        conflicting += bool(plan.conflicts)
    assert graphs > GRAPHS * 0.75
    assert criss_crosses > 0
    assert conflicting > graphs * 0.3


@pytest.mark.slow
def test_the_order_of_heads_never_matters() -> None:
    for seed in range(GRAPHS // 5):
        grown = RandomGraph(seed, CHANGES)
        heads = list(grown.heads.items())
        at = grown.time_after(*grown.heads.values())
        merged = grown.branches.merge(grown.heads, at=at)
        for _ in range(3):
            grown.random.shuffle(heads)
            assert grown.branches.plan(dict(heads)) == merged.plan, f"seed {seed}"
            assert grown.branches.joined(dict(heads), at=at) == merged.snapshot, f"seed {seed}"


def test_a_graph_grown_again_has_the_same_snapshots() -> None:
    for seed in range(50):
        assert RandomGraph(seed, CHANGES).heads == RandomGraph(seed, CHANGES).heads


@pytest.mark.slow
def test_merging_one_branch_with_its_own_past_changes_nothing() -> None:
    for seed in range(200):
        grown = RandomGraph(seed, CHANGES)
        graph = grown.branches.graph
        for head in grown.heads.values():
            for commit in list(graph.log(head))[:10]:
                assert grown.branches.plan({"a": head, "b": commit.id}).fast_forward == head


def test_a_key_that_is_written_by_one_head_only_comes_from_it() -> None:
    for seed in range(300):
        grown = RandomGraph(seed, CHANGES)
        plan = grown.branches.plan(grown.heads)
        if plan.fast_forward:
            continue
        merged = grown.branches.values(grown.branches.joined(grown.heads))
        by_head = {head: grown.branches.values(head) for head in grown.heads.values()}
        for key, found in survivors_of(plan).items():
            seen_all = [head for bit, head in enumerate(plan.evidence.divergence.heads) if _saw_all(found, bit)]
            name = key.partition("/")[2]
            for head in seen_all:
                assert (name in merged) == (name in by_head[head])
                assert name not in merged or changed_paths([merged[name]], [by_head[head][name]]) is None


def _saw_all(found: list, bit: int) -> bool:  # type: ignore[type-arg]
    return all(survivor.heads >> bit & 1 for survivor in found)
