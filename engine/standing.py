"""Where the tokens of an instance stand."""

from __future__ import annotations

from engine.governed.activity_run import ActivityRun
from engine.instance import Instance
from engine.spiff.task import DrivenTask


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
