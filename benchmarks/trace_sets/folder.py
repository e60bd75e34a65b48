"""Finds the sets in a folder: every JSON file is shown to every reader."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from benchmarks.trace_sets.case import Case, Reader, TraceSet
from benchmarks.trace_sets.conversations import Conversations
from benchmarks.trace_sets.multihop import HotpotQA, MuSiQue
from benchmarks.trace_sets.steps import SweAgent, TauBench, WhoAndWhen

READERS: Final[Sequence[Reader]] = (Conversations(), HotpotQA(), MuSiQue(), TauBench(), SweAgent(), WhoAndWhen())
_SUFFIXES: Final = (".json", ".traj")


def sets_in(folder: Path, readers: Sequence[Reader] = READERS) -> Iterator[TraceSet]:
    """The sets that `folder` holds, in the readers' order; files that no reader knows are passed over."""
    found: dict[str, list[Case]] = defaultdict(list)
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
        document = _document(path)
        for reader in readers:
            if document is not None and reader.reads(document):
                found[reader.name].extend(reader.cases(str(path.relative_to(folder)), document))
    for reader in readers:
        if found[reader.name]:
            yield reader.described(found[reader.name])


def sampled(found: TraceSet, most: int) -> TraceSet:
    """The set with at most that many cases, spread evenly."""
    if len(found.cases) <= most:
        return found
    step = len(found.cases) / most
    cases = tuple(found.cases[int(at * step)] for at in range(most))
    return replace(found, cases=cases, conditions=f"{most} of {found.conditions}")


def _document(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, OSError):
        return None
