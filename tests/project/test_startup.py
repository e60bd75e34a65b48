"""The start-up check sees when Python took another package for one of ours, and says whose it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.startup import DISTRIBUTION, ForeignPackage, explain, foreign_packages
from tests.project.tree import PACKAGES, ROOT

CHECK = "from engine.startup import explain, foreign_packages\nfor f in foreign_packages(): print(explain(f))"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An installation: our three packages, with nothing in them but the check."""
    home = tmp_path / "home"
    for package in PACKAGES:
        (home / package).mkdir(parents=True)
        (home / package / "__init__.py").touch()
    shutil.copy(ROOT / "engine/startup.py", home / "engine")
    return home


def put_package(folder: Path, name: str, code: str = "x = 1\n") -> Path:
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / "__init__.py").write_text(code)
    return folder


def put_distribution(folder: Path, distribution: str, package: str) -> None:
    info = folder / f"{distribution}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"{package}/__init__.py,,\n")


def check(*path: Path) -> str:
    """What the check prints in a new interpreter with `path` first on its module path."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, "-P", "-c", CHECK]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_our_own_packages_pass() -> None:
    assert foreign_packages() == []


def test_an_installation_passes(home: Path) -> None:
    assert check(home) == ""


@pytest.mark.parametrize("name", ["bpmn", "governance"])
def test_a_folder_in_front_is_named(home: Path, tmp_path: Path, name: str) -> None:
    said = check(put_package(tmp_path / "project", name), home)
    found = tmp_path / "project" / name / "__init__.py"
    assert said.startswith(f"Another package named '{name}' was imported: {found} ")
    assert f"Governor's is {home / name / '__init__.py'}" in said
    assert "no installed distribution" in said


def test_the_other_distribution_is_named(home: Path, tmp_path: Path) -> None:
    other = put_package(tmp_path / "site", "governance")
    put_distribution(other, "corporate-rules", "governance")
    assert "(it belongs to: corporate-rules)" in check(other, home)


def test_a_package_overwritten_in_place_is_named(home: Path) -> None:
    put_package(home, "engine", "name = 'a game'\n")
    put_distribution(home, "game-engine", "engine")
    put_distribution(home, DISTRIBUTION, "engine")
    said = check(home)
    assert said.startswith("Governor's package 'engine' was overwritten:")
    assert "(it belongs to: game-engine)" in said


def test_a_package_without_init_is_foreign(home: Path) -> None:
    (home / "bpmn/__init__.py").unlink()
    assert str(home / "bpmn") in check(home)


def test_a_missing_package_is_told(home: Path) -> None:
    shutil.rmtree(home / "governance")
    environment = {**os.environ, "PYTHONPATH": str(home)}
    command = [sys.executable, "-P", "-S", "-c", CHECK]  # without the site folder, where ours may be installed
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert said.startswith("Governor's package 'governance' is missing: ")


def test_distributions_are_not_scanned_when_all_is_well() -> None:
    code = "import sys; from engine.startup import *; print(foreign_packages(), 'importlib.metadata' in sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "[] False\n"


def test_a_folder_found_instead_of_a_package_is_explained() -> None:
    said = explain(ForeignPackage("bpmn", "/y/bpmn/__init__.py", "/x/bpmn"))
    assert said.startswith("Another package named 'bpmn' was imported: /x/bpmn (")
