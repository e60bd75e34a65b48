"""Programs as processes of their own on one database; a service in them works until it is let go on."""

from __future__ import annotations

import json
import os
import select
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.embedding import open_governor
from tests.engine.cli.command import COMMAND, environment
from tests.engine.noting import NOTING

_DEADLINE = 60.0

_HANDLERS = NOTING + '''

def hold(job):
    """Until the test lets it go on."""
    note("hold", job)
    gate = HERE / f"gate-{{os.getpid()}}"
    os.mkfifo(gate)
    with open(HERE / "told", "w") as told:
        told.write(f"{{os.getpid()}}\\n")
    with open(gate) as go:
        go.readline()
    return {{"paid": 40}}


HANDLERS = {{"do": do, "hold": hold}}
'''


@dataclass
class Program:
    """A process of the command."""

    process: subprocess.Popen[str]

    @property
    def pid(self) -> int:
        return self.process.pid

    def ends(self) -> tuple[int, str, str]:
        """Wait for it: exit code, output, errors."""
        out, err = self.process.communicate(timeout=_DEADLINE)
        return self.process.returncode, out, err

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=_DEADLINE)


@dataclass
class Desk:
    """A database, the programs at it, and a log of what they did outside."""

    where: str
    folder: Path
    _running: list[Program] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "doing.py").write_text(_HANDLERS.format(folder=str(self.folder)))
        os.mkfifo(self.folder / "told")
        # Open for both it waits for nobody, and a line in it stays until it is read.
        self._told = os.open(self.folder / "told", os.O_RDWR | os.O_NONBLOCK)
        with open_governor(self.where):
            pass

    def run(self, source: bytes, **more: str) -> Program:
        file = self.folder / "m.bpmn"
        file.write_bytes(source)
        return self.command("run", str(file), "--handlers", str(self.folder / "doing.py"), "--json", **more)

    def command(self, *arguments: str, **more: str) -> Program:
        program = Program(subprocess.Popen(
            [*COMMAND, *arguments, "--db", self.where], env=environment(**more), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ))  # fmt: skip
        self._running.append(program)
        return program

    def until_held(self) -> int:
        """Wait until a program is at the service; its process."""
        line = b""
        while not line.endswith(b"\n"):
            readable, _, _ = select.select([self._told], [], [], _DEADLINE)
            assert readable, f"nobody came to the service: {self.effects()}, {self._said()}"
            line += os.read(self._told, 1)
        return int(line)

    def let_go(self, program: Program | int) -> None:
        with open(self.folder / f"gate-{getattr(program, 'pid', program)}", "w") as gate:
            gate.write("go\n")

    def effects(self) -> list[tuple[str, str, int]]:
        """(what, idempotency key, process), in order."""
        log = self.folder / "effects"
        rows = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
        return [(what, key, int(pid)) for what, key, pid in rows]

    def did(self) -> list[str]:
        return [what for what, _, _ in self.effects()]

    def look(self, what: str, *arguments: Any, **more: Any) -> Any:
        """What a Governor of this process gives by a method of that name."""
        with open_governor(self.where) as governor:
            return getattr(governor, what)(*arguments, **more)

    def instance(self) -> str:
        """The one that was started last."""
        id: str = self.look("instances")[0].id
        return id

    def close(self) -> None:
        for program in self._running:
            if program.process.poll() is None:
                program.process.kill()
            program.process.communicate(timeout=_DEADLINE)
        os.close(self._told)

    def _said(self) -> list[Any]:
        return [each.ends() for each in self._running if each.process.poll() is not None]


def told(out: str) -> Any:
    """The one JSON object that a command printed."""
    return json.loads(out)
