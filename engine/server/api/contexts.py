"""`/v1/instances/{instance}/snapshots`: what its agents know, as git shows a repository, and the four tools."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from fastapi import Path, Query, Request

from engine.context_names import ContextNames
from engine.context_view import diff, log, show
from engine.governor import Governor
from engine.result import RunResult
from engine.server.api.documents import Json, PutBack, ResultDocument, ToolCall
from engine.server.api.moving import Moving
from engine.server.api.parts import Instance, Limit, Operator, Viewer, router
from engine.server.seeing import Looking
from engine.server.services import services_of
from governance.snapshots.graph import SnapshotGraph

routes = router("contexts")

Snapshot = Annotated[
    str, Path(max_length=2_000, description="The id of a snapshot, its beginning, a branch, or `head`.")
]
Named = Annotated[str, Query(max_length=2_000, description="The id of a snapshot, its beginning, a branch, or `head`.")]
Tool = Literal["context_inspect", "context_compress", "context_branch", "human_confirm"]


@routes.get("/instances/{instance}/snapshots")
def list_snapshots(governor: Looking, person: Viewer, instance: Instance, limit: Limit = 50) -> Json:
    """The snapshots of an instance, the newest first, with the branches that stand on them."""
    graph, names = _opened(governor, instance)
    found = list(islice(log(graph, names.heads, names.branches), limit + 1))
    return {
        "head": names.head,
        "snapshots": [entry.to_json() for entry in found[:limit]],
        "more": len(found) > limit,
    }


@routes.get("/instances/{instance}/snapshots/{snapshot}")
def get_snapshot(governor: Looking, person: Viewer, instance: Instance, snapshot: Snapshot) -> Json:
    """A snapshot, layer by layer: what a model is shown of it."""
    graph, names = _opened(governor, instance)
    return show(graph, names.snapshot(snapshot)).to_json()


@routes.get("/instances/{instance}/diff")
def get_diff(governor: Looking, person: Viewer, instance: Instance, before: Named, after: Named = "head") -> Json:
    """What differs between two snapshots, word by word."""
    graph, names = _opened(governor, instance)
    old, new = names.snapshot(before), names.snapshot(after)
    return {"before": old, "after": new, "changes": [change.to_json() for change in diff(graph, old, new)]}


@routes.post("/instances/{instance}/restore")
async def restore(moving: Moving, asked: PutBack) -> ResultDocument:
    """Put a context back to an earlier snapshot, as a new one on top; then it goes on."""

    def move(governor: Governor, instance: str) -> RunResult:
        snapshot = _opened(governor, instance)[1].snapshot(asked.snapshot)
        return governor.restore_context(instance, snapshot, branch=asked.branch, by=moving.by)

    return await moving.made(move)


@routes.post("/instances/{instance}/tools/{tool}")
async def call_tool(request: Request, person: Operator, instance: Instance, tool: Tool, asked: ToolCall) -> Json:
    """Call one of the four tools on a branch of a live instance, as its agents do."""
    services = services_of(request)
    governor, branch, by = services.governor, asked.branch, person.name

    def call() -> Json:
        found = governor.tool(instance, tool, asked.arguments, branch=branch, by=by)
        told: Json = services.seeing.told(instance, found)
        return told

    return await services.moves.run(call)


def _opened(governor: Governor, instance: str) -> tuple[SnapshotGraph, ContextNames]:
    graph = governor.graph(instance)
    return graph, ContextNames.of(governor, graph, instance)
