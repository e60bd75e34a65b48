"""Serves one file to a browser on this machine until it is told to stop."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from bpmn.reader.source import Limits
from bpmn.reader.xml import parse
from engine.server.designer.file_desk import FileDesk
from engine.server.designer.one_file import OneTime, create_designer

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Telling:
    """What the user hears: a `line`, and the `link` once it can be opened."""

    line: Callable[[str], None]
    link: Callable[[str], None]


def listen(port: int) -> socket.socket:
    """A socket on this machine alone; port 0 is any free one. Raises OSError."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def serve_file(path: Path, listening: socket.socket, telling: Telling) -> None:
    """Serve until Ctrl-C. What was drawn and not saved then stands beside the file. Raises BpmnError for no BPMN."""
    desk = FileDesk(path)
    parse(desk.read().data, str(path), Limits())
    port = listening.getsockname()[1]
    one_time = OneTime(port)
    config = uvicorn.Config(
        create_designer(desk, one_time),
        log_level="error",
        # Addresses of requests hold the secret of the link.
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # A terminal that is closed is no reason to lose a drawing. The server has ways of its own to end on the other two
    # signals; an exception in the middle of its loop, as they raise by default, may leave it waiting for ever.
    signal.signal(signal.SIGHUP, server.handle_exit)
    telling.link(f"http://{HOST}:{port}/?secret={one_time.link}")
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        rescued = desk.rescue()
        if rescued is not None:
            telling.line(f"{path.name} has changes that were not saved: they are in {rescued}")
