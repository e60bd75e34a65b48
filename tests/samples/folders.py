"""The samples, and the options that each one is run with: whatever of its files is there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.project.tree import ROOT

SAMPLES: Final = sorted(file.parent for file in ROOT.glob("samples/*/process.bpmn"))

_OPTIONS: Final = {
    "variables.json": "--vars {}",
    "answers.yaml": "--answers {}",
    "model.yaml": "--model replay:{}",
    "handlers.py": "--handlers {}",
}


def process(sample: Path) -> str:
    return str(sample / "process.bpmn")


def options(sample: Path) -> list[str]:
    """The options of `governor run` for a sample."""
    found = [(sample / name, text) for name, text in _OPTIONS.items() if (sample / name).is_file()]
    return [option.format(file) for file, text in found for option in text.split(" ")]
