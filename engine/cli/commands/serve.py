"""`governor serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Handlers, Model


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0: every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="Port to listen on; 0: any.")] = 8600,
    model: Model = None,
    handlers: Handlers = None,
    db: Db = None,
) -> None:
    """Serve a console for a browser, and REST for programs.

    The first time it prints a link to sign in with. Model and handlers are those of instances that are started there.
    """
    from engine.cli.serving import serve_on

    settings = {"model": model, "handlers": list(handlers or ())}
    serve_on(db, host, port, {name: value for name, value in settings.items() if value})
