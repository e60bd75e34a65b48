"""`/v1/instances/{instance}/events`: the log, page by page, and as it grows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from fastapi import Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from engine.events import EventType
from engine.server.api.documents import EventDocument, EventPage
from engine.server.api.parts import BIGGEST, Instance, Limit, Viewer, router
from engine.server.live import Feed
from engine.server.seeing import Looking
from engine.server.services import services_of

routes = router("events")

After = Annotated[int, Query(ge=-1, le=BIGGEST, description="Only events numbered higher.")]


@routes.get("/instances/{instance}/events")
def list_events(
    governor: Looking,
    person: Viewer,
    instance: Instance,
    after: After = -1,
    type: Annotated[list[EventType] | None, Query(description="Only events of these types.")] = None,
    element: Annotated[str | None, Query(max_length=500, description="Only events of this element.")] = None,
    limit: Limit = 100,
) -> EventPage:
    """The log of an instance, in order."""
    store = governor.store
    store.instance(instance)
    types: Collection[str] | None = type or None
    found = store.events(instance, after=after, types=types, element=element, limit=limit + 1)
    page = [EventDocument(**each._asdict()) for each in found[:limit]]
    return EventPage(events=page, next=page[-1].seq if len(found) > limit else None)


@routes.get(
    "/instances/{instance}/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream_events(
    request: Request,
    governor: Looking,
    person: Viewer,
    instance: Instance,
    after: After = -1,
    last_event_id: Annotated[
        str | None, Header(max_length=20, pattern=r"^\d{1,15}$", description="The last event that was received.")
    ] = None,
) -> Response:
    """The log of an instance as server-sent events, from `after` or the Last-Event-ID on, until the instance ends.

    Each message has the number of its event as `id`, the type as `event`, and the event as JSON in `data`.
    """
    await run_in_threadpool(governor.store.instance, instance)
    begin = after if last_event_id is None else int(last_event_id)
    feed = Feed(governor, services_of(request).heard, instance, begin)
    return StreamingResponse(feed.messages(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})
