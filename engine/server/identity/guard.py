"""Asks at every route who is there, and what they may do."""

from __future__ import annotations

from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.params import Depends as Dependency
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.server.identity.errors import ForeignRequest, RoleNeeded, SignInNeeded
from engine.server.identity.port import Credentials, Identity, Person
from engine.server.identity.roles import Role

COOKIE: Final = "governor_session"
CSRF_HEADER: Final = "x-csrf-token"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
_BEARER: Final = "bearer "


class Recognising:
    """Finds out once per request who it is from, and leaves that in the request's state as `person`."""

    def __init__(self, app: ASGIApp, identity: Identity) -> None:
        self._app, self._identity = app, identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            given = _credentials(Headers(scope=scope))
            known = bool(given.session or given.token)
            person = await run_in_threadpool(self._identity.recognise, given) if known else None
            scope.setdefault("state", {})["person"] = person
        await self._app(scope, receive, send)


class Needs:
    """A dependency: the person, who must have a role. Its `role` can be read off a route."""

    def __init__(self, role: Role) -> None:
        self.role = role

    async def __call__(self, request: Request) -> Person:
        person = person_of(request)
        if person is None:
            raise SignInNeeded
        if not person.may(self.role):
            raise RoleNeeded(person.name, self.role)
        if request.method not in SAFE and person.csrf:
            _require_token(request, person.csrf)
        return person


def needs(role: Role) -> Any:
    """For a route's parameter: `person: Annotated[Person, needs(Role.VIEWER)]`."""
    made: Dependency = Depends(Needs(role))
    return made


def person_of(request: Request) -> Person | None:
    """Who the request is from, None: nobody that is known."""
    found: Person | None = getattr(request.state, "person", None)
    return found


def require_own_page(request: Request) -> None:
    """For forms of who is not signed in, and has no token: a browser says where a request comes from.

    Raises ForeignRequest where that is another site.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise ForeignRequest
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise ForeignRequest


def _require_token(request: Request, expected: str) -> None:
    given = request.headers.get(CSRF_HEADER, "")
    if not compare_digest(given.encode(), expected.encode()):
        raise ForeignRequest


def _credentials(headers: Headers) -> Credentials:
    authorization = headers.get("authorization", "")
    if authorization[: len(_BEARER)].lower() == _BEARER:
        return Credentials(token=authorization[len(_BEARER) :].strip())
    try:
        cookies: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return Credentials()
    return Credentials(session=cookies[COOKIE].value if COOKIE in cookies else "")
