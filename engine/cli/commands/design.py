"""`governor design`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import File


def design(
    file: File,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Default: any that is free.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the link.")] = False,
) -> None:
    """Draw a file and its policies in the browser, on this machine alone.

    The link it prints works once. Ctrl-C ends it; what was not saved is kept beside the file.
    """
    from engine.cli.designing import design_file

    design_file(file, port, opens=not no_browser)
