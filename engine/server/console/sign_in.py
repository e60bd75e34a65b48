"""Pages for who is not signed in yet, and signing in and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from engine.server.console.language import local
from engine.server.identity.errors import BadUser, TooManyTries, WeakPassword, WrongPassword
from engine.server.identity.guard import COOKIE, needs, person_of, require_own_page
from engine.server.identity.local import LASTING
from engine.server.identity.port import Credentials, Person
from engine.server.identity.roles import Role
from engine.server.services import services_of

router = APIRouter(include_in_schema=False)

Field = Annotated[str, Form(max_length=1_000)]


@router.get("/first")
def first(request: Request, secret: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The one-time link: asks for a name and a password."""
    services = services_of(request)
    if not services.identity.is_first(secret):
        told = "This link was used, or is not valid."
        return services.pages.show(request, "sign_in.html.j2", status=403, told=told, next="/")
    return services.pages.show(request, "first.html.j2", secret=secret, told="", name="")


@router.post("/first")
def begin(request: Request, secret: Field = "", name: Field = "", password: Field = "") -> Response:
    """Make the first user."""
    require_own_page(request)
    services = services_of(request)
    try:
        session = services.identity.open_link(secret, name.strip(), password)
    except (BadUser, WeakPassword) as error:
        given = {"secret": secret, "told": str(error), "name": name}
        return services.pages.show(request, "first.html.j2", status=422, **given)
    return _signed_in(request, session, "/")


@router.get("/sign-in")
def sign_in(request: Request, next: Annotated[str, Query(max_length=2_000)] = "/") -> Response:
    if person_of(request) is not None:
        return RedirectResponse(local(next), 303)
    return services_of(request).pages.show(request, "sign_in.html.j2", told="", next=next)


@router.post("/sign-in")
def check(request: Request, name: Field = "", password: Field = "", next: Field = "/") -> Response:
    """A name and a password."""
    require_own_page(request)
    services, address = services_of(request), request.client.host if request.client else ""
    try:
        session = services.identity.sign_in(name.strip(), password, address)
    except (WrongPassword, TooManyTries) as error:
        status = 401 if isinstance(error, WrongPassword) else 429
        return services.pages.show(request, "sign_in.html.j2", status=status, told=str(error), next=next)
    return _signed_in(request, session, next)


@router.post("/sign-out")
def sign_out(request: Request, person: Annotated[Person, needs(Role.VIEWER)]) -> Response:
    services_of(request).identity.sign_out(request.cookies.get(COOKIE, ""))
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(COOKIE)
    return answer


def _signed_in(request: Request, session: str, next: str) -> Response:
    request.state.person = services_of(request).identity.recognise(Credentials(session=session))
    answer = RedirectResponse(local(next), 303)
    answer.set_cookie(
        COOKIE, session, max_age=int(LASTING.total_seconds()), httponly=True, samesite="lax",
        secure=request.url.scheme == "https",
    )  # fmt: skip
    return answer
