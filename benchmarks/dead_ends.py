"""Whether what failed is done again: retry logs replayed, and a long process with an agent that forgets.

python -m benchmarks.dead_ends [--data DIR] [--json] [--turns N]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.amnesiac import process_figures
from benchmarks.figures import Figure, show


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with retry logs")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--turns", type=int, default=1_500, help="turns of the generated process")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_dir():
        parser.error(f"--data: there is no folder {options.data}")
    figures = [*(log_figures(options.data) if options.data is not None else ()), *process_figures(options.turns)]
    show(figures, as_json=options.json)


def log_figures(folder: Path) -> Iterator[Figure]:
    """The figures of every retry log in a folder."""
    from benchmarks.replaying import NEAR, Counts, Likenesses, replay
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
    assert NEAR


if __name__ == "__main__":
    main()
