"""All that the page of an instance shows, read and drawn once for each state of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any, Final

from engine.context_names import ContextNames
from engine.context_view import LogEntry, log
from engine.dead_ends import DeadEnds, Standing
from engine.governor import Governor
from engine.personal.records import told_standing
from engine.report.drawings import Drawings
from engine.report.model.report import Extent, Report, make_report
from engine.report.run import Run, read_run
from engine.server.views.heat import heat
from engine.server.views.next_steps import NextStep, next_steps
from engine.store.advance import InstanceRecord
from engine.told import Say
from governance.ports import Clock

SHOWN: Final = Extent(rows=300, events=200, newest=True, steps=120)
"""A page has the newest of long lists; the others are fetched when somebody asks for them."""
_SNAPSHOTS: Final = 100
_KEPT: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceView:
    """`snapshots` are the newest, with more if `more_snapshots`; `heat` is by scale and number of the node."""

    run: Run
    report: Report
    draw: Drawings
    steps: Sequence[NextStep]
    heat: Mapping[str, Mapping[int, int]]
    dead_ends: Sequence[Standing]
    snapshots: Sequence[LogEntry]
    more_snapshots: bool


def view(governor: Governor, clock: Clock, instance: str, extent: Extent = SHOWN, say: Say = str) -> InstanceView:
    """Cost: the events, the commits and the elements of the file. Raises UnknownInstance."""
    run = read_run(governor.store, instance)
    report = make_report(run, extent)
    draw = Drawings(report, say)
    snapshots: list[LogEntry] = []
    if run.record.head is not None:
        names = ContextNames.of(governor, run.graph, instance)
        snapshots = list(islice(log(run.graph, names.heads, names.branches), _SNAPSHOTS + 1))
    return InstanceView(
        run=run,
        report=report,
        draw=draw,
        steps=next_steps(run, report.people, report.names),
        heat=heat(draw.nodes(), run.events, report.people),
        dead_ends=_dead_ends(governor, clock, instance),
        snapshots=snapshots[:_SNAPSHOTS],
        more_snapshots=len(snapshots) > _SNAPSHOTS,
    )


def _dead_ends(governor: Governor, clock: Clock, instance: str) -> list[Standing]:
    found = DeadEnds(governor.store, clock).list(instance=instance, ended=True)
    return [told_standing(governor.store, each) for each in found]


class Drawn:
    """Sections of pages as they were drawn last, by instance, its version and language: many readers, one drawing."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[Any, ...], str] = OrderedDict()
        self._drawing: dict[tuple[Any, ...], Lock] = {}

    def get(self, record: InstanceRecord, language: str, draw: Callable[[], str]) -> str:
        """What `draw` gives, or gave for the same state."""
        key = (record.id, record.epoch, record.version, language)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            drawing = self._drawing.setdefault(key, Lock())
        with drawing:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]
            try:
                drawn = draw()
                with self._lock:
                    self._kept[key] = drawn
                    if len(self._kept) > _KEPT:
                        self._kept.popitem(last=False)
            finally:
                with self._lock:
                    self._drawing.pop(key, None)
        return drawn
