"""`governor serve`: a server on a database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from engine.cli.errors import BadOption, MissingExtra
from engine.cli.wiring import governor_on


def serve_on(db: str | None, host: str, port: int, settings: Mapping[str, Any]) -> None:
    """Serve until it is stopped. Raises MissingExtra, StoreError, BadOption for an address that is taken."""
    try:
        from engine.server.serving import Address, serve
    except ModuleNotFoundError as error:
        raise MissingExtra("governor serve", "server", error.name or "") from error
    try:
        listening = Address(host=host, port=port).listen()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadOption("--host, --port", f"{host}, {port}", f"{reason}; choose another") from error
    with listening, governor_on(db) as governor:
        serve(governor, listening, {**settings, "folder": str(Path.cwd())}, typer.echo)
