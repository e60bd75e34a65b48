"""The first page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine.server.identity.guard import needs
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.server.services import services_of

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, person: Annotated[Person, needs(Role.VIEWER)]) -> Response:
    services = services_of(request)
    return services.pages.show(request, "instances.html.j2", instances=services.governor.store.instances())
