"""What a program is told, and a person is shown, where something is refused or goes wrong."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from engine.server.api.parts import API
from engine.server.errors import WrongRequest
from engine.server.identity.errors import SignInNeeded
from engine.server.problems import MEDIA_TYPE, OURS, problem_of
from engine.server.services import services_of
from engine.store.errors import UnknownInstance

_RETRY_AFTER: Final = "retry-after"
_OF_ITSELF: Final = ("type", "title", "status", "instance")


def answer_errors(app: FastAPI) -> None:
    """Answer them as problem+json under /v1, and as pages elsewhere."""

    async def ours(request: Request, error: Exception) -> Response:
        return _refuse(request, error, await run_in_threadpool(_masked, request, error, problem_of(error)))

    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        wrong = WrongRequest([_place(each) for each in error.errors()])
        return _refuse(request, wrong, problem_of(wrong))

    async def by_framework(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        problem = {
            "type": "about:blank", "title": HTTPStatus(error.status_code).phrase, "status": error.status_code,
            "detail": str(error.detail),
        }  # fmt: skip
        return _refuse(request, error, problem, dict(error.headers or {}))

    for kind in OURS:
        app.add_exception_handler(kind, ours)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, by_framework)


def _masked(request: Request, error: Exception, problem: dict[str, Any]) -> dict[str, Any]:
    """A problem of an instance tells no more of it than its pages do: if that cannot be known, it tells why."""
    about = getattr(error, "item", error)
    instance = getattr(about, "instance", None) or request.path_params.get("instance")
    if not isinstance(instance, str):
        return problem
    facts = {name: value for name, value in problem.items() if name not in _OF_ITSELF}
    try:
        return {**problem, **services_of(request).seeing.told(instance, facts)}
    except UnknownInstance:
        return problem
    except OURS as unknown:
        return problem_of(unknown)


def _refuse(
    request: Request, error: Exception, problem: dict[str, Any], headers: dict[str, str] | None = None
) -> Response:
    status, headers = problem["status"], dict(headers or {})
    if status == 503:
        headers.setdefault(_RETRY_AFTER, "1")
    if status == 429:
        headers.setdefault(_RETRY_AFTER, str(problem.get("seconds", 60)))
    if request.url.path.startswith(API):
        if status == 401:
            headers.setdefault("www-authenticate", "Bearer")
        body = orjson.dumps(problem, default=str, option=orjson.OPT_NON_STR_KEYS)
        return Response(body, status, headers, media_type=MEDIA_TYPE)
    if isinstance(error, SignInNeeded):
        return RedirectResponse(f"/sign-in?next={quote(request.url.path, safe='')}", 303)
    page = services_of(request).pages.show(request, "refused.html.j2", status=status, told=problem["detail"])
    page.headers.update(headers)
    return page


def _place(problem: Any) -> dict[str, str]:
    where = "/".join(str(each) for each in problem["loc"])
    return {"at": where, "problem": str(problem["msg"])}
