"""A run without agents and declared outputs does not pay for what only they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("jinja2", "jsonschema", "yaml", "importlib.metadata", "sklearn", "numpy", "snowballstemmer", "networkx")


def imported(code: str) -> list[str]:
    """Which of the heavy modules are imported after `code`."""
    run = f"import sys\n{code}\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    "module",
    [
        "engine.activities.registry",
        "engine.activities.choose",
        "engine.activities.agent",
        "engine.models.choose",
        "engine.prompts.assembler",
    ],
)
def test_importing_is_cheap(module: str) -> None:
    before = imported("import bpmn.findings, engine.activities.work")
    assert set(imported(f"import {module}")) <= set(before)


def test_setting_up_handlers_for_a_run_without_agents_is_cheap() -> None:
    before = imported("import bpmn.findings, engine.activities.work")
    code = "from engine.activities.choose import activity_handlers\nactivity_handlers()"
    assert set(imported(code)) <= set(before)
    assert not {"jinja2", "jsonschema", "yaml", "sklearn"} & set(imported(code))
