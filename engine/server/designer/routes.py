"""The designer's page, and what it asks and sends."""

from __future__ import annotations

from typing import Annotated, Any, Final, Protocol

from fastapi import APIRouter, Body, Depends, Request
from starlette.responses import JSONResponse, Response

from bpmn.errors import BpmnError
from engine.errors import EngineError
from engine.people.agreement import NotAgreed
from engine.server.designer.desk import Desk, DeskError, NotSaved, Overtaken
from engine.server.designer.keeping import Drawing, Keeper
from engine.server.designer.looking import look
from engine.server.designer.starting import start
from engine.server.identity.guard import needs
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.server.pages import Pages, language_of
from engine.store.errors import VersionOvertaken

router = APIRouter(prefix="/design/{desk}", include_in_schema=False)

Designer = Annotated[Person, needs(Role.DESIGNER)]
Xml = Annotated[bytes, Body(media_type="application/xml")]
_STATUS: Final[dict[type[Exception], int]] = {Overtaken: 412, NotSaved: 507, NotAgreed: 409}


class Desks(Protocol):
    """What can be worked on, by the name in the address."""

    def desk(self, name: str) -> Desk | None:
        """None: there is no such."""
        ...


def _desk(request: Request, desk: str) -> Desk | None:
    desks: Desks = request.app.state.desks
    return desks.desk(desk)


At = Annotated[Desk | None, Depends(_desk)]


@router.get("")
def page(request: Request, person: Designer, at: At) -> Response:
    pages: Pages = request.app.state.pages
    if at is None:
        return pages.show(request, "refused.html.j2", status=404, told="there is nothing of that name to design")
    return pages.show(request, "designer.html.j2", name=at.name, base=request.url.path.rstrip("/"))


@router.get("/start")
def begin(request: Request, person: Designer, at: At) -> Response:
    """All that the page begins with."""
    if at is None:
        return _problem(404, "NoDesk", "there is nothing of that name to design")
    try:
        return JSONResponse(start(at, person, language_of(request)))
    except BpmnError as error:
        return _refused(error)


@router.post("/look")
def looked(person: Designer, at: At, xml: Xml, changed: bool = False) -> Response:
    """What holds and what is wrong in a drawing; what is `changed` and not kept yet is set aside."""
    if at is None:
        return _gone()
    at.set_aside(xml if changed else None)
    return JSONResponse(look(xml, at))


@router.post("/compare")
def compared(person: Designer, at: At, drawing: Drawing) -> Response:
    """How a drawing differs from what stands, and what design time asks for."""
    if at is None:
        return _gone()
    try:
        return JSONResponse(Keeper(at).compared(drawing))
    except (BpmnError, DeskError) as error:
        return _refused(error)


@router.put("/file")
def kept(person: Designer, at: At, drawing: Drawing) -> Response:
    """Save or deploy a drawing."""
    if at is None:
        return _gone()
    try:
        kept = Keeper(at).keep(drawing, person)
    except VersionOvertaken as error:
        return _problem(412, Overtaken.__name__, str(error))
    except (BpmnError, EngineError) as error:
        return _refused(error)
    return JSONResponse({"tag": kept.draft.tag, "is_whole": kept.is_whole, "address": kept.draft.address})


def _refused(error: BpmnError | EngineError) -> Response:
    facts = {"needs": error.needs, "compared": error.compared} if isinstance(error, NotAgreed) else {}
    return _problem(_STATUS.get(type(error), 422), type(error).__name__, str(error), **facts)


def _gone() -> Response:
    return _problem(404, "NoDesk", "there is nothing of that name to design")


def _problem(status: int, title: str, detail: str, **facts: Any) -> Response:
    told = {"type": "about:blank", "title": title, "status": status, "detail": detail, **facts}
    return JSONResponse(told, status, media_type="application/problem+json")
