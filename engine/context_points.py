"""Points in the life of an instance by what happened there: before or after an activity, or at the end of a branch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from bpmn.findings import shortened
from engine.context_names import MAIN, AmbiguousContext, ContextNames, UnknownContext, short, short_name
from engine.context_view import LogEntry, log
from engine.errors import EngineError
from governance.snapshots.graph import SnapshotGraph

_COMPRESSED: Final = "D1"
_MERGED: Final = "D3"


class SeveralBefore(EngineError):
    """What was asked for is what stood before branches came together, and that is one snapshot on each."""

    def __init__(self, instance: str, name: str, snapshots: Sequence[str]) -> None:
        self.instance, self.name, self.snapshots = instance, name, tuple(snapshots)
        told = ", ".join(map(short, snapshots))
        super().__init__(f"instance {instance}: branches came together at {name}, from {told}; give one of these")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A snapshot that was asked for by what happened there.

    `earlier` are the same points of earlier runs of the activity, the newest first. `branch` is a branch that goes by
    the name of the activity too, None if none does.
    """

    snapshot: str
    earlier: tuple[str, ...] = ()
    branch: str | None = None


class ContextPoints:
    """Finds points among the snapshots of one instance. Cost of each search: the snapshots."""

    def __init__(self, instance: str, graph: SnapshotGraph, contexts: ContextNames) -> None:
        self._instance = instance
        self._entries = list(log(graph, contexts.heads))
        newest = {entry.branch: entry.id for entry in reversed(self._entries)}
        self._standing = {**newest, **contexts.branches}
        """The last snapshot of every branch there was, of a live one its head."""

    def find(self, name: str, elements: Collection[str], *, before: bool) -> Point:
        """The point that `name` means: one of the `elements` that go by it where they have run, else a branch.

        After an activity, a gateway or a join stands what it left; before it what it was given, compressed for it. Of
        an activity that is at work both are what it was given. At a branch stands the last that it knew; before it what
        it began with. Raises UnknownContext, AmbiguousContext, and SeveralBefore for what stood before a join.
        """
        runs, branches = self._runs(elements), self._branches_called(name)
        if runs:
            points = [self._given(name, run) if before else run[0].id for run in runs]
            return Point(snapshot=points[0], earlier=tuple(points[1:]), branch=next(iter(branches), None))
        if not branches:
            known = shortened(sorted({short_name(branch) for branch in self._standing}))
            raise UnknownContext(
                self._instance, name, ["activities that have run", f"branches ({', '.join(known)})"]
            )
        if len(branches) > 1:
            raise AmbiguousContext(self._instance, name, [branch or MAIN for branch in branches])
        return Point(snapshot=self._began(branches[0]) if before else self._standing[branches[0]])

    def _runs(self, elements: Collection[str]) -> list[list[LogEntry]]:
        """The snapshots of each run of the elements, newest first; a merge and the record of it are one run."""
        runs: list[list[LogEntry]] = []
        for entry in self._entries:
            if entry.activity not in elements:
                continue
            if entry.kind == _COMPRESSED:
                if not runs:
                    runs.append([entry])
            elif runs and runs[-1][-1].parents == (entry.id,) and entry.kind == _MERGED:
                runs[-1].append(entry)
            else:
                runs.append([entry])
        return runs

    def _given(self, name: str, run: list[LogEntry]) -> str:
        first = run[-1]
        if first.kind == _COMPRESSED:
            return first.id
        if len(first.parents) != 1:
            raise SeveralBefore(self._instance, name, first.parents)
        return first.parents[0]

    def _began(self, branch: str) -> str:
        first = next((entry for entry in reversed(self._entries) if entry.branch == branch), None)
        if first is None:
            return self._standing[branch]
        return first.parents[0] if first.parents else first.id

    def _branches_called(self, name: str) -> list[str]:
        if name in self._standing:
            return [name]
        return [branch for branch in self._standing if short_name(branch) == name]
