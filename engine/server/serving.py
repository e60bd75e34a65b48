"""Runs the server: `governor serve`."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI

from engine.governor import Governor
from engine.server.app import create_app
from engine.server.identity.local import LocalIdentity
from engine.server.services import services_in
from engine.server.timekeeper import Timekeeper
from governance.ports import SystemClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where it listens. A server on more than this machine belongs behind a proxy that speaks TLS."""

    host: str
    port: int

    def listen(self) -> socket.socket:
        """Raises OSError where that is not possible."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        return socket.create_server((self.host, self.port), family=family, backlog=256)


class Stopping(uvicorn.Server):
    """Ends what streams before it waits for what is being answered."""

    def __init__(self, app: FastAPI) -> None:
        # Requests are not logged: an address may hold the secret of the first link.
        super().__init__(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
        self._heard = services_in(app).heard

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._heard.stop()
        await super().shutdown(sockets)


def serve(
    governor: Governor, listening: socket.socket, settings: Mapping[str, Any], tell: Callable[[str], None]
) -> None:
    """Serve until it is told to stop (Ctrl-C, SIGTERM). `tell` hears a line for the user.

    `settings` are those of instances that are started here: model, handlers, folder.
    """
    clock = SystemClock()
    identity = LocalIdentity(governor.store.access, clock)
    host, port = listening.getsockname()[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    tell(f"Governor listens on {url}; Ctrl-C ends it.")
    if identity.link:
        tell(f"Nobody can sign in yet. This link makes the first user: {url}/first?secret={identity.link}")
    with Timekeeper(governor):
        Stopping(create_app(governor, identity, clock, settings=settings)).run(sockets=[listening])
