"""Writes down every write that somebody made or tried, and every look without masks: who, what, how it was answered."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server.identity.guard import SAFE
from engine.server.seeing import UNMASKED
from engine.store.access import AccessTables
from governance.ports import Clock, timestamp


class Auditing:
    """Only requests of people that are known are written down: what nobody did can fill no database."""

    def __init__(self, app: ASGIApp, access: AccessTables, clock: Clock) -> None:
        self._app, self._access, self._clock = app, access, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            state = scope.get("state", {})
            person = state.get("person")
            if person is not None and (scope["method"] not in SAFE or state.get(UNMASKED)):
                action = f"{scope['method']} {_template(scope)}{' (personal)' if state.get(UNMASKED) else ''}"
                at = timestamp(self._clock.now())
                await run_in_threadpool(self._access.audit, at, person.name, action, scope["path"], status)


def _template(scope: Any) -> str:
    """The address with names in place of ids, so that what was done can be counted."""
    route = scope.get("route")
    return str(getattr(route, "path", None) or scope["path"])
