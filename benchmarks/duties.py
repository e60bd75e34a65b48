"""What each duty of governance takes of a governed run, and what its goal leaves for all of them.

python -m benchmarks.duties [CASE...]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, Final

from benchmarks.options import chosen
from benchmarks.parts import samples
from benchmarks.processes import CASES
from benchmarks.speed import GOVERNED_GOALS
from benchmarks.timing import cpu_of
from benchmarks.ways import driver, governed, stock
from engine.events import EventLog
from engine.governed.hooks import GovernedHooks
from engine.governed.instances import Instances
from engine.governed.joining import Joining
from engine.governed.mapped import Mapped
from engine.governed.measuring import Measuring
from engine.governed.open_writes import OpenWrites
from engine.governed.outputs import Outputs
from engine.governed.writing import StepWriter
from engine.spiff.scripts import Programs
from governance.compression.compressor import ContextCompressor
from governance.layers.history import HistoryGrading
from governance.layers.manager import ContextLayerManager
from governance.layers.staging import writes_of
from governance.snapshots.apply import Growing
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.overlap import OverlapEdit

_COUNT: Final = 300
_LONGER: Final = 10
"""How many times longer the runs are that are looked at: ticks of the clock fall on the same places of short ones."""
_SECONDS: Final = 8.0
_TIMES: Final = 9
_D2, _D3 = "D2: a branch for each", "D3: branches come together"
_REST: Final = "moving tokens"
_BEGUN_BY: Final[Sequence[tuple[str, tuple[Callable[..., Any], ...]]]] = (
    ("scripts and conditions", (Mapped.script, Programs.takes)),
    ("D1: a look before each activity", (ContextCompressor.calm,)),
    ("D1: records graded by distance", (HistoryGrading.regrade, HistoryGrading.regrade_next)),
    ("a record in HISTORY", (ContextLayerManager.move_to_history,)),
    ("values: checked, spelled, hashed, staged", (StepWriter.write,)),
    ("who wrote an entry, when, how sure", (writes_of,)),
    ("a snapshot and its id", (StepWriter.commit, ContextLayerManager.commit, SnapshotGraph.commit)),
    ("what stands, and the size of each layer", (Growing.change, SnapshotGraph.contents)),
    ("duplicates between layers", (OverlapEdit.enter, OverlapEdit.leave)),
    ("attention", (Measuring.measure, OpenWrites.add)),
    (_D2, (GovernedHooks.split, Instances.open, Instances.enter)),
    (_D3, (Joining.join, Instances.close)),
    ("the event log", (EventLog.add, Outputs._finish)),
    ("the activity run around all that", (GovernedHooks.activity, GovernedHooks.gateway)),
)
"""Duties, and the functions that begin one: what they call counts for it, until another one begins."""
_DUTIES: Final[dict[CodeType, str]] = {
    function.__code__: duty for duty, functions in _BEGUN_BY for function in functions
}
DUTIES: Final = (*(duty for duty, _ in _BEGUN_BY), _REST)


def duty_of(frame: FrameType | None) -> str:
    """The duty that was begun last. What D2 and D3 call counts for them, whatever it is."""
    begun = list(_begun(frame))
    return next((duty for duty in begun if duty in (_D2, _D3)), begun[0] if begun else _REST)


def _begun(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        duty = _DUTIES.get(frame.f_code)
        if duty is not None:
            yield duty
        frame = frame.f_back


def column(case: str, count: int = _COUNT, times: int = _TIMES, seconds: float = _SECONDS) -> dict[str, float]:
    """Microseconds per activity: of each duty, of all, without governance, and what the goal leaves.

    Runs of all ways take turns, so that what else the machine does disturbs them alike.
    """
    source = CASES[case](count)
    ways = {"governed": governed(source), "without governance": driver(source), "SpiffWorkflow": stock(source)}
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(times):
        for name, prepare in ways.items():
            if turn < 2 or name != "SpiffWorkflow":
                spent[name].append(cpu_of(prepare()) / count * 1e6)
    best = {name: min(each) for name, each in spent.items()}
    found, _ = samples(case, count * _LONGER, seconds, duty_of)
    duties = {duty: best["governed"] * found[duty] / (found.total() or 1) for duty in DUTIES}
    return {**duties, **best, "the goal allows": best["SpiffWorkflow"] / GOVERNED_GOALS[case]}


def lines(cases: Sequence[str]) -> list[str]:
    """A Markdown table."""
    found = {case: column(case) for case in cases}
    titles = " | ".join(case.replace("_", " ") for case in cases)
    rows = [f"| {row} | {' | '.join(f'{found[case][row]:.1f}' for case in cases)} |" for row in found[cases[0]]]
    return [f"| µs per activity | {titles} |", f"|---|{'--:|' * len(cases)}", *rows]


if __name__ == "__main__":
    print("\n".join(lines(chosen(__doc__, list(GOVERNED_GOALS), list(GOVERNED_GOALS)))))
