"""Runs the server: `governor serve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import uvicorn

from engine.governor import Governor
from engine.server.app import create_app
from engine.server.identity.local import LocalIdentity
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


def serve(governor: Governor, address: Address, tell: Callable[[str], None]) -> None:
    """Serve until it is told to stop (Ctrl-C, SIGTERM). `tell` hears a line for the user. Raises OSError."""
    clock = SystemClock()
    identity = LocalIdentity(governor.store.access, clock)
    tell(f"Governor listens on {address.url}")
    if identity.link:
        tell(f"Nobody can sign in yet. This link makes the first user: {address.url}/first?secret={identity.link}")
    config = uvicorn.Config(
        create_app(governor, identity, clock),
        host=address.host,
        port=address.port,
        log_level="warning",
        # Addresses of requests may hold the secret of the first link.
        access_log=False,
        server_header=False,
    )
    uvicorn.Server(config).run()
