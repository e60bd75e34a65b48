"""`context_branch`: the own branch, and the conflicts of branches that have come together."""

from __future__ import annotations

from typing import Any, Final

from governance.snapshots.model import name_of
from governance.tools.arguments import BranchArguments
from governance.tools.bench import Bench
from governance.tools.errors import OtherBranch, ToolRefused

NAME: Final = "context_branch"


def branch(bench: Bench, asked: BranchArguments) -> dict[str, Any]:
    """The snapshot, what the branch wrote and disagrees about, or what became of conflicts. Raises ToolRefused."""
    if asked.branch_id not in ("", bench.branch):
        raise OtherBranch(NAME, asked.branch_id, bench.branch)
    commit = bench.graph.get(bench.context.head)
    told: dict[str, Any] = {"branch": bench.branch, "snapshot": bench.context.head, "step": commit.step}
    if asked.mode == "snapshot":
        return told
    if asked.mode == "evaluate":
        conflicts = [] if bench.join is None else [dict(conflict) for conflict in bench.join.conflicts()]
        return {**told, "written": _written(bench), "conflicts": conflicts}
    if bench.join is None:
        raise ToolRefused(NAME, "no branches wait here for their conflicts to be settled")
    return {**told, "settled": dict(bench.join.settle(asked.conflict_keys, asked.resolution_strategy))}


def _written(bench: Bench) -> list[str]:
    """Names of what this branch wrote since it began. Cost: its own commits."""
    names: dict[str, None] = {}
    snapshot: str | None = bench.context.head
    while snapshot is not None:
        commit = bench.graph.get(snapshot)
        if commit.meta.branch != bench.branch:
            break
        names.update(dict.fromkeys(name_of(key) for key in commit.writes))
        snapshot = commit.parents[0] if commit.parents else None
    return sorted(names)
