"""All that a report tells of a run, as data: no HTML, no SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.names import Names
from engine.persistence import variables_at
from engine.report.model.activities import Tally, tally
from engine.report.model.attention import Attention, attention
from engine.report.model.conflicts import ConflictRow, conflict_rows
from engine.report.model.diagram import Plane, Traces, planes
from engine.report.model.eventlog import MOST_EVENTS, Log, event_log
from engine.report.model.growth import MOST_STEPS, Step, grow
from engine.report.model.headline import Headline, headline
from engine.report.model.incidents import IncidentRow, incident_rows
from engine.report.model.ledger import Entry, ledger
from engine.report.model.path import find_path
from engine.report.model.people import Asked, asked_of_people
from engine.report.model.places import Places
from engine.report.model.policies import Policies, PolicyView
from engine.report.model.timeline import Timeline, timeline
from engine.report.run import Run
from engine.report.words import value_text
from engine.result import Summary

MOST_ROWS: Final = 2_500
"""Rows of the timeline."""
_VARIABLE_CHARS: Final = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The parts of a report in their order on the page. `variables` are those at the end, as text."""

    names: Names
    headline: Headline
    planes: Sequence[Plane]
    policies: Sequence[PolicyView]
    tallies: Mapping[str, Tally]
    growth: Sequence[Step]
    attention: Attention | None
    timeline: Timeline
    conflicts: Sequence[ConflictRow]
    people: Sequence[Asked]
    ledger: Sequence[Entry]
    incidents: Sequence[IncidentRow]
    log: Log
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much of long lists is told: `rows` of the timeline, `events` of the log, the `newest` or the first of each;
    `steps` of the layers' growth, which is thinned.
    """

    rows: int = MOST_ROWS
    events: int = MOST_EVENTS
    newest: bool = False
    steps: int = MOST_STEPS


_ALL: Final = Extent()


def make_report(run: Run, extent: Extent = _ALL) -> Report:
    """Everything, from what is stored. Cost: the events, the commits and the elements of the file."""
    names = Names(run.definition)
    summary = Summary().add_all(run.events)
    parts: Mapping[str, Any] = {
        "measures": summary.measures(),
        "decisions": summary.decisions,
        "conflicts": summary.conflicts,
    }
    tallies = tally(run.events)
    people = asked_of_people(run.interventions, run.work_items, names)
    path = find_path(Places(run.definition), run.record.process, run.events, run.tokens)
    policies = Policies(run.definition, names)
    waiting = frozenset(each.element for each in people if each.status == "open") | {name for name, _ in run.tokens}
    traces = Traces(path=path, tallies=tallies, waiting=waiting)
    drawn = planes(run.definition, run.record.process, traces, policies)
    return Report(
        names=names,
        headline=headline(run, parts, tallies, people, names),
        planes=drawn,
        policies=policies.views,
        tallies=tallies,
        growth=grow(run.graph, run.events, extent.steps),
        attention=attention(summary.attention),
        timeline=timeline(run.events, path.lost, names, extent.rows, newest=extent.newest),
        conflicts=conflict_rows(run.events, run.interventions, names),
        people=people,
        ledger=ledger(run.graph, run.events, names),
        incidents=incident_rows(run.events, names),
        log=event_log(run.events, names, extent.events, newest=extent.newest),
        variables=_variables(run),
    )


def _variables(run: Run) -> dict[str, str]:
    found = variables_at(run.graph, run.record.head)
    return {name: value_text(found[name], _VARIABLE_CHARS) for name in sorted(found)}
