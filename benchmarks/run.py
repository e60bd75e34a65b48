"""Runs the benchmarks that need no outside data, and writes their table into `benchmarks/README.md`.

python -m benchmarks.run [--json]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from benchmarks import speed
from benchmarks.figures import Figure, lines, machine, show

PAGE: Final = Path(__file__).with_name("README.md")
_MARK: Final = "<!-- written by `make bench` from here on -->\n"


def main() -> None:
    found = list(speed.figures())
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    show(found, as_json="--json" in sys.argv[1:])


def page(before: str, found: list[Figure]) -> str:
    """The page with another table: what stands before the mark is kept."""
    head, mark, _ = before.partition(_MARK)
    if not mark:
        raise SystemExit(f"{PAGE.name}: the line {_MARK.strip()!r} is missing")
    at = machine()
    versions = ", ".join(f"{name} {version}" for name, version in at["packages"].items())
    where = f"{at['date']}, {at['processor']}, {at['cores']} cores, load {at['load']}, Python {at['python']}"
    return "\n".join([head + mark, f"{where}, {versions}.", "", *lines(found), ""])


if __name__ == "__main__":
    main()
