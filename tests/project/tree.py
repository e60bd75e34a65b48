"""Where the project's files are, for the tests of its shape."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "bpmn", "governance")

NOT_OURS = {".git", "node_modules", ".hypothesis", "build", "dist", "__pycache__"}
"""Folders (and the file `.git` of a work tree) that are not the project's, besides virtual environments and folders of
tools named `*_cache`."""


def files(folder: Path = ROOT, suffix: str = "") -> Iterator[Path]:
    """The project's files below `folder` whose names end in `suffix`, in a stable order."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _is_ours(Path(parent, name)))
        for name in sorted(names):
            if name.endswith(suffix) and name not in NOT_OURS:
                yield Path(parent, name)


def _is_ours(folder: Path) -> bool:
    return not (folder.name in NOT_OURS or folder.name.endswith("_cache") or (folder / "pyvenv.cfg").exists())


def modules() -> list[Path]:
    """Every Python file of the three packages but for their `__init__.py`."""
    return [path for package in PACKAGES for path in files(ROOT / package, ".py") if path.name != "__init__.py"]
