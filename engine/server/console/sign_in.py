"""Pages for who is not signed in yet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from engine.server.identity.guard import COOKIE, person_of
from engine.server.services import services_of

router = APIRouter(include_in_schema=False)


@router.get("/first")
def first(request: Request, secret: Annotated[str, Query()] = "") -> Response:
    """The one-time link."""
    services = services_of(request)
    session = services.identity.open_link(secret)
    if session is None:
        return services.pages.show(request, "sign_in.html.j2", status=403, told="This link was used, or is not valid.")
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, session, httponly=True, samesite="lax", secure=request.url.scheme == "https")
    return answer


@router.get("/sign-in")
def sign_in(request: Request) -> Response:
    if person_of(request) is not None:
        return RedirectResponse("/", 303)
    return services_of(request).pages.show(request, "sign_in.html.j2", told="")
