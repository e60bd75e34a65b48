"""Runs the benchmarks that need no outside data, and writes their table into `benchmarks/README.md`.

python -m benchmarks.run [--json] [--fetch-bpmn-engine]
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmarks import parts, speed
from benchmarks.bpmn_engine import find
from benchmarks.figures import Figure, lines, machine, show
from benchmarks.options import flags

PAGE: Final = Path(__file__).with_name("README.md")
_PROFILED: Final = ("sequence", "loop", "fan_out", "multi_instance")
_PROFILE: Final = (
    "## Where the time goes",
    "",
    "Governed runs of 3,000 activities, looked at again and again (`parts.py`): what was at work then, and its share.",
    "",
)
_MARK: Final = "<!-- written by `make bench` from here on -->\n"


def main() -> None:
    given = flags(__doc__, speed.FETCH)
    found = list(speed.figures(find(fetch=speed.FETCH in given)))
    spent = parts.lines(_PROFILED)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found, spent), encoding="utf-8")
    show(found, as_json="--json" in given)


def page(before: str, found: list[Figure], spent: list[str]) -> str:
    """The page with other tables: what stands before the mark is kept."""
    head, mark, _ = before.partition(_MARK)
    if not mark:
        raise SystemExit(f"{PAGE.name}: the line {_MARK.strip()!r} is missing")
    at = machine()
    versions = ", ".join(f"{name} {version}" for name, version in at["packages"].items())
    where = f"{at['date']}, {at['processor']}, {at['cores']} cores, load {at['load']}, Python {at['python']}"
    return "\n".join([head + mark, f"{where}, {versions}.", "", *lines(found), "", *_PROFILE, *spent, ""])


if __name__ == "__main__":
    main()
