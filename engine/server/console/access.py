"""The page about access: your keys; for administrators, who may do what, and what everybody did."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine.server.api.parts import Viewer
from engine.server.identity.roles import Role
from engine.server.services import services_of

router = APIRouter(include_in_schema=False)
_ENTRIES = 100


@router.get("/access")
def access(request: Request, person: Viewer) -> Response:
    """What somebody may see of it."""
    services = services_of(request)
    administers = person.may(Role.ADMIN)
    return services.pages.show(
        request,
        "access.html.j2",
        keys=services.identity.keys(None if administers else person.name),
        users=services.identity.users() if administers else [],
        audited=services.access.audited(limit=_ENTRIES) if administers else [],
        roles=list(Role),
    )
