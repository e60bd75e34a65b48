"""A terminal with the command on it: reads until something is shown, then types. Nothing waits for time to pass."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from types import TracebackType
from typing import Self

from tests.engine.cli.command import COMMAND, environment
from tests.engine.cli.emulator import Emulator

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]")
_PATIENCE = 60.0
"""Seconds without any output after which a test gives up."""


class Terminal:
    """Runs the command with a terminal as standard input, output and error."""

    def __init__(self, *arguments: str, columns: int = 120, **more: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self._child = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(COLUMNS=str(columns), **more),
            start_new_session=True,
            # Makes it the terminal that Ctrl-C on it interrupts.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self._raw = ""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()
        os.close(self._ours)

    @property
    def raw(self) -> str:
        """All that was shown, with colours."""
        return self._raw

    @property
    def text(self) -> str:
        """All that was shown, without."""
        return _ESCAPE.sub("", self._raw).replace("\r\n", "\n").replace("\r", "")

    def until(self, marker: str) -> str:
        """Read until `marker` is shown, after what was read before; what was shown on the way."""
        while marker not in self.text[self._seen :]:
            assert self._read(), f"{marker!r} was not shown:\n{self.text}"
        start = self._seen
        self._seen = self.text.index(marker, self._seen) + len(marker)
        return self.text[start : self._seen]

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def key(self, code: str) -> None:
        """A control character, as the key sends it."""
        os.write(self._ours, code.encode())

    def end(self) -> int:
        """Read what is left; the exit code."""
        while self._read():
            pass
        return self._child.wait(_PATIENCE)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], _PATIENCE)
        if not ready:
            return False
        try:
            data = os.read(self._ours, 65_536)
        except OSError:  # what a terminal says when its last program has gone
            return False
        self._raw += data.decode(errors="replace")
        return bool(data)


def on_screen(terminal: Terminal, columns: int = 120) -> list[str]:
    """The lines that stand on it now and those that went out at its top, empty ones left out."""
    emulator = Emulator(columns, height=40)
    emulator.write(terminal.raw.replace("\r\n", "\n"))
    return [line for line in emulator.lines if line]
