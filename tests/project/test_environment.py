"""What a fresh machine gets: exact versions of all that is needed, and a plain word when its Python is too old."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.tree import ROOT, files

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)")


def constraints() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return [Requirement(text) for group in groups for text in group]


def test_constraints_are_exact_and_name_no_place() -> None:
    assert [line for line in constraints() if not re.fullmatch(r"[\w.-]+==[\w.]+", line, re.ASCII)] == []


def test_every_requirement_is_pinned_within_its_range() -> None:
    pinned = {canonicalize_name(name): number for name, _, number in (line.partition("==") for line in constraints())}
    outside = [
        str(requirement)
        for requirement in requirements()
        if (number := pinned.get(canonicalize_name(requirement.name))) is None or number not in requirement.specifier
    ]
    assert outside == []


@pytest.mark.parametrize("target", ["demo", "test", "check", "bench"])
def test_an_old_python_is_told_plainly(tmp_path: Path, target: str) -> None:
    old = tmp_path / "python3.9"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" || exit 1\n')
    old.chmod(0o755)
    command = ["make", target, f"PYTHON={old}", f"VENV={tmp_path / 'venv'}"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert f"Governor needs Python 3.11 or newer; '{old}' is: Python 3.9.2." in result.stderr
    assert f"make PYTHON=python3.12 {target}" in result.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *files(ROOT / "docs", ".md")], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
