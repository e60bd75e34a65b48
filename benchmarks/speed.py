"""How fast processes run, against SpiffWorkflow as it is, in one run.

python -m benchmarks.speed [--json] [--fetch-bpmn-engine]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import run
from typing import Final

from benchmarks import contexts, texts
from benchmarks.bpmn_engine import BpmnEngine, find
from benchmarks.figures import Figure, show
from benchmarks.options import flags
from benchmarks.processes import CASES, sequence
from benchmarks.timing import best_cpu, exponent
from benchmarks.ways import Way, driver, governed, stock, stored

FETCH: Final = "--fetch-bpmn-engine"
"""Allows npm to install bpmn-engine in the user's cache."""
_BESIDE: Final = 300
"""Activities where everything is compared: the library as it is does not come to an end at 3,000."""
_TIMES: Final = 5
_SIZES: Final = (300, 700, 1_500, 3_000)
_MANY: Final = 30_000
_PLAIN_GOALS: Final = {"sequence": 25.0, "loop": 50.0, "fan_out": 300.0, "multi_instance": 12.0}
GOVERNED_GOALS: Final = {"sequence": 15.0, "loop": 25.0, "fan_out": 100.0, "multi_instance": 7.0}
_IN_STOCK: Final = ("sequence", "loop", "fan_out", "multi_instance")
"""Blocks of gateways in a row take the library time that doubles with each; it is not asked for more."""


def figures(beside: BpmnEngine | None = None) -> Iterator[Figure]:
    """All figures, one case after the other."""
    with tempfile.TemporaryDirectory() as folder:
        for name, make in CASES.items():
            yield from _case(name, make, stored(Path(folder)), beside if name in BpmnEngine.cases else None)
        yield from contexts.figures(Path(folder))
    yield from texts.figures()
    yield from _command()


def _case(name: str, make: Callable[[int], bytes], with_store: Way, beside: BpmnEngine | None) -> Iterator[Figure]:
    began = time.perf_counter()
    at = f"{_BESIDE} activities, best of {_TIMES}"
    plain = _rate(driver, make, _TIMES)
    full = _rate(governed, make, _TIMES)
    baselines = {"without governance": plain, "with the store": _rate(with_store, make, 3)}
    before = _rate(stock, make, 2) if name in _IN_STOCK else None
    if before:
        baselines["SpiffWorkflow"] = before
    on_node = beside.seconds(make(_BESIDE), 3) if beside else None
    if on_node:
        baselines["bpmn-engine"] = _BESIDE / on_node
    yield Figure(
        name=f"speed.{name}.activities_per_cpu_s",
        value=full, unit="activities/CPU s", better="higher", baselines=baselines, conditions=f"governed, {at}",
    )  # fmt: skip
    if before:
        for what, rate, goals in (("ratio", plain, _PLAIN_GOALS), ("governed_ratio", full, GOVERNED_GOALS)):
            yield Figure(
                name=f"speed.{name}.{what}_to_stock",
                value=rate / before, unit="times", better="higher", goal=goals.get(name), conditions=at,
            )  # fmt: skip
    seconds = {size: best_cpu(governed(make(size)), _TIMES) for size in _SIZES}
    yield Figure(
        name=f"speed.{name}.exponent",
        value=exponent(seconds), unit="slope", better="lower", goal=1.15,
        conditions=f"governed, {min(_SIZES):,} to {max(_SIZES):,} activities, best of {_TIMES}",
    )  # fmt: skip
    yield Figure(
        name=f"speed.{name}.to_the_end",
        value=_MANY / best_cpu(governed(make(_MANY)), 1), unit="activities/CPU s", better="higher",
        conditions=f"governed, {_MANY:,} activities, once",
    )  # fmt: skip
    print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)


def _rate(way: Way, make: Callable[[int], bytes], times: int) -> float:
    return _BESIDE / best_cpu(way(make(_BESIDE)), times)


def _command() -> Iterator[Figure]:
    governor = [str(Path(sys.executable).with_name("governor"))]
    with tempfile.TemporaryDirectory() as folder:
        # As after an installation, which compiles: else each run would compile hundreds of modules where none are kept.
        kept = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        yield Figure(
            name="speed.help_cpu_s",
            value=min(_child_cpu([*governor, "--help"], kept) for _ in range(_TIMES)),
            unit="CPU s", better="lower", goal=0.3,
            conditions=f"best of {_TIMES}",
        )  # fmt: skip
        file = Path(folder) / "small.bpmn"
        file.write_bytes(sequence(3))
        command = [*governor, "run", str(file), "--json", "--db", f"{folder}/runs.db"]
        yield Figure(
            name="speed.small_run_wall_s",
            value=min(_wall(command, kept) for _ in range(_TIMES)), unit="s", better="lower", goal=1.5,
            conditions=f"three script tasks, best of {_TIMES}, modules compiled before",
        )  # fmt: skip


def _child_cpu(command: list[str], environment: Mapping[str, str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    run(command, env=environment, check=True, capture_output=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _wall(command: list[str], environment: Mapping[str, str]) -> float:
    began = time.perf_counter()
    run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    given = flags(__doc__, FETCH)
    show(list(figures(find(fetch=FETCH in given))), as_json="--json" in given)
