"""Who wrote the keys of a context, and when: as git tells who wrote a line, and which commits touched it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from immutables import Map

from engine.events import Event
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta
from governance.snapshots.model import Commit, EntryMeta, Write, layer_of
from governance.vocabulary import Layer

Merges: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The data of D3 events, by the merge commits that they made."""

_NONE_KNOWN: Final[Merges] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWrite:
    """One step's write of a key.

    `kind`, `activity`, `branch` and `at` are the step's, `written` says who the value is from and how sure: what a
    merge settles by rule and what a restore brings back keep their writer. `value` is None where the step `deleted` the
    key. `composed`: a merge put the value together from parts that branches wrote without a conflict. `settled` are the
    conflicts that the write ended, as in the merge's record: winner, lost, strategy, decided_by.
    """

    key: str
    snapshot: str
    kind: str
    activity: str
    branch: str
    at: str
    written: EntryMeta
    value: Any
    deleted: bool
    composed: bool
    settled: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "written": self.written._asdict()}


def blame(
    graph: SnapshotGraph, snapshot: str, merges: Merges = _NONE_KNOWN, *, layer: Layer = Layer.WORKING
) -> dict[str, KeyWrite]:
    """The last write of each key that stands in a layer, by key.

    What a merge took over from a branch was written there, not by the merge. Cost: the ancestors and what they wrote.
    Raises UnknownSnapshot.
    """
    last, _ = _writes(graph, snapshot, lambda key: layer_of(key) is layer)
    return {key: _told(graph, step, merges) for key, step in sorted(last.items()) if step.write.value is not None}


def history(graph: SnapshotGraph, snapshot: str, key: str, merges: Merges = _NONE_KNOWN) -> list[KeyWrite]:
    """Every write of one key up to a snapshot, the last one first; also those that lost a merge.

    Cost: the ancestors. Raises UnknownSnapshot.
    """
    last, found = _writes(graph, snapshot, lambda each: each == key)
    stands = last.get(key)
    found.sort(key=lambda step: (step is stands, step.commit.meta.at, step.commit.generation), reverse=True)
    return [_told(graph, step, merges) for step in found]


def merges_of(graph: SnapshotGraph, events: Iterable[Event]) -> Merges:
    """The D3 events that settled conflicts, by their merge commits."""
    found: dict[str, Mapping[str, Any]] = {}
    for event in events:
        if event.data.get("record"):
            # What stands after a D3 may be the record of it, on top of the merge.
            commit = graph.get(event.data["after"])
            while len(commit.parents) == 1:
                commit = graph.get(commit.parents[0])
            found[commit.id] = event.data
    return found


class _Step(NamedTuple):
    """A commit's write of a key; what a merge composed is in its `carry`."""

    key: str
    commit: Commit
    write: Write


_Last: TypeAlias = Map[str, _Step]


def _writes(graph: SnapshotGraph, snapshot: str, wanted: Callable[[str], bool]) -> tuple[_Last, list[_Step]]:
    """Who wrote each wanted key last, and all writes of wanted keys, parents before children.

    A key that was deleted is in the first one, with its deletion.
    """
    last: dict[str, _Last] = {}
    found: list[_Step] = []
    for commit in reversed(list(graph.log(snapshot))):
        others = [last[parent] for parent in commit.parents[1:]]
        edit = (last[commit.parents[0]] if commit.parents else _Last()).mutate()
        for key, write in filter(lambda item: wanted(item[0]), commit.carry.items()):
            brought = _brought(key, write, others)
            if brought is None and key not in commit.writes:
                brought = _Step(key, commit, write)
                found.append(brought)
            if brought is not None:
                edit[key] = brought
        for key, write in filter(lambda item: wanted(item[0]), commit.writes.items()):
            edit[key] = _Step(key, commit, write)
            found.append(edit[key])
        last[commit.id] = edit.finish()
    return last[snapshot], found


def _brought(key: str, write: Write, others: Sequence[_Last]) -> _Step | None:
    """Where a merge took the write over from. None: the value stood in none of the other branches."""
    steps = (other.get(key) for other in others)
    return next((step for step in steps if step is not None and step.write[:2] == write[:2]), None)


def _told(graph: SnapshotGraph, step: _Step, merges: Merges) -> KeyWrite:
    commit, value = step.commit, step.write.value
    settled = merges.get(commit.id, {}).get("record", {}).get("conflicts", ())
    return KeyWrite(
        key=step.key,
        snapshot=commit.id,
        kind=commit.meta.kind,
        activity=commit.meta.activity,
        branch=commit.meta.branch,
        at=commit.meta.at,
        written=meta(graph.values, step.write.meta),
        value=None if value is None else graph.values.get(value),
        deleted=value is None,
        composed=step.key not in commit.writes,
        settled=tuple(each for each in settled if each["key"] == step.key),
    )
