"""The tree names no machine it was made on, and its three packages are the ones imported."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from tests.project.tree import PACKAGES, ROOT, files

MACHINE_PATHS = re.compile(rb"(?<![\w.~-])/(?:work|root|home/[a-z][\w-]*|Users/[A-Za-z]\w*|opt/wheels)/")


def machine_paths(data: bytes) -> list[str]:
    return [match.group().decode() for match in MACHINE_PATHS.finditer(data)]


def test_no_file_names_a_path_of_a_machine() -> None:
    found = {str(path.relative_to(ROOT)): machine_paths(path.read_bytes()) for path in files()}
    assert {name: paths for name, paths in found.items() if paths} == {}


@pytest.mark.parametrize("text", ["/{}/main/x", "open('/{}/a')", "file:///{}/a", "cd /{}/"])
@pytest.mark.parametrize("top", ["work", "root", "home/ann", "Users/Ann", "opt/wheels"])
def test_a_machine_path_is_found(top: str, text: str) -> None:
    assert machine_paths(text.format(top).encode()) == [f"/{top}/"]


@pytest.mark.parametrize("text", ["a/work/b", "~/home/ann/x", "./root/x", "/workers/", "https://example.org/home/ann/"])
def test_other_paths_are_left_alone(text: str) -> None:
    assert machine_paths(text.encode()) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_imported_is_ours(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__file__ is not None
    assert Path(module.__file__).resolve() == ROOT / package / "__init__.py"


def test_the_changelog_tells_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert re.search(rf"^## \[?{re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
