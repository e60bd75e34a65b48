"""What is not needed is not loaded: help costs little more than Typer."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.cli.command import COMMAND, environment, governor_child
from tests.engine.cli.files import STEPS, Folder
from tests.project.tree import ROOT

HEAVY = {"rich", "sqlalchemy", "SpiffWorkflow", "lxml", "yaml", "orjson", "jinja2", "jsonschema", "sklearn"}


def loaded(*arguments: str) -> set[str]:
    """Top-level modules that the command has loaded when it ends."""
    return {name.partition(".")[0] for name in loaded_in_full(*arguments)}


def loaded_in_full(*arguments: str) -> set[str]:
    """All modules."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('\\n', *sys.modules, file=sys.stderr))\n"
        "from engine.cli.app import main\nmain()"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60, cwd=ROOT)
    return set(done.stderr.splitlines()[-1].split())


def test_help_loads_nothing_heavy() -> None:
    assert not loaded("--help") & {*HEAVY, "pydantic"}


@pytest.mark.parametrize("arguments", [["run", "--help"], ["context", "log", "--help"], ["--version"]])
def test_help_of_a_command_loads_no_more_than_typer_does(arguments: list[str]) -> None:
    assert not loaded(*arguments) & HEAVY


def cost(compiled: Path, *command: str) -> float:
    """CPU seconds of a command whose modules are compiled, as after an installation."""
    kept = {**environment(), "PYTHONPYCACHEPREFIX": str(compiled)}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=kept, capture_output=True, check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_costs_little_more_than_typer_does(tmp_path: Path) -> None:
    """In turn, so that what else the machine does is borne by both."""
    commands = [*COMMAND, "--help"], [sys.executable, "-c", "import typer"]
    help, typer = map(min, zip(*([cost(tmp_path, *each) for each in commands] for _ in range(5)), strict=True))
    assert help < 3 * typer


def test_a_small_run_loads_only_what_it_needs(folder: Folder) -> None:
    names = loaded_in_full("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    modules = {name.partition(".")[0] for name in names}
    assert "sqlalchemy" in modules
    assert not {name for name in names if name.startswith("sqlalchemy.dialects.postgresql")}
    assert not modules & {"rich", "sklearn", "numpy", "jinja2", "networkx", "yaml", "jsonschema", "snowballstemmer"}


def test_the_version_is_told() -> None:
    told = governor_child("--version")
    assert told.code == 0
    assert told.out.startswith("governor 0.")


def test_help_lists_every_command() -> None:
    words = {line.split()[0] for line in governor_child("--help").out.splitlines() if line.startswith("  ")}
    assert words >= {"run", "resume", "retry", "check", "policy", "instances", "show", "context", "inbox"}


def test_without_arguments_the_help_is_shown() -> None:
    told = governor_child()
    assert told.code == 2
    assert "Run processes:" in told.out + told.err
