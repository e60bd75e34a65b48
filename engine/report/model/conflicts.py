"""What branches disagreed about, and how it ended: one row per place and merge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.events import Event, EventType
from engine.names import Names
from engine.report.words import key_name, value_text
from engine.told import recorded, told
from governance.human_loop.intervention import Intervention
from governance.merging.paths import spoken

_REMOVED: Final = told("(removed)")
_NOTHING: Final = told("(nothing)")
_LONGEST: Final = 1_200


@dataclass(frozen=True, slots=True)
class Side:
    """What one branch left there. `won`: it stands after the merge; `folded`: it went into a value made of all."""

    branch: str
    value: str
    activity: str
    confidence: float
    won: bool = False
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictRow:
    """A place with several values. `value` is what stands after the merge, None while it is open or refused.

    `by` names the rule or the person, `why` is what the rule or the person says.
    """

    seq: int
    at: str
    element: str
    key: str
    base: str
    sides: tuple[Side, ...]
    status: str
    value: str | None
    by: str
    by_person: bool
    why: str


def conflict_rows(
    events: Iterable[Event], interventions: Sequence[Intervention], names: Names
) -> list[ConflictRow]:
    """Those of all merges, oldest first, and at last those that wait for a person."""
    asked = [each for each in interventions if each.kind == "conflict"]
    by_join: dict[tuple[str, str], list[Intervention]] = {}
    for each in asked:
        by_join.setdefault((each.element, each.branch), []).append(each)
    rows = [row for event in events if event.type is EventType.D3 for row in _settled(event, by_join, names)]
    waiting = [each for each in asked if each.status == "open"]
    return [*rows, *(row for each in waiting for row in _waiting(each, names))]


def _settled(
    event: Event, asked: Mapping[tuple[str, str], Sequence[Intervention]], names: Names
) -> Iterator[ConflictRow]:
    ends = {_place(each): each for each in event.data.get("record", {}).get("conflicts", ())}
    before = [each for each in asked.get((event.element or "", event.branch), ()) if each.created_at <= event.at]
    said = before[-1].answer.reason if before and before[-1].answer else ""
    for conflict in event.data.get("conflicts", ()):
        end = ends.get(_place(conflict), conflict if conflict["status"] == "settled" else None)
        by_person = end is not None and end.get("decided_by") == "person"
        yield _row(
            event.seq,
            event.at,
            names.element(event.element),
            conflict,
            end,
            by=told(str(event.data.get("decided_by") or "a person" if by_person else conflict["strategy"] or "rule")),
            by_person=by_person,
            why=recorded((said if by_person else "") or (end or conflict)["reason"]),
            names=names,
        )


def _waiting(asked: Intervention, names: Names) -> Iterator[ConflictRow]:
    shown = asked.shown if isinstance(asked.shown, dict) else {}
    conflicts: Any = shown.get("conflicts", ())
    for conflict in conflicts:
        yield _row(
            -1,
            asked.created_at,
            names.element(asked.element),
            conflict,
            None,
            by=told("nobody yet"),
            by_person=True,
            why=recorded(asked.message),
            names=names,
        )


def _row(
    seq: int,
    at: str,
    element: str,
    conflict: Mapping[str, Any],
    end: Mapping[str, Any] | None,
    *,
    by: str,
    by_person: bool,
    why: str,
    names: Names,
) -> ConflictRow:
    winner = end.get("winner") if end else None
    folded = end is not None and winner is None and not by_person
    return ConflictRow(
        seq=seq,
        at=at,
        element=element,
        key=_key(conflict),
        base=value_text(conflict["base"], _LONGEST) if "base" in conflict else _NOTHING,
        sides=tuple(_side(value, winner, folded=folded, names=names) for value in conflict["values"]),
        status=told("settled" if end is not None else str(conflict["status"])),
        value=None if end is None else _content(end),
        by=by,
        by_person=by_person,
        why=why,
    )


def _side(value: Mapping[str, Any], winner: str | None, *, folded: bool, names: Names) -> Side:
    return Side(
        branch=names.branch(value["branch"]),
        value=_content(value),
        activity=names.element(value["activity"]),
        confidence=value["confidence"],
        won=winner is not None and value["branch"] == winner,
        folded=folded,
    )


def _key(conflict: Mapping[str, Any]) -> str:
    return spoken(key_name(conflict["key"]), conflict.get("path") or "")


def _place(conflict: Mapping[str, Any]) -> tuple[str, str | None]:
    return (conflict["key"], conflict.get("path"))


def _content(part: Mapping[str, Any]) -> str:
    if part.get("deleted") or "value" not in part:
        return _REMOVED
    return value_text(part["value"], _LONGEST)
