"""Writes what the samples come to now into their `expected.json`, to be read with `git diff` before it is committed.

python -m tests.samples.refresh
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.engine.cli.command import governor_child
from tests.samples.comparison import compared, text
from tests.samples.folders import SAMPLES, options, process


def main() -> None:
    for sample in SAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            told = governor_child("run", process(sample), *options(sample), "--db", f"{folder}/runs.db", "--json")
        if told.code != 0:
            sys.exit(f"{sample.name}: exit code {told.code}\n{told.err}{told.out}")
        Path(sample / "expected.json").write_text(text(compared(told.json)), encoding="utf-8")


if __name__ == "__main__":
    main()
