"""What READMEs quote of the output is what is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engine.cli.command import governor_child
from tests.project.tree import ROOT
from tests.samples.folders import SAMPLES, options, process

QUOTING = [(ROOT / "README.md", ROOT / "samples" / "incident_response")]
QUOTING += [(sample / "README.md", sample) for sample in SAMPLES]


@pytest.mark.parametrize(("readme", "sample"), QUOTING, ids=lambda path: str(path.relative_to(ROOT)))
def test_quoted_output_is_really_printed(readme: Path, sample: Path, tmp_path: Path) -> None:
    told = governor_child("run", process(sample), *options(sample), "--db", str(tmp_path / "runs.db"))
    printed = (told.err + told.out).splitlines()
    blocks = re.findall(r"```text\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    quoted = [line for block in blocks for line in block.splitlines()]
    assert quoted
    assert [line for line in quoted if not _is_printed(line, printed)] == []


def _is_printed(line: str, printed: list[str]) -> bool:
    """Whether the line is printed; one that ends with … is the beginning of a printed one."""
    return any(each.startswith(line[:-1]) if line.endswith("…") else each == line for each in printed)
