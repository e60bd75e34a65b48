"""Hears what a child says: no longer than it may take, no more than it may say, and nothing after its end."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from typing import Final

_LOOK: Final = 0.05
"""Seconds between two looks whether a child has ended whose descendants still hold its pipe."""
_PIECE: Final = 1 << 16


class TooLate(Exception):
    """It was not done in time."""


class TooMuch(Exception):
    """It says more than it may."""


def hear(child: subprocess.Popen[bytes], seconds: float, most: int) -> bytes:
    """What it writes to its standard output until it ends, at most so many bytes. Raises TooLate, TooMuch."""
    assert child.stdout is not None
    said, pipe, deadline = bytearray(), child.stdout.fileno(), time.monotonic() + seconds
    os.set_blocking(pipe, False)
    with selectors.DefaultSelector() as ready:
        ready.register(pipe, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            ready.select(min(left, _LOOK))
            has_ended = child.poll() is not None  # before it is read: what is there then is all
            closed = _read(pipe, said, most)
            if closed or has_ended:
                with suppress(subprocess.TimeoutExpired):
                    child.wait(max(0.0, deadline - time.monotonic()))
                    return bytes(said)
    raise TooLate


def end(child: subprocess.Popen[bytes]) -> bytes:
    """End it, and what it started, but for what has begun a session of its own; what it has told of its end."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
    told = b""
    if child.stderr is not None:
        os.set_blocking(child.stderr.fileno(), False)
        with suppress(BlockingIOError):
            told = os.read(child.stderr.fileno(), _PIECE)
        child.stderr.close()
    if child.stdout is not None:
        child.stdout.close()
    return told


def _read(pipe: int, said: bytearray, most: int) -> bool:
    """Add what is there; True: nobody can write any more. Raises TooMuch."""
    while True:
        try:
            piece = os.read(pipe, _PIECE)
        except BlockingIOError:
            return False
        if not piece:
            return True
        said += piece
        if len(said) > most:
            raise TooMuch
