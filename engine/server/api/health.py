"""`/v1/health` for whoever watches the server, `/v1/me` for whoever uses it."""

from __future__ import annotations

from fastapi import Request

from engine.server.api.documents import Json
from engine.server.api.parts import Viewer, router
from engine.server.services import services_of

routes = router("server")


@routes.get("/health")
def health(request: Request) -> Json:
    """Whether the server can use its database (503: it cannot). Anybody may ask."""
    services_of(request).governor.store.instances(limit=1)
    return {"status": "ok", "version": request.app.version}


@routes.get("/me")
def me(request: Request, person: Viewer) -> Json:
    """Who you are, and what you may do."""
    return {"name": person.name, "roles": sorted(person.roles)}
