"""Which nodes of a graph may lead back to themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping


def on_cycles(leads_to: Mapping[str, Iterable[str]]) -> set[str]:
    """The nodes on a cycle, and those between two of them. Cost: the nodes and edges.

    All other nodes are taken away one after the other: nothing that is left leads to them, or they to nothing.
    """
    after = {node: {*targets} for node, targets in leads_to.items()}
    before: dict[str, set[str]] = defaultdict(set)
    for node, targets in after.items():
        for target in targets:
            before[target].add(node)
    left = {*after, *before}
    for ways, back in ((before, after), (after, before)):
        todo = [node for node in left if not ways.get(node)]
        while todo:
            node = todo.pop()
            left.discard(node)
            for other in back.get(node, ()):
                ways[other].discard(node)
                if not ways[other] and other in left:
                    todo.append(other)
    return left
