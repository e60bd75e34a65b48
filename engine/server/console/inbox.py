"""The inbox: what waits for people, and one page for each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response

from engine.server.api.parts import Viewer
from engine.server.services import services_of
from engine.server.views.inbox import detail, lines

router = APIRouter(include_in_schema=False)

Id = Annotated[str, Path(max_length=200)]


@router.get("/inbox")
def inbox(request: Request, person: Viewer) -> Response:
    """Everything, the oldest first."""
    services = services_of(request)
    found = lines(services.seeing.masked, services.naming, services.claims, person.name, person.roles)
    return services.pages.show(request, "inbox.html.j2", lines=found, detail=None, chosen="")


@router.get("/inbox/lines")
def list_lines(request: Request, person: Viewer) -> Response:
    """The list alone, for a page that is open."""
    services = services_of(request)
    found = lines(services.seeing.masked, services.naming, services.claims, person.name, person.roles)
    chosen = request.query_params.get("chosen", "")[:200]
    return HTMLResponse(services.pages.text(request, "inbox_lines.html.j2", lines=found, chosen=chosen))


@router.get("/inbox/{id}")
def item(request: Request, person: Viewer, id: Id) -> Response:
    """One question or task beside the list."""
    services = services_of(request)
    found = lines(services.seeing.masked, services.naming, services.claims, person.name, person.roles)
    one = detail(services.governor, services.seeing.waiting(id, person))
    claim = services.claims.of(id)
    return services.pages.show(request, "inbox.html.j2", lines=found, detail=one, chosen=id, claim=claim)
