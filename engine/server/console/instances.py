"""The pages of instances: the list, and one page for each that follows what happens."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.events import EventType
from engine.governor import Governor
from engine.report.page import report_page
from engine.report.run import read_run
from engine.server.api.parts import Operator, Viewer, etag_of
from engine.server.pages import language_of
from engine.server.seeing import Looking
from engine.server.services import services_of
from engine.server.views.heat import SCALES
from engine.server.views.instance import view
from engine.server.views.operating import operating
from engine.status import Status
from engine.store.advance import InstanceRecord
from engine.words.catalogue import translator

router = APIRouter(include_in_schema=False)

PAGE: Final = 50
TYPES: Final = " ".join(EventType)
Id = Annotated[str, Path(max_length=200)]
Word = Annotated[str, Query(max_length=200)]


@router.get("/")
def instances(
    request: Request, governor: Looking, person: Viewer, status: Word = "", process: Word = "", before: Word = ""
) -> Response:
    """The list, filtered, page by page."""
    services = services_of(request)
    known = status if status in set(Status) else None
    found = governor.instances(
        status=known, process=process or None, before=before or None, limit=PAGE + 1
    )
    deployed = services.governor.definitions()
    given: dict[str, Any] = {
        "instances": found[:PAGE], "next": found[PAGE - 1].id if len(found) > PAGE else "", "statuses": list(Status),
        "only": known or "", "process": process, "before": before, "called": services.naming.called,
        "processes": [each.process for each in deployed],
    }  # fmt: skip
    return services.pages.show(request, "instances.html.j2", **given)


@router.get("/instances/{instance}")
def page(request: Request, governor: Looking, person: Viewer, instance: Id) -> Response:
    """One instance."""
    record = governor.store.instance(instance)
    sections = Markup(_sections(request, governor, record))
    given: dict[str, Any] = {"record": record, "sections": sections, "etag": etag_of(record)}
    return services_of(request).pages.show(request, "instance.html.j2", **given)


@router.get("/instances/{instance}/sections")
def sections(request: Request, governor: Looking, person: Viewer, instance: Id) -> Response:
    """What the page shows, anew: for a page that is open. 304 while nothing has moved."""
    record = governor.store.instance(instance)
    headers = {"etag": etag_of(record)}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return HTMLResponse(_sections(request, governor, record), headers=headers)


@router.get("/instances/{instance}/operate")
def operate(request: Request, person: Operator, instance: Id) -> Response:
    """What an operator can change of it, for a page that is open."""
    services = services_of(request)
    found = operating(services.governor, services.seeing, instance)
    return HTMLResponse(services.pages.text(request, "instance_operate.html.j2", found=found))


@router.get("/instances/{instance}/report")
def report(request: Request, governor: Looking, person: Viewer, instance: Id) -> Response:
    """The page that `governor report` writes, to keep."""
    text = report_page(read_run(governor.store, instance), language_of(request))
    headers = {"content-disposition": f'attachment; filename="{instance[:40]}.html"'}
    return Response(text.encode("utf-8", "backslashreplace"), media_type="text/html", headers=headers)


def _sections(request: Request, governor: Governor, record: InstanceRecord) -> str:
    services, language = services_of(request), language_of(request)

    def draw() -> str:
        shown = view(governor, services.clock, record.id, say=translator(language))
        given: dict[str, Any] = {"view": shown, "report": shown.report, "draw": shown.draw, "scales": SCALES}
        return services.pages.text(request, "instance_sections.html.j2", console=True, event_types=TYPES, **given)

    if governor is not services.seeing.masked:
        return draw()  # for one pair of eyes, and kept nowhere
    return services.drawn.get(record, language, draw)
