"""`governor design`: the designer for one file, in the user's browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from pathlib import Path

from engine.cli.errors import BadOption, MissingExtra
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style


def design_file(file: str, port: int, *, opens: bool) -> None:
    """Serve it until Ctrl-C. Raises MissingExtra, BpmnError for what is no BPMN, BadOption for a port that is taken."""
    try:
        from engine.server.designer.serving import Telling, listen, serve_file
    except ModuleNotFoundError as error:
        raise MissingExtra("governor design", "server", error.name or "") from error
    screen = output()

    def link(address: str) -> None:
        screen.line((file, Style.STRONG), ": open ", (address, Style.NAME))
        screen.line(("The link works once, on this machine. Ctrl-C ends it.", Style.DIM))
        if opens and _has_windows():
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        listening = listen(port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadOption("--port", str(port), f"{reason.lower()}; choose another, or leave it out") from error
    with listening:
        serve_file(Path(file), listening, Telling(line=screen.line, link=link))


def _has_windows() -> bool:
    """Whether a browser would open a window, and not take over the terminal."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
