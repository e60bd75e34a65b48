"""`/v1/instances`: start, list, look at, move."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request, Response

from engine.server.api.documents import InstanceDocument, InstancePage, Json, ResultDocument, Retry
from engine.server.api.parts import (
    IfMatch,
    Instance,
    Limit,
    Operator,
    Viewer,
    etag_of,
    require_match,
    router,
)
from engine.server.services import services_of
from engine.status import Status

routes = router("instances")


@routes.get("/instances")
def list_instances(
    request: Request,
    person: Viewer,
    status: Annotated[Status | None, Query(description="Only those that stand so.")] = None,
    before: Annotated[str | None, Query(max_length=200, description="The `next` of the page before.")] = None,
    limit: Limit = 50,
) -> InstancePage:
    """Instances, the newest first."""
    store = services_of(request).governor.store
    last = None if before is None else store.instance(before)
    found = store.instances(status=status, before=last, limit=limit + 1)
    page = [InstanceDocument.of(record) for record in found[:limit]]
    return InstancePage(instances=page, next=page[-1].id if len(found) > limit else None)


@routes.get("/instances/{instance}")
def get_instance(request: Request, response: Response, person: Viewer, instance: Instance) -> InstanceDocument:
    """An instance. Its ETag makes later writes conditional."""
    record = services_of(request).governor.store.instance(instance)
    response.headers["etag"] = etag_of(record)
    return InstanceDocument.of(record)


@routes.get("/instances/{instance}/result")
def get_result(request: Request, person: Viewer, instance: Instance) -> ResultDocument:
    """What it came to so far: variables, decisions, conflicts, what it waits for, measures."""
    return _told(services_of(request).governor.result(instance))


@routes.get("/instances/{instance}/variables")
def get_variables(request: Request, person: Viewer, instance: Instance) -> Json:
    """The variables that stand; what branches disagree about is left out."""
    return dict(services_of(request).governor.result(instance).variables)


@routes.post("/instances/{instance}/retry")
async def retry(
    request: Request, person: Operator, instance: Instance, asked: Retry, if_match: IfMatch = None
) -> ResultDocument:
    """Give what failed another try."""
    services = services_of(request)
    require_match(services.governor.store.instance(instance), if_match)
    return _told(await services.moves.run(lambda: services.governor.retry(instance, asked.element)))


@routes.post("/instances/{instance}/resume")
async def resume(request: Request, person: Operator, instance: Instance, if_match: IfMatch = None) -> ResultDocument:
    """Move it on: work that was interrupted, timers that are due."""
    services = services_of(request)
    require_match(services.governor.store.instance(instance), if_match)
    return _told(await services.moves.run(lambda: services.governor.resume(instance)))


def _told(result: Any) -> ResultDocument:
    return ResultDocument(**result.to_json())
