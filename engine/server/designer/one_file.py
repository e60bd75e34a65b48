"""The designer alone, for one file of whoever runs the program: `governor design FILE`."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Annotated, Final

from fastapi import FastAPI, Query, Request
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.report.environment import ASSETS
from engine.server.app import PARTS
from engine.server.assets import Assets
from engine.server.console import language
from engine.server.designer import routes
from engine.server.designer.desk import Desk
from engine.server.identity.errors import IdentityError
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.server.pages import Pages
from engine.server.security_headers import SecurityHeaders

_SERVER: Final = Path(__file__).parents[1]
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_PAGE: Final = "/design/file"


class OneTime:
    """The secret of the link that is printed: whoever opens it first is who runs the program."""

    def __init__(self, port: int) -> None:
        self.link = secrets.token_urlsafe(24)
        # Cookies do not tell ports of one host apart.
        self.cookie = f"governor_design_{port}"
        self._session = ""
        self._person = Person(name="you", roles=frozenset({Role.ADMIN}), csrf=secrets.token_urlsafe(24))

    def open(self, secret: str) -> str | None:
        """The session that begins; None for another secret, or if it began already."""
        if self._session or not secrets.compare_digest(secret.encode(), self.link.encode()):
            return None
        self._session = secrets.token_urlsafe(24)
        return self._session

    def recognise(self, session: str) -> Person | None:
        known = self._session and secrets.compare_digest(session.encode(), self._session.encode())
        return self._person if known else None


class _Recognising:
    """Leaves in the request's state who it is from."""

    def __init__(self, app: ASGIApp, one_time: OneTime) -> None:
        self._app, self._one_time = app, one_time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                cookies: SimpleCookie = SimpleCookie(Headers(scope=scope).get("cookie", ""))
            except CookieError:
                cookies = SimpleCookie()
            found = cookies.get(self._one_time.cookie)
            person = None if found is None else self._one_time.recognise(found.value)
            scope.setdefault("state", {})["person"] = person
        await self._app(scope, receive, send)


class OneDesk:
    """The one file, whatever else is asked for."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def desk(self, name: str) -> Desk | None:
        return self._desk if name == "file" else None


def create_designer(desk: Desk, one_time: OneTime) -> FastAPI:
    """An ASGI application that serves the designer and nothing else."""
    assets = Assets([*(part / "static" for part in PARTS), _SERVER / "vendor", ASSETS])
    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(_LOOPBACK)),
            Middleware(SecurityHeaders),
            Middleware(GZipMiddleware, minimum_size=1000),
            Middleware(_Recognising, one_time=one_time),
        ],
    )
    app.state.pages = Pages([part / "templates" for part in PARTS], assets)
    app.state.desks = OneDesk(desk)

    @app.exception_handler(IdentityError)
    async def refused(request: Request, error: IdentityError) -> Response:
        """Who comes without the link, to the page or with a request that is not the page's own."""
        if request.method == "GET" and "json" not in request.headers.get("accept", ""):
            return app.state.pages.show(request, "link_needed.html.j2", status=403)  # type: ignore[no-any-return]
        problem = {"type": "about:blank", "title": "SignedOut", "status": 401, "detail": str(error)}
        return JSONResponse(problem, 401, media_type="application/problem+json")

    app.include_router(routes.router)
    app.include_router(language.router)

    @app.get("/")
    def first(request: Request, secret: Annotated[str, Query()] = "") -> Response:
        """The link that was printed; used once, it leads to the file."""
        session = one_time.open(secret) if secret else None
        answer = RedirectResponse(_PAGE, 303)
        if session is not None:
            answer.set_cookie(one_time.cookie, session, httponly=True, samesite="lax")
        return answer

    app.mount("/static", assets.app(), name="static")
    return app
