"""A POST that carries an idempotency key is done once, however often it is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from engine.server.errors import KeyInUse, KeyReused, WrongRequest
from engine.server.identity.guard import person_of
from engine.server.services import Services, services_of
from engine.store.replies import Reply
from governance.ports import timestamp

HEADER: Final = "idempotency-key"
FORM: Final = re.compile(r"[!-~]{1,200}")
"""Of a key."""
KEPT: Final = timedelta(hours=24)
"""How long an answer is remembered."""

Handle = Callable[[Request], Coroutine[Any, Any, Response]]


class OnceRoute(APIRoute):
    """A route whose POST looks at the key. Refused requests may be sent again with theirs."""

    def get_route_handler(self) -> Handle:
        handle: Handle = super().get_route_handler()
        if "POST" not in (self.methods or ()):
            return handle

        async def once(request: Request) -> Response:
            key, person = request.headers.get(HEADER, ""), person_of(request)
            if HEADER not in request.headers or person is None:
                return await handle(request)
            if not FORM.fullmatch(key):
                raise WrongRequest([{"at": f"header/{HEADER}", "problem": "not 1 to 200 visible characters of ASCII"}])
            return await _once(request, handle, person.name, key)

        return once


async def _once(request: Request, handle: Handle, who: str, key: str) -> Response:
    services = services_of(request)
    asked = sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode() + await request.body())
    found = await run_in_threadpool(_begin, services, who, key, asked.hexdigest())
    if found is not None:
        return _again(found, key, asked.hexdigest())
    try:
        answer = await handle(request)
    except BaseException:
        await run_in_threadpool(services.replies.drop, who, key)
        raise
    location = answer.headers.get("location", "")
    await run_in_threadpool(services.replies.keep, who, key, answer.status_code, location, bytes(answer.body))
    return answer


def _begin(services: Services, who: str, key: str, asked: str) -> Reply | None:
    now = services.clock.now()
    return services.replies.begin(who, key, asked, timestamp(now), forget=timestamp(now - KEPT))


def _again(found: Reply, key: str, asked: str) -> Response:
    if found.request != asked:
        raise KeyReused(key)
    if found.status == 0:
        raise KeyInUse(key)
    headers = {"idempotent-replayed": "true", **({"location": found.location} if found.location else {})}
    return Response(found.body, found.status, headers, media_type="application/json")
