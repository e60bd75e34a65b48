"""What falls together: a tool call and its results are one unit, every other entry is its own (Design: D1 compress)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from governance.compression.eligibility import Hold
from governance.compression.entries import Entry
from governance.snapshots.values import ValueStore
from governance.vocabulary import Band


@dataclass(slots=True, eq=False)
class Unit:
    """Entries of which none may be left behind without the others.

    `shrinking` are those whose text may be shortened; `leaves` says whether the whole may go to ARCHIVED, which no
    member does alone. `last` is true if it has a declared input of the coming activity.
    """

    entries: tuple[Entry, ...]
    shrinking: tuple[Entry, ...]
    leaves: bool
    last: bool


def units(entries: Iterable[Entry], band: Band, values: ValueStore) -> Iterator[Unit]:
    """The movable units among `entries`, in the order of their first entries."""
    bound = frozenset(hold for hold in Hold if hold.binds(band))
    calls = {entry: _calls(values, entry.item.value) for entry in entries}
    if not any(calls.values()):
        for entry in calls:
            if entry.hold not in bound:
                alone = (entry,)
                yield Unit(alone, () if entry.short else alone, True, entry.hold is Hold.INPUT)
        return
    for members in _paired(calls):
        free = [entry for entry in members if entry.hold not in bound]
        shrinking = tuple([entry for entry in free if not entry.short])
        leaves = bool(free) and all(entry.hold is Hold.SHORT or entry.hold not in bound for entry in members)
        if leaves or shrinking:
            yield Unit(tuple(members), shrinking, leaves, any(entry.hold is Hold.INPUT for entry in members))


def references(value: Any) -> Iterator[str]:
    """Ids of the tool calls that an entry makes or answers.

    A result, or a call kept by itself, names its `tool_call_id`; a message that makes several calls lists them under
    `tool_calls`, each with its `id`.
    """
    if not isinstance(value, dict):
        return
    calls = value.get("tool_calls")
    listed = [call.get("id") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    yield from (call for call in (value.get("tool_call_id"), *listed) if isinstance(call, str))


def _paired(calls: Mapping[Entry, Iterable[str]]) -> Iterator[list[Entry]]:
    """Entries grouped by the tool calls they share, directly or through others."""
    sharing: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry, ids in calls.items():
        for call in ids:
            sharing[call].append(entry)
    seen: set[Entry] = set()
    for first in calls:
        group, frontier = [], [first]
        while frontier:
            entry = frontier.pop()
            if entry in seen:
                continue
            seen.add(entry)
            group.append(entry)
            frontier.extend(other for call in calls[entry] for other in sharing[call])
        if group:
            yield group


def _calls(values: ValueStore, value_hash: str) -> tuple[str, ...]:
    """What `references` finds in a stored value, which is looked into once."""
    known = values.derived("tool calls")
    found: tuple[str, ...] | None = known.get(value_hash)
    if found is None:
        found = known[value_hash] = tuple(references(values.get(value_hash)))
    return found
