"""Runs the server: `governor serve`."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI

from engine.governor import Governor
from engine.server.app import create_app
from engine.server.identity.local import LocalIdentity
from engine.server.services import services_in
from governance.ports import SystemClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where it listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


class Stopping(uvicorn.Server):
    """Ends what streams before it waits for what is being answered."""

    def __init__(self, app: FastAPI, **settings: Any) -> None:
        super().__init__(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, **settings))
        self._heard = services_in(app).heard

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._heard.stop()
        await super().shutdown(sockets)


def serve(governor: Governor, address: Address, tell: Callable[[str], None]) -> None:
    """Serve until it is told to stop (Ctrl-C, SIGTERM). `tell` hears a line for the user. Raises OSError."""
    clock = SystemClock()
    identity = LocalIdentity(governor.store.access, clock)
    tell(f"Governor listens on {address.url}")
    if identity.link:
        tell(f"Nobody can sign in yet. This link makes the first user: {address.url}/first?secret={identity.link}")
    # Requests are not logged: an address may hold the secret of the first link.
    Stopping(create_app(governor, identity, clock), host=address.host, port=address.port).run()
