"""Runs SpiffWorkflow's own unit tests with our driver in place of its workflow class, beside the library as it is.

python -m benchmarks.library_tests --tests DIR [--json] [--seconds S] [--match TEXT]

DIR holds the library's tests, or any others that are written against its API (unittest, files with Test in their
names); they are not in its package. A test that passes with the library and not with our driver is either told by
benchmarks.library.differences, or a defect.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import orjson

from benchmarks.figures import Figure, show
from benchmarks.library.differences import reason

Outcomes = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A test that does not pass with both: with which it does, what became of it with ours, and the row for it."""

    test: str
    how: Literal["with the library alone", "with ours alone", "with neither"]
    ours: str
    stock: str
    row: str | None


class NotRun(Exception):
    """A variant came to nothing: the tests could not be found or imported at all."""


def run_variant(folder: Path, which: str, seconds: float, match: str) -> dict[str, dict[str, str]]:
    """Outcomes by test id. Raises NotRun."""
    command = [sys.executable, "-m", "benchmarks.library.variant", str(folder), which, str(seconds), match]
    ended = subprocess.run(command, capture_output=True, check=False, cwd=Path(__file__).parent.parent)
    if ended.returncode:
        raise NotRun(f"{which}: {ended.stderr.decode(errors='replace').strip()[-500:]}")
    found: dict[str, dict[str, str]] = orjson.loads(ended.stdout)
    return found


def judge(stock: Outcomes, ours: Outcomes) -> list[Judged]:
    """What does not pass with both, the unexplained first."""
    found = []
    for test in sorted(stock):
        plain, driven = stock[test], ours.get(test, {"how": "missing", "why": "not found with our driver"})
        if "passed" == plain["how"] == driven["how"] or "skipped" == plain["how"] == driven["how"]:
            continue
        how: Any = "with the library alone" if plain["how"] == "passed" else "with neither"
        if driven["how"] == "passed":
            how = "with ours alone"
        row = reason(driven.get("seen", ""), driven["why"]) if how == "with the library alone" else None
        told = [" ".join(filter(None, (each["how"], each["why"]))) for each in (driven, plain)]
        found.append(Judged(test=test, how=how, ours=told[0], stock=told[1], row=row))
    return sorted(found, key=lambda each: (each.how != "with the library alone", each.row is not None))


def figures(stock: Outcomes, ours: Outcomes, judged: Iterable[Judged]) -> list[Figure]:
    """How many pass with the library and with ours, what differs for a reason, and what just differs."""
    lost = [each for each in judged if each.how == "with the library alone"]
    rows = Counter(each.row for each in lost if each.row is not None)
    told = ", ".join(f"{count} {name}" for name, count in sorted(rows.items())) or "none"
    passed = [sum(each["how"] == "passed" for each in outcomes.values()) for outcomes in (stock, ours)]
    of = f"{len(stock)} tests"
    return [
        Figure(name="library_tests.passed", value=passed[1], unit="tests", better="higher",
               baselines={"the library": passed[0]}, conditions=of),
        Figure(name="library_tests.deliberate", value=sum(rows.values()), unit="tests", better="lower",
               conditions=told),
        Figure(name="library_tests.unexplained", value=len(lost) - sum(rows.values()), unit="tests", better="lower",
               goal=0.0, conditions=of),
    ]  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.library_tests", description=__doc__)
    parser.add_argument("--tests", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each test, by the wall clock")
    parser.add_argument("--match", default="", help="only tests whose id contains this")
    options = parser.parse_args(arguments)
    if not options.tests.is_dir():
        parser.error(f"--tests: there is no folder {options.tests}")
    try:
        stock, ours = (
            run_variant(options.tests.resolve(), which, options.seconds, options.match) for which in ("stock", "ours")
        )
    except NotRun as error:
        parser.error(str(error))
    judged = judge(stock, ours)
    show(figures(stock, ours, judged), as_json=options.json, failed=[asdict(each) for each in judged])


if __name__ == "__main__":
    main()
