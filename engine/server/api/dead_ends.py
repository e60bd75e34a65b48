"""`/v1/dead-ends`: what led nowhere, so that it is not tried again."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from pydantic import JsonValue

from engine.dead_ends import DeadEnds
from engine.personal.records import told_dead_end, told_standing
from engine.server.api.documents import Given, Json, Said, Text, Word
from engine.server.api.parts import Id, Limit, Operator, Viewer, router
from engine.server.seeing import Looking
from engine.server.services import Services, services_of

routes = router("dead ends")


class NewDeadEnd(Given):
    """A value of a variable that led nowhere in an instance."""

    instance: Word
    variable: Word
    value: JsonValue
    reason: Text


@routes.get("/dead-ends")
def list_dead_ends(
    request: Request,
    governor: Looking,
    person: Viewer,
    process: Annotated[str | None, Query(max_length=500, description="Only those of this process.")] = None,
    instance: Annotated[str | None, Query(max_length=200, description="Only those that this instance found.")] = None,
    ended: Annotated[bool, Query(description="Also those that no longer count.")] = False,
    limit: Limit = 100,
) -> Json:
    """Dead ends, the most frequent first."""
    found = _dead_ends(services_of(request)).list(process=process, instance=instance, ended=ended)
    return {"dead_ends": [told_standing(governor.store, each).to_json() for each in found[:limit]], "total": len(found)}


@routes.get("/dead-ends/{id}")
def get_dead_end(request: Request, governor: Looking, person: Viewer, id: Id) -> Json:
    """A dead end, with the facts that made it one."""
    found = told_standing(governor.store, _dead_ends(services_of(request)).find(id))
    facts = [each.model_dump(mode="json", exclude_defaults=True) for each in found.facts]
    return {**found.to_json(), "facts": facts}


@routes.post("/dead-ends")
def register_dead_end(request: Request, person: Operator, asked: NewDeadEnd) -> Json:
    """Say that a value of a variable led nowhere."""
    services = services_of(request)
    given = (asked.instance, asked.variable, asked.value, asked.reason)
    found = services.governor.register_dead_end(*given, by=person.name)
    return told_dead_end(services.seeing.masked.store, found).model_dump(mode="json")


@routes.post("/dead-ends/{id}/retirement")
def retire_dead_end(request: Request, person: Operator, id: Id, asked: Said) -> Json:
    """End one: it may be done again."""
    services = services_of(request)
    retired = _dead_ends(services).retire(id, by=person.name, reason=asked.reason)
    return told_standing(services.seeing.masked.store, retired).to_json()


def _dead_ends(services: Services) -> DeadEnds:
    return DeadEnds(services.governor.store, services.clock)
