"""Whether what failed is done again: retry logs replayed, and a long process with an agent that forgets.

python -m benchmarks.dead_ends [--data DIR] [--json] [--turns N]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.amnesiac import process_figures
from benchmarks.figures import Figure, show
from governance.cda.dead_ends.model import Attempt
from governance.cda.dead_ends.registry import DeadEndRegistry

_SIZES: Final = (1_000, 10_000, 100_000)
_MATCHES: Final = 200
_AT: Final = "2026-01-01T00:00:00.000000Z"
_WORDS: Final = ("account", "address", "branch", "city", "claim", "contract", "customer", "delivery", "engine", "key")
_IN_A_STATE: Final = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with retry logs")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--turns", type=int, default=1_500, help="turns of the generated process")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_dir():
        parser.error(f"--data: there is no folder {options.data}")
    figures = [*(log_figures(options.data) if options.data is not None else ()), *process_figures(options.turns)]
    figures += [match_figure(size) for size in _SIZES]
    show(figures, as_json=options.json)


def log_figures(folder: Path) -> Iterator[Figure]:
    """The figures of every retry log in a folder."""
    from benchmarks.replaying import Counts, Likenesses, replay
    from benchmarks.retry_logs import read

    for name, cases in read(folder):
        likenesses = Likenesses(step.text for case in cases for run in case for step in run)
        counts: Counts = replay(cases, likenesses)
        retries = max(1, counts.retries)
        where = f"{name}: {len(cases)} tasks, {counts.actions} actions, {counts.retries} of them retries, replayed"
        in_run, across = counts.repeats_in_run / retries, counts.repeats_across / retries

        def figure(
            measure: str,
            value: float,
            goal: float | None = None,
            better: str = "lower",
            *,
            _name: str = name,
            _where: str = where,
            **beside: float,
        ) -> Figure:
            return Figure(
                name=f"dead_ends.{_name}.{measure}",
                value=100 * value,
                unit="%",
                better="higher" if better == "higher" else "lower",
                goal=goal,
                baselines={key.replace("_", " "): 100 * each for key, each in beside.items()},
                conditions=_where,
            )

        yield figure("proposed_in_run", in_run)
        yield figure("proposed_across_runs", across)
        yield figure("exact_repeats", counts.exact_passed / retries, 0.0, without_registry=in_run + across)
        near = counts.near_failures / retries
        yield figure("near_duplicates", counts.near_passed / retries, 3.0, without_registry=near)
        yield figure("false_blocks", counts.refused_wrongly / max(1, counts.actions - counts.failures), 0.5)
        refused = counts.refused - counts.refused_wrongly
        yield figure("avoided", refused / max(1, counts.failures), better="higher")


def match_figure(size: int) -> Figure:
    """What a match costs among so many dead ends of one tool, the first look at each state left out."""
    registry = DeadEndRegistry()
    for number in range(size):
        registry.register(_lookup(number), reason="not found", at=_AT, source="tool", session="s")
    registry.drain()
    known = [_lookup(number) for number in range(0, size, size // _MATCHES)]
    others = [_lookup(number, number + size) for number in range(0, size, size // _MATCHES)]
    asked = [*known, *others]
    for attempt in asked:
        registry.match(attempt, _AT)
    begun = process_time()
    for attempt in asked:
        registry.match(attempt, _AT)
    spent = process_time() - begun
    return Figure(
        name=f"dead_ends.match_ms@{size}",
        value=1_000 * spent / len(asked),
        unit="CPU ms",
        better="lower",
        conditions=f"{size} dead ends of one tool, {_IN_A_STATE} in a state; half of the attempts are known",
    )


def _lookup(number: int, named: int | None = None) -> Attempt:
    named = number if named is None else named
    rng = random.Random(named)
    arguments = {"query": f"{rng.choice(_WORDS)} of {rng.choice(_WORDS)} {rng.choice(_WORDS)} number {named}"}
    return Attempt("tool:search", arguments, str(number // _IN_A_STATE), public=arguments)


if __name__ == "__main__":
    main()
