"""How much of an entry is shown after a merge: the most that a branch shows of it (Design: D3 merge)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from governance.layers.branching import SPLIT_KIND
from governance.merging.evidence import Evidence
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Item, Shown, Write
from governance.vocabulary import Fidelity


def merged_shown(
    graph: SnapshotGraph, evidence: Evidence, first: int, merged: Mapping[str, Write]
) -> dict[str, Shown | None]:
    """The `shown` of a merge commit on the head whose bit is `first`, of which `merged` is carried or written.

    A branch has a say if it shows the merged value, and if it did anything: a head that others have seen has none.
    What a split hid from a branch comes back as it was before. What no branch lowered or raised is FULL where it is
    merged, and stays as it is where it is not.
    """
    hidden = _before_splits(graph, evidence)
    changed: dict[str, int] = {}
    for commit, heads in evidence.divergence.commits:
        for key in commit.shown:
            changed[key] = changed.get(key, 0) | heads
    shown: dict[str, Shown | None] = {}
    own = 1 << first
    for key, touched in sorted(changed.items()):
        if key not in merged and key not in hidden and evidence.seen(key) == own:
            continue  # nobody else has a say
        standing = evidence.item(first, key)
        value = merged[key].value if key in merged else standing.value if standing else None
        if value is None:
            continue
        items = (*_in_heads(evidence, key, touched), *hidden.get(key, ()))
        best = _most_shown(item for item in items if item.value == value)
        before: tuple[Fidelity, str | None] = Fidelity.FULL, None
        if key not in merged and standing is not None:
            before = standing.fidelity, standing.text
        if best != before:
            shown[key] = None if best[0] is Fidelity.FULL else Shown(*best)
    return shown


def _before_splits(graph: SnapshotGraph, evidence: Evidence) -> dict[str, list[Item]]:
    """What splits since the base hid, as it stood before."""
    hidden: dict[str, list[Item]] = defaultdict(list)
    for commit, _ in evidence.divergence.commits:
        if commit.meta.kind == SPLIT_KIND:
            before = graph.contents(commit.parents[0])
            for key in commit.shown:
                item = before.item(key)
                if item is not None:
                    hidden[key].append(item)
    return hidden


def _in_heads(evidence: Evidence, key: str, touched: int) -> Iterator[Item]:
    """The entry in the heads that can hold its merged value. `touched` are those that have seen it shown otherwise."""
    divergence = evidence.divergence
    mask, seen = divergence.live, evidence.seen(key)
    if seen:
        mask &= seen
    elif len(divergence.bases) == 1:
        # It stands in all other heads as in the base: one of them speaks for all.
        others = mask & ~touched
        mask = mask & touched | others & -others
    while mask:
        lowest = mask & -mask
        item = evidence.item(lowest.bit_length() - 1, key)
        if item is not None:
            yield item
        mask ^= lowest


def _most_shown(items: Iterable[Item]) -> tuple[Fidelity, str | None]:
    """The highest fidelity and its text; FULL if no branch shows the value, for then it is new."""
    best = max(items, key=lambda item: item.fidelity, default=None)
    return (Fidelity.FULL, None) if best is None else (best.fidelity, best.text)
