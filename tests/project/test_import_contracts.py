"""The import contracts hold, and each of them catches what it is there to catch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import PACKAGES, ROOT

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

ALLOWED = {
    "engine/cli/app.py": "import rich.table, typer, bpmn.reader, governance.merging, engine.runner",
    "engine/runner.py": "import engine.spiff.driver, engine.store, yaml",
    "engine/spiff/driver.py": "from SpiffWorkflow.bpmn.workflow import BpmnWorkflow",
    "engine/store/tables.py": "import sqlalchemy.orm, sqlmodel",
    "engine/prompts/render.py": "import jinja2.sandbox",
    "engine/report.py": "import jinja2",
    "engine/server/app.py": "import fastapi, jinja2, starlette.responses, uvicorn",
    "engine/store/migrations/env.py": "import alembic, psycopg",
    "engine/distributed/queue.py": "import dbos",
    "engine/evidence/signing.py": "import cryptography.hazmat",
    "bpmn/reader.py": "import lxml.etree, governance.policy.fields\nfrom governance.policy import Policy",
    "bpmn/cron.py": "import croniter",
    "bpmn/expressions/feel/patterns.py": "import regex",
    "governance/policy/fields.py": "import governance.errors, pydantic, orjson, immutables, json, xml.etree",
    "governance/errors.py": "",
    "governance/merging.py": "",
    "governance/similarity.py": "import numpy, snowballstemmer\nfrom sklearn.feature_extraction import text",
    "governance/relations.py": "import networkx",
    "governance/cda/scg.py": "import networkx.algorithms",
}
"""One module for every import that the layout allows."""

VIOLATIONS = [
    ("engine -> bpmn -> governance, never back", "bpmn/x.py", "import engine.runner"),
    ("engine -> bpmn -> governance, never back", "governance/x.py", "from bpmn import reader"),
    ("engine -> bpmn -> governance, never back", "governance/x.py", "def late():\n    import engine.runner"),
    ("bpmn knows nothing of governance but its policy", "bpmn/x.py", "from governance import merging"),
    ("governance stands on the standard library and a closed list", "governance/x.py", "import yaml"),
    ("SpiffWorkflow only in engine.spiff", "engine/x.py", "import SpiffWorkflow.bpmn"),
    ("SpiffWorkflow only in engine.spiff", "bpmn/x.py", "from SpiffWorkflow.task import Task"),
    ("SQLModel and SQLAlchemy only in engine.store", "engine/x.py", "from sqlmodel import Session"),
    ("SQLModel and SQLAlchemy only in engine.store", "engine/x.py", "import sqlalchemy.exc"),
    ("Jinja2 only in engine.prompts, engine.report and engine.server", "engine/x.py", "import jinja2"),
    ("Typer and Rich only in engine.cli", "engine/x.py", "from typer import echo"),
    ("Typer and Rich only in engine.cli", "bpmn/x.py", "import rich"),
    ("scikit-learn, numpy and the stemmer only in governance.similarity", "governance/x.py", "import sklearn"),
    ("scikit-learn, numpy and the stemmer only in governance.similarity", "governance/x.py", "import snowballstemmer"),
    ("scikit-learn, numpy and the stemmer only in governance.similarity", "engine/x.py", "import numpy"),
    ("networkx only in governance.relations and governance.cda", "governance/x.py", "import networkx"),
    ("regex only in bpmn.expressions.feel", "bpmn/x.py", "import regex"),
    ("the web framework only in engine.server", "engine/x.py", "import fastapi"),
    ("the web framework only in engine.server", "engine/cli/x.py", "import uvicorn"),
    ("Alembic and psycopg only in engine.store", "engine/x.py", "import alembic"),
    ("Alembic and psycopg only in engine.store", "engine/x.py", "import psycopg"),
    ("DBOS only in engine.distributed", "engine/x.py", "import dbos"),
    ("cryptography only in engine.evidence", "engine/x.py", "import cryptography"),
    ("croniter only in bpmn.cron", "bpmn/x.py", "from croniter import croniter"),
    ("lxml only in bpmn", "engine/x.py", "from lxml import etree"),
]


def broken_contracts(folder: Path) -> list[str]:
    """Names of the contracts of `folder`'s `.importlinter` that its code breaks."""
    command = [sys.executable, "-c", LINT, "--no-cache", "--no-logo"]
    wide = {**os.environ, "COLUMNS": "200"}  # no contract's name is wrapped
    run = subprocess.run(command, cwd=folder, env=wide, capture_output=True, text=True, check=False)
    assert "Contracts: " in run.stdout, run.stdout + run.stderr
    broken = re.findall(r"^(.+) BROKEN(?: \(.*\))?$", run.stdout, re.MULTILINE)
    assert run.returncode == bool(broken)
    return broken


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    """A small tree under the project's own contracts in which every allowed import is made."""
    shutil.copy(ROOT / ".importlinter", tmp_path)
    write(tmp_path / "tests/project/contract_types.py", (ROOT / "tests/project/contract_types.py").read_text())
    for name, code in ALLOWED.items():
        write(tmp_path / name, code)
    for package in (*PACKAGES, "tests"):
        for folder in [tmp_path / package, *filter(Path.is_dir, (tmp_path / package).rglob("*"))]:
            write(folder / "__init__.py", "")
    return tmp_path


def test_the_project_keeps_its_contracts() -> None:
    assert broken_contracts(ROOT) == []


def test_the_allowed_imports_are_allowed(skeleton: Path) -> None:
    assert broken_contracts(skeleton) == []


@pytest.mark.parametrize(("contract", "module", "code"), VIOLATIONS)
def test_a_violating_import_breaks_its_contract_alone(skeleton: Path, contract: str, module: str, code: str) -> None:
    write(skeleton / module, code)
    assert broken_contracts(skeleton) == [contract]
