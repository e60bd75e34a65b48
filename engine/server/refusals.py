"""What a browser is shown, and a program is told, where something is refused or goes wrong."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from engine.server.identity.errors import ForeignRequest, IdentityError, RoleNeeded, SignInNeeded
from engine.server.services import services_of

_STATUS = {SignInNeeded: 401, RoleNeeded: 403, ForeignRequest: 403}


def refuse_by_problem(app: FastAPI) -> None:
    """Answer errors as problem+json where a program asks, and as a page where a person does."""

    @app.exception_handler(IdentityError)
    async def refused(request: Request, error: IdentityError) -> Response:
        status = _STATUS[type(error)]
        if request.url.path.startswith("/v1"):
            problem = {"type": "about:blank", "title": type(error).__name__, "status": status, "detail": str(error)}
            return JSONResponse(problem, status, media_type="application/problem+json")
        if status == 401:
            return RedirectResponse(f"/sign-in?next={quote(request.url.path, safe='')}", 303)
        return services_of(request).pages.show(request, "refused.html.j2", status=status, told=str(error))
