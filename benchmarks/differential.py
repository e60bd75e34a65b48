"""Compares runs of BPMN files with plain SpiffWorkflow, where that completes them.

python -m benchmarks.differential --data DIR [--json] [--jobs N] [--seconds S] [--match TEXT]

Compared are the activities that were completed, with how often, and the variables at the end. What differs is either
one of the rows of benchmarks.deliberate, or a defect.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from lxml import etree

from benchmarks.corpus import files
from benchmarks.deliberate import reason
from benchmarks.figures import Figure, show
from benchmarks.governed_course import run_governed
from benchmarks.isolation import isolated
from benchmarks.plainly import Course, run_plainly

_MEMORY_MB: Final = 1_500
_PROCESS: Final = "{http://www.omg.org/spec/BPMN/20100524/MODEL}process"


@dataclass(slots=True, kw_only=True)
class Compared:
    """One process: `how` is same, different, or why it was not compared; `row` what explains a difference, if any."""

    file: str
    process: str
    how: str
    what: str = ""
    row: str | None = None
    plain: str = ""
    ours: str = ""


def processes(source: bytes) -> list[str]:
    """Ids of the processes that are not marked as drawings; none in what is no XML."""
    try:
        root = _tree(source)
    except etree.XMLSyntaxError:
        return []
    return [each.get("id", "") for each in root.iter(_PROCESS) if each.get("isExecutable") != "false"]


def compare(path: Path, name: str, process: str, *, seconds: float) -> Compared:
    """Both runs, each in a process of its own: the library may not come back."""
    source = path.read_bytes()
    plainly = isolated(lambda: run_plainly(source, process), seconds=seconds, memory_mb=_MEMORY_MB)
    if plainly.how != "done" or not plainly.value.completed:
        why = plainly.how if plainly.how != "done" else plainly.value.why
        return Compared(file=name, process=process, how="not completed by the library", what=why)
    ours = isolated(lambda: run_governed(source, name, process)[0], seconds=seconds, memory_mb=_MEMORY_MB)
    if ours.how != "done":
        return Compared(file=name, process=process, how="different", what=ours.how, ours=ours.reason)
    return judge(name, process, _tree(source), plainly.value, ours.value)


def judge(name: str, process: str, root: etree._Element, plain: Course, ours: Course) -> Compared:
    """What two courses differ in, and the row that explains it."""
    ids = {each.get("id") for each in root.iter("*")}
    ours.done = Counter({key: count for key, count in ours.done.items() if key in ids})  # not those of rewriting
    if ours.why.startswith("refused: "):
        kind, told = "refused", ("completed", ours.why)
    elif not ours.completed:
        kind, told = "outcome", ("completed", ours.why)
    elif ours.done != plain.done:
        kind = "activities"
        told = (str(dict(plain.done - ours.done)), str(dict(ours.done - plain.done)))
    elif ours.variables != plain.variables:
        names = {key for key in {**ours.variables, **plain.variables}
                 if ours.variables.get(key, ...) != plain.variables.get(key, ...)}  # fmt: skip
        kind = "variables"
        told = _told(plain, names), _told(ours, names)
    else:
        return Compared(file=name, process=process, how="same")
    row = reason(root, kind, plain, ours)
    return Compared(file=name, process=process, how="different", what=kind, row=row, plain=told[0], ours=told[1])


def _told(course: Course, names: set[str]) -> str:
    return str({key: course.variables.get(key) for key in sorted(names)})


def figures(every: Iterable[Compared]) -> list[Figure]:
    """The figures of a whole corpus."""
    listed = list(every)
    compared = [each for each in listed if each.how in ("same", "different")]
    unexplained = [each for each in compared if each.how == "different" and each.row is None]
    rows = Counter(f"{each.row} ({each.what})" for each in compared if each.row is not None)
    told = ", ".join(f"{count} {name}" for name, count in sorted(rows.items()))
    same = sum(each.how == "same" for each in compared)
    of = f"{len(compared)} processes that plain SpiffWorkflow completes, of {len(listed)}"
    return [
        Figure(name="differential.compared", value=len(compared), unit="processes", better="higher", conditions=of),
        Figure(name="differential.same", value=same, unit="processes", better="higher", conditions=of),
        Figure(name="differential.deliberate", value=sum(rows.values()), unit="processes", better="lower",
               conditions=told or "none"),
        Figure(name="differential.unexplained", value=len(unexplained), unit="processes", better="lower", goal=0.0,
               conditions=of),
    ]  # fmt: skip


def _tree(source: bytes) -> etree._Element:
    return etree.fromstring(source, etree.XMLParser(resolve_entities=False, no_network=True))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.differential", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="children at a time")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each run, by the wall clock")
    parser.add_argument("--match", default="", help="only files whose path contains this")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        parser.error(f"--data: there is no folder {options.data}")
    todo = [
        (path, str(path.relative_to(options.data)), process)
        for path in files(options.data, options.match)
        for process in processes(path.read_bytes())
    ]
    with ThreadPoolExecutor(options.jobs) as pool:
        every = list(pool.map(lambda each: compare(*each, seconds=options.seconds), todo))
    wrong: list[dict[str, Any]] = [asdict(each) for each in every if each.how == "different"]
    show(figures(every), as_json=options.json, failed=sorted(wrong, key=lambda each: each["row"] is not None))


if __name__ == "__main__":
    main()
