"""The OpenAPI document: what the framework makes of the routes, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from engine.server.api.all import RESOURCES
from engine.server.api.documents import Problem
from engine.server.identity.guard import Needs
from engine.server.identity.roles import Role
from engine.server.problems import MEDIA_TYPE

_PROBLEMS: Final = {
    "400": "The request cannot be read.",
    "401": "Nobody is known by what the request carries.",
    "403": "They may not do this.",
    "404": "There is no such thing.",
    "405": "The method is not known here.",
    "409": "It does not go with how things stand: somebody was first, or nothing waits for it.",
    "412": "The instance has changed since it was seen.",
    "413": "The request is too large.",
    "415": "The content is of another type.",
    "422": "What was sent cannot be done; the detail says why.",
    "428": "If-Match is no ETag of this server.",
    "429": "Too many wrong tries.",
    "503": "The database, or the server, is busy: try again.",
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Sent again with the same key, the request is not done again, and is answered the same for a day.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
_ABOUT: Final = (
    "What `governor serve` offers programs. Sign in with an API key: `Authorization: Bearer KEY`. Errors are "
    "`application/problem+json`; `type` says which kind. Times are UTC."
)


def api_document() -> dict[str, Any]:
    """The document without a server: what `/v1/openapi.json` has."""
    app = FastAPI(title="Governor", version="1")
    for resource in RESOURCES:
        app.include_router(resource)
    return describe(app)


def roles_of(app: FastAPI) -> dict[tuple[str, str], Role]:
    """The role that each route takes, by method and path; one that anybody may call has none."""
    found: dict[tuple[str, str], Role] = {}
    for route in _flat(app.routes):
        needed = list(_asked(getattr(route, "dependant", None)))
        for method in getattr(route, "methods", None) or () if needed else ():
            found[method, route.path] = needed[0]
    return found


def _asked(dependant: Any) -> Iterator[Role]:
    """What a route, and what it depends on, ask of who calls it."""
    for each in getattr(dependant, "dependencies", ()):
        if isinstance(each.call, Needs):
            yield each.call.role
        yield from _asked(each)


def _flat(routes: Iterable[Any]) -> Iterator[Any]:
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is None:
            yield route
        else:
            yield from _flat(included.routes)


def describe(app: FastAPI) -> dict[str, Any]:
    """Made once, then kept."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, openapi_version="3.1.0", description=_ABOUT, routes=app.routes
        )
        schemas = document["components"]["schemas"]
        schemas["Problem"] = Problem.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        roles = roles_of(app)
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                _complete(operation, method, roles.get((method.upper(), path)))
        app.openapi_schema = document
    return app.openapi_schema


def _complete(operation: dict[str, Any], method: str, role: Role | None) -> None:
    told = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    assert MEDIA_TYPE in told
    for status, description in _PROBLEMS.items():
        operation["responses"][status] = {"description": description, "content": told}
    if role is not None:
        operation["security"] = [{"key": []}]
        operation["x-role"] = role.value
    if method == "post":
        operation.setdefault("parameters", []).append(_KEY)
