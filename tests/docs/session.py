"""A reader who follows a page: a folder of its own with the project's samples in it, a database of its own, a name."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from typer.testing import CliRunner

from engine.cli.app import app
from tests.docs.matching import Ids
from tests.project.tree import ROOT

READER: Final = "maria"
_LINKED: Final = ("docs", "samples")
_TOOLS: Final = ".bin"
_FOR_A_SHELL: Final = re.compile(r"[|&;<>`$#*?~]")
_GOVERNOR: Final = f"""#!/bin/sh
exec '{sys.executable}' -c 'from engine.cli.app import main; main()' "$@"
"""


class Session:
    """Runs what a page says, from `folder`, which is the reader's current one.

    Plain calls of `governor` run in this process, which is ten times as fast as one of their own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ids = Ids()
        self.code = 0
        """Exit code of the last command."""
        self._names: dict[str, Any] = {"__name__": "__page__"}
        """What programs of the page have defined."""
        for name in _LINKED:
            (folder / name).symlink_to(ROOT / name)
        tools = folder / _TOOLS
        tools.mkdir()
        (tools / "governor").write_text(_GOVERNOR, encoding="utf-8")
        (tools / "governor").chmod(0o755)
        self._environment = {
            "GOVERNOR_DB": str(folder / "runs.db"),
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "TZ": "UTC",
            "USER": READER,
        }

    def write(self, name: str, text: str) -> None:
        """Make a file."""
        (self._folder / name).write_text(text, encoding="utf-8")

    def run(self, command: str, *, in_a_shell: bool = False) -> list[str]:
        """The lines that a command prints, on both streams as a terminal shows them."""
        if command == "echo $?":
            return [str(self.code)]
        command = _with_our_tools(self.ids.actual(command), self._folder)
        is_plain = command.startswith("governor ") and not _FOR_A_SHELL.search(_bare(command))
        if in_a_shell or not is_plain:
            return self._in_a_shell(command)
        return self._here(shlex.split(command.replace("\\\n", ""))[1:])

    def execute(self, program: str, name: str) -> list[str]:
        """The lines that a Python program prints; what it defines, later ones of the page can use."""
        printed = io.StringIO()
        with contextlib.chdir(self._folder), contextlib.redirect_stdout(printed):
            exec(compile(program, name, "exec"), self._names)
        return printed.getvalue().splitlines()

    def _here(self, arguments: list[str]) -> list[str]:
        path = list(sys.path)
        with contextlib.chdir(self._folder):
            result = CliRunner(env={**self._environment, "GOVERNOR_MODEL": None}).invoke(app, arguments)
        # A command may have made the modules of a folder importable.
        sys.path[:] = path
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        self.code = result.exit_code
        return result.output.splitlines()

    def _in_a_shell(self, command: str) -> list[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GOVERNOR_")}
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env={**kept, **self._environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        # A shell says 128 and the signal.
        self.code = done.returncode if done.returncode >= 0 else 128 - done.returncode
        return done.stdout.splitlines()


def _with_our_tools(command: str, folder: Path) -> str:
    """`make` in the checkout, with the packages that run this test: nothing is set up."""
    target = command.removeprefix("make ")
    if target == command:
        return command
    options = f"VENV={folder}/.venv BIN={folder}/{_TOOLS}"
    return f"make --no-print-directory --directory={ROOT} --old-file={folder}/.venv/.ready {options} {target}"


def _bare(command: str) -> str:
    """A command without what stands in single quotes, which means nothing to a shell."""
    return re.sub(r"'[^']*'", "", command)
