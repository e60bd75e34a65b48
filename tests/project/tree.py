"""Where the project's files are, for the tests of its shape."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "bpmn", "governance")

NOT_OURS = {".git", ".venv", ".venv-lock", ".hypothesis", "build", "dist", "__pycache__"}
"""Folders that hold no file of the project; tools' caches are known by the suffix `_cache`."""


def files(folder: Path = ROOT, suffix: str = "") -> Iterator[Path]:
    """The project's files below `folder` whose names end in `suffix`, in a stable order."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in NOT_OURS and not name.endswith("_cache"))
        for name in sorted(names):
            if name.endswith(suffix):
                yield Path(parent, name)


def modules() -> list[Path]:
    """Every Python file of the three packages but for their `__init__.py`."""
    return [path for package in PACKAGES for path in files(ROOT / package, ".py") if path.name != "__init__.py"]
