"""`/v1/incidents`: what has failed and waits for somebody, of all instances."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel

from engine.server.api.parts import Limit, Viewer, router
from engine.server.seeing import Looking
from engine.store.advance import OpenIncident

routes = router("incidents")


class IncidentDocument(BaseModel):
    """An element that failed: try it again (`/retry`), pass over it (`/skip`), or move its token."""

    instance: str
    process: str
    status: str
    task: str
    element: str
    branch: str
    error: str
    kind: str
    since: str

    @classmethod
    def of(cls, incident: OpenIncident) -> IncidentDocument:
        return cls(**{name: getattr(incident, name) for name in cls.model_fields})


class IncidentPage(BaseModel):
    """Incidents, those of the oldest instance first; `next` is the `after` of the page after this one."""

    incidents: list[IncidentDocument]
    next: str | None


@routes.get("/incidents")
def list_incidents(
    governor: Looking,
    person: Viewer,
    instance: Annotated[str | None, Query(max_length=200, description="Only those of this instance.")] = None,
    after: Annotated[
        str | None, Query(max_length=500, pattern=r"^[^\x00]*/[^/\x00]+$", description="The `next` of the page before.")
    ] = None,
    limit: Limit = 50,
) -> IncidentPage:
    """What has failed and waits for somebody, of all instances or of one."""
    last = None if after is None else after.rpartition("/")
    behind = None if last is None else (last[0], last[2])
    found = governor.incidents(instance, limit=limit + 1, after=behind)
    page = [IncidentDocument.of(each) for each in found[:limit]]
    return IncidentPage(incidents=page, next=f"{page[-1].instance}/{page[-1].task}" if len(found) > limit else None)
