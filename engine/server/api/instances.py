"""`/v1/instances`: start, list, look at, move."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Header, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from engine.governor import Governor
from engine.server.api.documents import (
    Begun,
    InstanceDocument,
    InstancePage,
    Json,
    ResultDocument,
    Start,
)
from engine.server.api.moving import Moving
from engine.server.api.parts import API, Instance, Limit, Operator, Viewer, etag_of, router
from engine.server.seeing import Looking
from engine.server.services import services_of
from engine.server.versions import version_of
from engine.status import Status

routes = router("instances")

Prefer = Annotated[str | None, Header(max_length=200, description="`respond-async`: answer before it has run.")]


@routes.get("/instances")
def list_instances(
    governor: Looking,
    person: Viewer,
    status: Annotated[Status | None, Query(description="Only those that stand so.")] = None,
    process: Annotated[str | None, Query(max_length=500, description="Only those of this process.")] = None,
    definition: Annotated[str | None, Query(max_length=200, description="Only those of this definition.")] = None,
    before: Annotated[str | None, Query(max_length=200, description="The `next` of the page before.")] = None,
    limit: Limit = 50,
) -> InstancePage:
    """Instances, the newest first."""
    found = governor.instances(
        status=status, process=process, definition=definition, before=before, limit=limit + 1
    )
    page = [InstanceDocument.of(record) for record in found[:limit]]
    return InstancePage(instances=page, next=page[-1].id if len(found) > limit else None)


@routes.post("/instances", status_code=201, responses={202: {"model": Begun}})
async def start(request: Request, response: Response, person: Operator, asked: Start, prefer: Prefer = None) -> Begun:
    """Start an instance of a version of a process, and run it as far as it goes.

    With `Prefer: respond-async` it is answered at once (202), and goes on by itself. `Location` is where to look.
    """
    services = services_of(request)
    version = await run_in_threadpool(version_of, services.governor, asked.process, asked.version)
    settings = {**services.settings, **({"simulate": True} if asked.simulate else {})}
    id = services.ids.new()

    def move() -> None:
        services.governor.start_version(version, asked.variables, starter=person.name, settings=settings, id=id)

    if prefer is not None and "respond-async" in prefer:
        stored, loop = asyncio.Event(), asyncio.get_running_loop()
        leave = services.heard.watch(id, lambda: loop.call_soon_threadsafe(stored.set))
        try:
            await services.moves.begin(id, move, stored)
        finally:
            leave()
        response.status_code = 202
    else:
        await services.moves.run(move)
    response.headers["location"] = f"{API}/instances/{id}"
    return Begun(instance=id)


@routes.get("/instances/{instance}")
def get_instance(governor: Looking, response: Response, person: Viewer, instance: Instance) -> InstanceDocument:
    """An instance. Its ETag makes later writes conditional."""
    record = governor.store.instance(instance)
    response.headers["etag"] = etag_of(record)
    return InstanceDocument.of(record)


@routes.get("/instances/{instance}/result")
def get_result(governor: Looking, person: Viewer, instance: Instance) -> ResultDocument:
    """What it came to so far: variables, decisions, conflicts, what it waits for, measures."""
    return ResultDocument.of(governor.result(instance))


@routes.get("/instances/{instance}/variables")
def get_variables(governor: Looking, person: Viewer, instance: Instance) -> Json:
    """The variables that stand; what branches disagree about is left out."""
    return dict(governor.variables(instance))


@routes.post("/instances/{instance}/resume")
async def resume(moving: Moving) -> ResultDocument:
    """Move it on: work that was interrupted, timers that are due."""
    return await moving.made(Governor.resume)
