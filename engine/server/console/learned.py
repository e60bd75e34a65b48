"""The pages of what was learned: knowledge, and experience (dead ends, and skills)."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from engine.dead_ends import DeadEnds
from engine.personal.records import told_item, told_standing
from engine.server.api.parts import Viewer
from engine.server.seeing import Looking
from engine.server.services import services_of

router = APIRouter(include_in_schema=False)

PAGE: Final = 50
Text = Annotated[str, Query(max_length=2_000)]
Word = Annotated[str, Query(max_length=500)]


@router.get("/knowledge")
def knowledge(
    request: Request, governor: Looking, person: Viewer, query: Text = "", type: Word = "", which: Word = ""
) -> Response:
    """Items, or those that an activity which asks for `query` would find; `which` "all": also those out of use."""
    services = services_of(request)
    kept = services.governor.knowledge
    found = kept.search(query, type=type, count=PAGE) if query else kept.items(type=type, all=which == "all")
    types = sorted({item.type for item in kept.items(all=True)})
    given: dict[str, Any] = {
        "items": [told_item(governor.store, item) for item in found[:PAGE]], "total": len(found), "types": types,
        "query": query, "type": type, "which": which,
    }  # fmt: skip
    return services.pages.show(request, "knowledge.html.j2", **given)


@router.get("/experience")
def experience(
    request: Request, governor: Looking, person: Viewer, process: Word = "", which: Word = ""
) -> Response:
    """Dead ends of all processes or of one, the most frequent first, and skills; `which` "all": also ended ones."""
    services = services_of(request)
    of_process = process or None
    ended = which == "all"
    found = DeadEnds(services.governor.store, services.clock).list(process=of_process, ended=ended)
    told = [told_standing(governor.store, each) for each in found[:PAGE]]
    given: dict[str, Any] = {
        "dead_ends": told, "total": len(found), "skills": services.governor.store.experience().skills(of_process),
        "processes": [version.process for version in services.governor.definitions()], "process": process,
        "which": which,
    }  # fmt: skip
    return services.pages.show(request, "experience.html.j2", **given)
