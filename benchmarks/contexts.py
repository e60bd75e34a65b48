"""What a step costs in a large context, and what it costs and takes in the database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from benchmarks.figures import Figure
from benchmarks.processes import changing_sequence, service_sequence
from benchmarks.timing import best_cpu
from benchmarks.ways import deployed, governed_instance, governed_run, stored_anew
from engine.activities.work import Outcome
from engine.instance import Instance
from engine.persistence import StoreCommitter
from engine.status import Status
from governance.vocabulary import Producer

_STEPS: Final = 200
_SMALL, _LARGE = 100, 10_000
_FEW, _MANY = 100, 1_000


def figures(folder: Path) -> Iterator[Figure]:
    """Figures of contexts, and of the store."""
    yield _large_context()
    yield from _store(folder)


def _large_context() -> Figure:
    definition = deployed(changing_sequence(_STEPS))

    def step(entries: int) -> float:
        variables: dict[str, Any] = {f"entry{n}": n for n in range(entries)} | {"a": 0, "b": 0, "c": 0}
        return best_cpu(lambda: governed_run(definition, variables), 5) / _STEPS

    small, large = step(_SMALL), step(_LARGE)
    return Figure(
        name="speed.large_context.ratio",
        value=large / small, unit="times", better="lower", goal=2.0,
        baselines={f"us in {_SMALL:,} entries": small * 1e6, f"us in {_LARGE:,} entries": large * 1e6},
        conditions=f"a script task that changes three keys: in {_LARGE:,} entries against {_SMALL:,}",
    )  # fmt: skip


class _Noting:
    """Notes the CPU seconds of each commit, and how large the database is after it."""

    def __init__(self, inner: StoreCommitter, database: Path) -> None:
        self._inner, self._look = inner, sqlite3.connect(database)
        self.seconds: list[float] = []
        self.sizes: list[int] = []

    def commit(self, instance: Instance) -> None:
        began = time.process_time()
        self._inner.commit(instance)
        self.seconds.append(time.process_time() - began)
        [(pages,)] = self._look.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        self.sizes.append(pages)


def _store(folder: Path) -> Iterator[Figure]:
    noted = step_by_step(folder / "steps.db", _MANY * 3 // 2)
    yield Figure(
        name="store.commit_cpu_ms",
        value=median(noted.seconds) * 1e3, unit="CPU ms", better="lower", goal=1.5,
        conditions=f"SQLite, an advance with one output of 1 KB, median of {len(noted.seconds):,}",
    )  # fmt: skip
    yield Figure(
        name="store.bytes_per_step",
        value=noted.sizes[_MANY - 1] / _MANY, unit="bytes", better="lower", goal=3_000.0,
        conditions=f"SQLite, the database after {_MANY:,} service tasks that give 1 KB of random numbers each, an "
        "advance for each, every snapshot kept",
    )  # fmt: skip
    # From half as many steps to half as many more: checkpoints come ever more seldom and are ever larger.
    at = {step: (noted.sizes[step * 3 // 2] - noted.sizes[step // 2]) / step for step in (_FEW, _MANY)}
    yield Figure(
        name="store.bytes_per_step.growth",
        value=at[_MANY] / at[_FEW], unit="times", better="lower", goal=1.1,
        baselines={f"bytes at step {step:,}": found for step, found in at.items()},
        conditions=f"SQLite, an advance for each output of 1 KB, around step {_MANY:,} against around step {_FEW}",
    )  # fmt: skip


def step_by_step(database: Path, count: int) -> _Noting:
    """Service tasks that give 1 KB each, one to an advance."""
    definition, committer = stored_anew(database, service_sequence(count))
    noting = _Noting(committer, database)
    advancing = governed_instance(definition, committer=noting)
    texts = _texts(count)
    status = advancing.move()
    while status is Status.RUNNING:
        [task] = advancing.instance.jobs
        outcome = Outcome(outputs={"x": texts.pop()}, producer=Producer.SERVICE)
        status = advancing.complete_jobs([(task, outcome)])
    return noting


def _texts(count: int) -> list[str]:
    """Different texts of 1 KB."""
    words = Random(1)
    return [" ".join(f"{words.randrange(10_000):04}" for _ in range(205)) for _ in range(count)]
