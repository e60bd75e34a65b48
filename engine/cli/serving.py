"""`governor serve`: a server on a database."""

from __future__ import annotations

import typer

from engine.cli.errors import MissingExtra
from engine.cli.wiring import governor_on


def serve_on(db: str | None, host: str, port: int) -> None:
    """Serve until it is stopped. Raises MissingExtra, StoreError, OSError."""
    try:
        from engine.server.serving import Address, serve
    except ImportError as error:
        raise MissingExtra("governor serve", "server", error.name or "") from error
    with governor_on(db) as governor:
        serve(governor, Address(host=host, port=port), typer.echo)
