"""Where the tokens of an instance stand, and what that makes of its variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.governed.activity_run import ActivityRun
from engine.governed.open_writes import OpenWrites
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import key_of, name_of
from governance.vocabulary import Layer

Differing = dict[str, list[dict[str, Any]]]
"""By variable, what each branch holds: `branch`, and `value` or `deleted`."""


def branch_heads(instance: Instance) -> dict[str, str]:
    """Every branch that a token is on and the newest snapshot there, by name of the branch.

    Tasks of one branch may hold several snapshots, as a timer keeps the one from before the activity it stands by.
    """
    graph, heads = instance.graph, dict[str, str]()
    for scope in instance.workflow.scopes():
        for branch, head in (pair for task in scope.live.values() for pair in _stands(task)):
            known = heads.get(branch)
            if known is None or graph.get(known).generation < graph.get(head).generation:
                heads[branch] = head
    return dict(sorted(heads.items()))


def _stands(task: DrivenTask) -> list[tuple[str, str]]:
    """Branch and head of the tokens at a task: one, those that a held merge has, or none."""
    if task.token is None:
        return []
    held = task.activity.heads if isinstance(task.activity, ActivityRun) else []
    return [(branch, head) for branch, head in held] or [(task.token.branch, task.token.head)]


def split_up(
    graph: SnapshotGraph, open_writes: OpenWrites, variables: Mapping[str, Any]
) -> tuple[dict[str, Any], Differing]:
    """The variables of an instance with branches that have not come together, and those about which they differ.

    `variables` are those of one of them. What one branch alone has written, or several alike, stands; of what they
    wrote differently none does, until they are merged.
    """
    settled, differing = dict(variables), Differing()
    for key, holders in open_writes.by_key().items():
        name = name_of(key)
        if key != key_of(Layer.WORKING, name):
            continue  # a called process's own
        settled.pop(name, None)
        if len(set(holders.values())) > 1:
            differing[name] = [_held(graph, branch, value) for branch, value in sorted(holders.items())]
        elif (value := next(iter(holders.values()))) is not None:
            settled[name] = graph.values.get(value)
    return settled, differing


def _held(graph: SnapshotGraph, branch: str, value: str | None) -> dict[str, Any]:
    content = {"deleted": True} if value is None else {"value": graph.values.get(value)}
    return {"branch": branch, **content}
