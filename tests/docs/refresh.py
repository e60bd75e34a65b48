"""Writes what commands and programs print now into README and docs, where it is something else than they show.

    python -m tests.docs.refresh [PAGE ...]

Long lines are cut. What a page leaves out by a line `…` stays out, unless what stands beside it changed, too: read the
difference before you commit it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from tests.docs.following import PAGES, Output, follow
from tests.docs.matching import REST, without_what_varies
from tests.docs.session import Session

_WIDTH: Final = 120
_COMPARED: Final = 80


def main(names: Sequence[str]) -> None:
    for page in [Path(name).resolve() for name in names] or PAGES:
        with tempfile.TemporaryDirectory() as folder:
            found = list(follow(page, Session(Path(folder))))
        for difference in found:
            print(difference)
        mend(page, [difference.output for difference in found if difference.output])


def mend(page: Path, outputs: Sequence[Output]) -> None:
    """Put what is printed in the place of what is shown."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for output in reversed(outputs):
        start = output.start - 1
        lines[start : start + len(output.shown)] = merged(output.shown, output.printed)
    page.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def merged(shown: Sequence[str], printed: Sequence[str]) -> list[str]:
    """What is printed, with the lines and the omissions of what is shown wherever they still fit."""
    lines: list[str] = []
    before, after = ([_compared(line) for line in side] for side in (shown, printed))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, from_, to in matcher.get_opcodes():
        lines += shown[start:end] if kind == "equal" else _changed(shown[start:end], printed[from_:to])
    return lines


def _changed(shown: Sequence[str], printed: Sequence[str]) -> list[str]:
    """What is printed, but for what an omission stands for: as many lines around it stay as there were."""
    lines = list(map(_cut, printed))
    if shown.count(REST) != 1 or len(shown) - 1 > len(lines):
        return lines
    before = shown.index(REST)
    after = len(shown) - 1 - before
    return [*lines[:before], REST, *lines[len(lines) - after :]]


def _compared(line: str) -> str:
    return without_what_varies(line.removesuffix(REST))[:_COMPARED].rstrip()


def _cut(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1].rstrip() + REST


if __name__ == "__main__":
    main(sys.argv[1:])
