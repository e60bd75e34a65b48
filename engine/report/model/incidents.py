"""What failed, and how it went on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.events import Event, EventType
from engine.names import Names
from engine.told import recorded, told


@dataclass(frozen=True, slots=True)
class IncidentRow:
    """A failure. `resolved_at` is when it was given another try, "" if it stands; `how` says by what."""

    seq: int
    at: str
    element: str
    branch: str
    kind: str
    error: str
    resolved_at: str = ""
    how: str = ""


def incident_rows(events: Iterable[Event], names: Names) -> list[IncidentRow]:
    """Oldest first."""
    rows: list[IncidentRow] = []
    standing: dict[tuple[str | None, str], int] = {}
    for event in events:
        where = (event.element, event.branch)
        if event.type is EventType.INCIDENT:
            standing[where] = len(rows)
            name, branch = names.element(event.element), names.branch(event.branch)
            kind, error = told(event.data["kind"].replace("_", " ")), recorded(event.data["error"])
            rows.append(IncidentRow(event.seq, event.at, name, branch, kind, error))
        elif event.type is EventType.INCIDENT_RESOLVED and where in standing:
            place = standing.pop(where)
            rows[place] = replace(rows[place], resolved_at=event.at, how=told(event.data.get("how", "")))
    return rows
