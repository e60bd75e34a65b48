"""Runs the command: here, or in a child process as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from typer.testing import CliRunner

from engine.cli.app import app
from tests.project.tree import ROOT

COMMAND = [sys.executable, "-c", "from engine.cli.app import main; main()"]


@dataclass(frozen=True)
class Told:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(**more: str) -> dict[str, str]:
    """The environment of a child: somebody with a name, our packages, no settings of the developer's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GOVERNOR_")}
    return {**kept, "USER": "maria", "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **more}


def governor(*arguments: str) -> Told:
    """The command in this process, where nobody is at a terminal."""
    result = CliRunner(env={"USER": "maria", "GOVERNOR_DB": None, "GOVERNOR_MODEL": None}).invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Told(result.exit_code, result.stdout, result.stderr)


def governor_child(*arguments: str, input: str = "", **more: str) -> Told:
    """The command in a process of its own; `more` is added to its environment."""
    done = subprocess.run(
        [*COMMAND, *arguments], input=input, env=environment(**more), capture_output=True, text=True, timeout=60
    )
    return Told(done.returncode, done.stdout, done.stderr)
