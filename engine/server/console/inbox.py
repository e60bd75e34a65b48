"""The inbox: what waits for people, page by page, and one page for each."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import HTMLResponse, Response

from engine.server.api.parts import Viewer
from engine.server.identity.port import Person
from engine.server.services import services_of
from engine.server.views.inbox import detail
from engine.server.views.inbox_lines import InboxList, Lines, Wanted

router = APIRouter(include_in_schema=False)

Id = Annotated[str, Path(max_length=200)]
Word = Annotated[str, Query(max_length=500)]


def _wanted(only: Word = "", process: Word = "", after: Word = "") -> Wanted:
    return Wanted(only=only, process=process, after=after)


Asked = Annotated[Wanted, Depends(_wanted)]


@router.get("/inbox")
def inbox(request: Request, person: Viewer, wanted: Asked) -> Response:
    """A page of it, the oldest first."""
    services = services_of(request)
    found = _lines(request, person, wanted)
    processes = [version.process for version in services.governor.definitions()]
    return services.pages.show(request, "inbox.html.j2", found=found, processes=processes, detail=None, chosen="")


@router.get("/inbox/lines")
def list_lines(request: Request, person: Viewer, wanted: Asked, chosen: Word = "") -> Response:
    """The list alone, for a page that is open."""
    found = _lines(request, person, wanted)
    return HTMLResponse(services_of(request).pages.text(request, "inbox_lines.html.j2", found=found, chosen=chosen))


@router.get("/inbox/{id}")
def item(request: Request, person: Viewer, id: Id, wanted: Asked) -> Response:
    """One question or task beside the list."""
    services = services_of(request)
    found = _lines(request, person, wanted)
    processes = [version.process for version in services.governor.definitions()]
    one = detail(services.governor, services.seeing.waiting(id, person))
    given: dict[str, Any] = {"processes": processes, "detail": one, "claim": services.claims.of(id)}
    return services.pages.show(request, "inbox.html.j2", found=found, chosen=id, **given)


def _lines(request: Request, person: Person, wanted: Wanted) -> Lines:
    services = services_of(request)
    made = InboxList(services.seeing.masked.store, services.naming, services.claims, services.clock)
    return made.page(person, wanted)
