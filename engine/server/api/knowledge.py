"""`/v1/knowledge`: what activities may draw on."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from pydantic import Field

from engine.governor import Governor
from engine.personal.records import told_item
from engine.server.api.documents import Given, Json, Said, Word
from engine.server.api.parts import Approver, Id, Limit, Operator, Viewer, router
from engine.server.seeing import Looking
from engine.server.services import services_of
from governance.flywheel.item import KnowledgeItem

routes = router("knowledge")


class NewItem(Given):
    """What a person knows."""

    text: str = Field(min_length=1, max_length=100_000, pattern=r"^[^\x00]*$")
    type: Word
    title: str = Field(default="", max_length=500, pattern=r"^[^\x00]*$")


@routes.get("/knowledge")
def list_knowledge(
    request: Request,
    governor: Looking,
    person: Viewer,
    query: Annotated[str | None, Query(max_length=2_000, description="What to look for; none: everything.")] = None,
    type: Annotated[str, Query(max_length=200, description="Only items of this type.")] = "",
    all: Annotated[bool, Query(description="Without a query: also what is out of use.")] = False,
    limit: Limit = 50,
) -> Json:
    """Items of knowledge, newest first; with a query those that it finds, best first."""
    knowledge = services_of(request).governor.knowledge
    found = knowledge.items(type=type, all=all) if query is None else knowledge.search(query, type=type, count=limit)
    return {"items": [_document(governor, item) for item in found[:limit]], "total": len(found)}


@routes.get("/knowledge/{id}")
def get_knowledge(request: Request, governor: Looking, person: Viewer, id: Id) -> Json:
    """An item, with what its confidence rests on."""
    return _document(governor, services_of(request).governor.knowledge.find(id))


@routes.post("/knowledge")
def add_knowledge(request: Request, person: Operator, asked: NewItem) -> Json:
    """Keep what a person knows. `result` tells whether it was stored, or known already."""
    services = services_of(request)
    kept = services.governor.knowledge.add(asked.text, asked.type, by=person.name, title=asked.title)
    other = kept.other and _document(services.seeing.masked, kept.other)
    return {"result": kept.result, "item": _document(services.seeing.masked, kept.item), "other": other}


@routes.post("/knowledge/{id}/confirmation")
def confirm_knowledge(request: Request, person: Approver, id: Id) -> Json:
    """Vouch for an item: it is in use."""
    services = services_of(request)
    return _document(services.seeing.masked, services.governor.knowledge.confirm(id, by=person.name))


@routes.post("/knowledge/{id}/retirement")
def retire_knowledge(request: Request, person: Approver, id: Id, asked: Said) -> Json:
    """Take an item out of use; it stays readable."""
    services = services_of(request)
    retired = services.governor.knowledge.retire(id, by=person.name, reason=asked.reason)
    return _document(services.seeing.masked, retired)


def _document(governor: Governor, item: KnowledgeItem) -> Json:
    return told_item(governor.store, item).dump()
