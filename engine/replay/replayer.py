"""Replays an instance from its log: every advance made again, and its snapshots compared id by id."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.definitions import Definitions
from engine.errors import EngineError
from engine.launch import Launcher
from engine.replay.cause import Kind
from engine.replay.errors import NotReplayable
from engine.replay.going_back import go_back
from engine.replay.line import Line
from engine.replay.migrating import DefinitionsThen
from engine.replay.results import Unkept
from engine.store.advance import InstanceRecord
from engine.store.causes import KeptCause
from engine.store.errors import UnknownDefinition
from engine.store.port import InstanceStore
from governance.errors import GovernanceError, UnknownValue
from governance.snapshots.graph import SnapshotGraph


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay and the log part: the advance, and the snapshot that one has and the other has not, if any."""

    advance: int
    at: str
    snapshot: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay came to.

    `snapshots` were made again with the same ids. `taken` were taken as they stand in the log: those that an agent's
    work made between its model calls, whose texts are not kept.
    """

    instance: str
    advances: int
    snapshots: int
    taken: int
    difference: Difference | None


class History:
    """The advances of one instance, ready to be made again. Raises NotReplayable, UnknownInstance."""

    def __init__(self, store: InstanceStore, definitions: Definitions, launcher: Launcher, instance: str) -> None:
        self._store, self._definitions, self._launcher = store, definitions, launcher
        self.record: InstanceRecord = store.instance(instance)
        self.causes: Sequence[KeptCause] = store.causes(instance)
        self.recorded: Sequence[str] = store.snapshots(instance)
        versions = [kept.version for kept in self.causes]
        whole = list(range(1, self.record.version + 1))
        if versions != whole:
            lost = next((want for want, found in zip(whole, [*versions, 0], strict=False) if want != found), 1)
            raise NotReplayable(instance, lost, "what it was made by was not kept: it is from before causes were kept")

    @cached_property
    def _then(self) -> DefinitionsThen:
        return DefinitionsThen(self._store, self._definitions, self.record)

    def replay(self) -> Replayed:
        """Make every advance again, also those that were rewound later; the first difference ends it."""
        line, known, made = self.begin(), frozenset(self.recorded), set[str]()
        taken = set[str]()
        for kept in self.causes:
            if kept.cause.kind is Kind.REWIND:
                line = self._rewound(kept)
            else:
                try:
                    self._make(line, kept)
                except _Misfit as misfit:
                    found = Difference(kept.version, kept.at, None, f"advance {kept.version}: {misfit}")
                    return self._told(kept.version - 1, made, taken, found)
            made.update(line.made)
            taken |= line.taken
            unknown = next((id for id in line.made if id not in known), None)
            if unknown is not None:
                other = _other(line.instance.graph, kept, unknown, made | taken, self.recorded)
                return self._told(kept.version, made - {unknown}, taken, other)
        missing = next((id for id in self.recorded if id not in made and id not in taken), None)
        left = None if missing is None else _missing(self.causes[-1], missing)
        return self._told(len(self.causes), made, taken, left)

    def line_to(self, advance: int, snapshot: str | None) -> tuple[Line, bool]:
        """The live instance after an advance, or, as soon as it was made in it, at a snapshot; True: it was stopped.

        Raises NotReplayable.
        """
        before = [kept for kept in self.causes[:advance] if kept.cause.kind is Kind.REWIND]
        line, begin = (self._rewound(before[-1]), before[-1].version) if before else (self.begin(), 0)
        stopped = False
        for kept in self.causes[begin:advance]:
            try:
                stopped = self._make(line, kept, snapshot if kept.version == advance else None)
            except _Misfit as misfit:
                raise NotReplayable(self.record.id, kept.version, str(misfit)) from misfit
        return line, stopped

    def make_next(self, line: Line, kept: KeptCause) -> Line:
        """The next advance: on the same line, or on another one that it began by a rewind. Raises NotReplayable."""
        if kept.cause.kind is Kind.REWIND:
            return self._rewound(kept)
        try:
            self._make(line, kept)
        except _Misfit as misfit:
            raise NotReplayable(self.record.id, kept.version, str(misfit)) from misfit
        return line

    def begin(self) -> Line:
        """The instance at its start."""
        if not self.recorded:
            raise NotReplayable(self.record.id, 1, "there is no snapshot of it")
        causes = list(self.causes)
        try:
            return Line(self._store, self._then, self._launcher, self.record, causes, self.recorded[0])
        except UnknownValue as error:
            raise NotReplayable(self.record.id, 1, f"{error}: it was erased") from error
        except UnknownDefinition as error:
            raise NotReplayable(self.record.id, 1, str(error)) from error

    def _rewound(self, kept: KeptCause) -> Line:
        line, _ = self.line_to(kept.cause.data["advance"], kept.cause.data["snapshot"])
        go_back(line, kept.cause.data, kept.at)
        line.commit()
        line.made = []
        return line

    def _make(self, line: Line, kept: KeptCause, until: str | None = None) -> bool:
        if not line.can(kept.cause.kind):
            why = f"it was made by something that is not kept ({kept.cause.kind})"
            raise NotReplayable(self.record.id, kept.version, why)
        try:
            return line.make(kept, until)
        except (UnknownValue, Unkept, UnknownDefinition) as error:
            why = f"{error}: it was erased" if isinstance(error, UnknownValue) else str(error)
            raise NotReplayable(self.record.id, kept.version, why) from error
        except (EngineError, GovernanceError, LookupError, AssertionError) as error:
            raise _Misfit(f"{type(error).__name__}: {error}") from error

    def _told(self, advances: int, made: set[str], taken: set[str], difference: Difference | None) -> Replayed:
        return Replayed(self.record.id, advances, len(made), len(taken - made), difference)


class _Misfit(Exception):
    """Something that happened then cannot happen to the instance as a replay has it."""


def _other(
    graph: SnapshotGraph, kept: KeptCause, made: str, so_far: Collection[str], recorded: Sequence[str]
) -> Difference:
    """A snapshot that the log does not have, and the one that it has in that place, if there is one."""
    commit = graph.get(made)
    meta = commit.meta
    about = f"{meta.kind}{f' of {meta.activity}' if meta.activity else ''}{f' on {meta.branch}' if meta.branch else ''}"
    message = f"advance {kept.version} ({kept.cause.kind}) made snapshot {made[:12]} ({about}), which the log has not"
    for id in recorded:
        if id not in so_far:
            held = graph.get(id)
            if (held.parents, held.meta.kind, held.meta.activity) == (commit.parents, meta.kind, meta.activity):
                keys = sorted(
                    key for key in {*held.writes, *commit.writes} if held.writes.get(key) != commit.writes.get(key)
                )
                message += f"; it has {id[:12]}, which differs in {', '.join(keys) or 'what is carried or shown'}"
                break
    return Difference(kept.version, kept.at, made, message)


def _missing(last: KeptCause, id: str) -> Difference:
    return Difference(last.version, last.at, id, f"the log has snapshot {id[:12]}, which was not made again")
