"""`/v1/dead-ends`: what led nowhere, so that it is not tried again."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from pydantic import JsonValue

from engine.dead_ends import DeadEnds
from engine.server.api.documents import Given, Json, Said, Text, Word
from engine.server.api.parts import Id, Limit, Operator, Viewer, router
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
    person: Viewer,
    process: Annotated[str | None, Query(max_length=500, description="Only those of this process.")] = None,
    instance: Annotated[str | None, Query(max_length=200, description="Only those that this instance found.")] = None,
    ended: Annotated[bool, Query(description="Also those that no longer count.")] = False,
    limit: Limit = 100,
) -> Json:
    """Dead ends, the most frequent first."""
    found = _dead_ends(services_of(request)).list(process=process, instance=instance, ended=ended)
    return {"dead_ends": [each.to_json() for each in found[:limit]], "total": len(found)}


@routes.get("/dead-ends/{id}")
def get_dead_end(request: Request, person: Viewer, id: Id) -> Json:
    """A dead end, with the facts that made it one."""
    found = _dead_ends(services_of(request)).find(id)
    facts = [each.model_dump(mode="json", exclude_defaults=True) for each in found.facts]
    return {**found.to_json(), "facts": facts}


@routes.post("/dead-ends")
def register_dead_end(request: Request, person: Operator, asked: NewDeadEnd) -> Json:
    """Say that a value of a variable led nowhere."""
    governor = services_of(request).governor
    found = governor.register_dead_end(asked.instance, asked.variable, asked.value, asked.reason, by=person.name)
    return found.model_dump(mode="json")


@routes.post("/dead-ends/{id}/retirement")
def retire_dead_end(request: Request, person: Operator, id: Id, asked: Said) -> Json:
    """End one: it may be done again."""
    return _dead_ends(services_of(request)).retire(id, by=person.name, reason=asked.reason).to_json()


def _dead_ends(services: Services) -> DeadEnds:
    return DeadEnds(services.governor.store, services.clock)
