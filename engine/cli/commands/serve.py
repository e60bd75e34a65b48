"""`governor serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0: every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65_535, help="Port to listen on.")] = 8600,
    db: Db = None,
) -> None:
    """Serve a console for a browser, and REST for programs.

    The first time it prints a link to sign in with.
    """
    from engine.cli.serving import serve_on

    serve_on(db, host, port)
