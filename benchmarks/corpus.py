"""Loads and simulates every BPMN file of a folder tree, each in a process of its own.

python -m benchmarks.corpus --data DIR [--json] [--jobs N] [--seconds S] [--match TEXT]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus_file import Visit, visit
from benchmarks.figures import Figure, show
from benchmarks.isolation import isolated

_SUFFIXES: Final = (".bpmn", ".bpmn2", ".bpmn20.xml", ".xml")
_MEMORY_MB: Final = 1_500


def files(folder: Path, match: str = "") -> list[Path]:
    """Every BPMN file below the folder whose path contains `match`, in a stable order."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name.endswith(_SUFFIXES))
    return sorted(path for path in found if match in str(path.relative_to(folder)))


def visited(path: Path, folder: Path, seconds: float) -> Visit:
    """What became of one file. What does not come back is a hang or a crash, and nothing else."""
    name = str(path.relative_to(folder))
    ended = isolated(lambda: visit(path, name), seconds=seconds, memory_mb=_MEMORY_MB)
    if ended.how == "done":
        found: Visit = ended.value
        found.wall_s, found.peak_mb = round(ended.wall_s, 3), ended.peak_mb
        return found
    return Visit(file=name, outcome=ended.how, reason=ended.reason, wall_s=round(ended.wall_s, 3))


def figures(visits: Iterable[Visit]) -> list[Figure]:
    """The figures of a whole corpus."""
    every = list(visits)
    runnable = [each for each in every if each.executable]
    loaded = [each for each in runnable if each.loaded]
    reached = [each for each in loaded if each.outcome in ("completed", "waiting")]
    unclear = [each for each in every if each.outcome == "refused" and not each.is_clear]
    counts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(Counter(v.outcome for v in every).items()))
    of = f"{len(every)} files: {counts}"
    return [
        _count("corpus.crashed", sum(each.outcome == "crashed" for each in every), of),
        _count("corpus.hung", sum(each.outcome == "hung" for each in every), of),
        _count("corpus.unclear_refusals", len(unclear), "refused without the file's line, element or rule"),
        _share("corpus.loaded_share", loaded, runnable, 0.85, "files with a process that is not marked as a drawing"),
        _share("corpus.reached_share", reached, loaded, 0.80, "of those loaded: an end or a wait state"),
        Figure(
            name="corpus.cpu_s", value=round(sum(each.load_cpu_s for each in every), 4), unit="CPU s", better="lower",
            goal=60.0, conditions=f"loading {len(every)} files once",
        ),
    ]  # fmt: skip


def _count(name: str, value: int, conditions: str) -> Figure:
    return Figure(name=name, value=value, unit="files", better="lower", goal=0.0, conditions=conditions)


def _share(name: str, some: list[Visit], of: list[Visit], goal: float, what: str) -> Figure:
    value = round(len(some) / len(of), 4) if of else None
    conditions = f"{len(some)} of {len(of)} {what}"
    return Figure(name=name, value=value, unit="share", better="higher", goal=goal, conditions=conditions)


def failed(visits: Iterable[Visit]) -> list[dict[str, Any]]:
    """What neither reached an end nor a wait state, with where and why; drawings that are refused are none of it."""
    fine = ("completed", "waiting")
    return [
        each.told() for each in visits if each.outcome not in fine and (each.executable or each.outcome != "refused")
    ]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.corpus", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="children at a time")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each file, by the wall clock")
    parser.add_argument("--match", default="", help="only files whose path contains this")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        parser.error(f"--data: there is no folder {options.data}")
    found = files(options.data, options.match)
    with ThreadPoolExecutor(options.jobs) as pool:
        visits = list(pool.map(lambda path: visited(path, options.data, options.seconds), found))
    wrong = failed(visits)
    show(figures(visits), as_json=options.json, failed=wrong)


if __name__ == "__main__":
    main()
