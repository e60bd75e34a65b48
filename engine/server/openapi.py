"""The OpenAPI document: what the framework makes of the routes, and what holds for all of them."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from engine.server.api.documents import Problem
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
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                _complete(operation, method, is_public=path == "/v1/health")
        app.openapi_schema = document
    return app.openapi_schema


def _complete(operation: dict[str, Any], method: str, *, is_public: bool) -> None:
    told = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    assert MEDIA_TYPE in told
    for status, description in _PROBLEMS.items():
        operation["responses"][status] = {"description": description, "content": told}
    if not is_public:
        operation["security"] = [{"key": []}]
    if method == "post":
        operation.setdefault("parameters", []).append(_KEY)
