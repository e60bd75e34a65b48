"""Where the time of a governed run goes: samples of what is at work, put down to the parts of the project.

python -m benchmarks.parts [CASE...]
"""

from __future__ import annotations

import gc
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from benchmarks.options import chosen
from benchmarks.processes import CASES
from benchmarks.ways import governed

_COUNT: Final = 3_000
_EVERY: Final = 0.001
_SECONDS: Final = 4.0
"""CPU seconds to look at for each case, at least."""

_SNAPSHOTS: Final = "governance/snapshots/"
_GOVERNED: Final = "engine/governed/"
_STANDING: Final = ("apply", "space_edit", "render", "contents", "cache", "lookup")
_CONTENTS: Final = tuple(f"{_SNAPSHOTS}{name}" for name in _STANDING)
_JOINING: Final = tuple(f"{_GOVERNED}{name}" for name in ("joining", "open_writes", "branches"))
PARTS: Final[Sequence[tuple[str, tuple[str, ...]]]] = (
    ("moving tokens", ("SpiffWorkflow/", "engine/spiff/", "engine/advance.py")),
    ("scripts and conditions", ("bpmn/", f"{_GOVERNED}variables.py", f"{_GOVERNED}mapped.py")),
    ("what stands in a snapshot, and its size", (*_CONTENTS, "governance/tokens")),
    ("duplicates between layers", (f"{_SNAPSHOTS}overlap",)),
    ("values, commits and their hashes", (_SNAPSHOTS,)),
    ("records of HISTORY, their grades, D1", ("governance/layers/history", "governance/compression/")),
    ("merging (D3)", ("governance/merging/", *_JOINING)),
    ("attention", ("governance/attention/", f"{_GOVERNED}measuring")),
    ("staging what a step writes", ("governance/layers/", f"{_GOVERNED}writing", f"{_GOVERNED}token")),
    ("the activity run and the event log", ("engine/", "governance/")),
)
"""Parts by what the paths of their files begin with; the first that fits counts."""


def shares(case: str, count: int = _COUNT, seconds: float = _SECONDS) -> tuple[dict[str, float], float]:
    """Each part's share of a case's governed run, looked at for so many CPU seconds; those of one activity."""
    found, each = samples(case, count, seconds, _part_of)
    return {part: found[part] / (found.total() or 1) for part, _ in PARTS}, each


def samples(
    case: str, count: int, seconds: float, part_of: Callable[[FrameType | None], str]
) -> tuple[Counter[str], float]:
    """How often each part was at work in a case's governed run; the CPU seconds of one activity meanwhile."""
    ready = governed(CASES[case](count))
    found: Counter[str] = Counter()
    spent = runs = 0.0
    while spent < seconds:
        run = ready()
        gc.collect()
        with _sampling(found, part_of):
            began = time.process_time()
            run()
            spent += time.process_time() - began
        runs += 1
    return found, spent / runs / count


def lines(cases: Sequence[str]) -> list[str]:
    """A Markdown table: microseconds per activity, by part."""
    found = {case: shares(case) for case in cases}
    rows = [
        f"| {part} | {' | '.join(_cell(*found[case], part) for case in cases)} |"
        for part, _ in PARTS
        if any(found[case][0][part] >= 0.005 for case in cases)
    ]
    total = " | ".join(f"{seconds * 1e6:.0f}" for _, seconds in found.values())
    titles = " | ".join(case.replace("_", " ") for case in cases)
    return [f"| µs per activity | {titles} |", f"|---|{'--:|' * len(cases)}", *rows, f"| together | {total} |"]


def _cell(share: Mapping[str, float], seconds: float, part: str) -> str:
    return f"{share[part] * seconds * 1e6:.1f} ({share[part]:.0%})"


@contextmanager
def _sampling(found: Counter[str], part_of: Callable[[FrameType | None], str]) -> Iterator[None]:
    """Note what is at work, at each tick of the CPU clock; what C does counts for the function that calls it."""

    def note(_: int, frame: FrameType | None) -> None:
        found[part_of(frame)] += 1

    before = signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _part_of(frame: FrameType | None) -> str:
    """The part of the innermost function that belongs to one."""
    while frame is not None:
        path = frame.f_code.co_filename
        path = path.removeprefix(_ROOT) if path.startswith(_ROOT) else path.rpartition("site-packages/")[2]
        for part, starts in PARTS:
            if path.startswith(starts):
                return part
        frame = frame.f_back
    return PARTS[-1][0]


_ROOT: Final = f"{Path(__file__).parents[1]}/"


if __name__ == "__main__":
    print("\n".join(lines(chosen(__doc__, list(CASES), ("sequence", "loop", "fan_out", "multi_instance")))))
