"""Snapshots and branches by the names that people use for them: `head`, a branch, the beginning of an id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bpmn.findings import shortened
from engine.context_view import log
from engine.errors import EngineError
from engine.events import Event, EventType
from governance.snapshots.graph import SnapshotGraph

if TYPE_CHECKING:
    from engine.governor import Governor

HEAD: Final = "head"
"""Names the snapshot of the token that moved last."""
MAIN: Final = "main"
"""What people call the main branch, whose own name is empty."""

_ARM: Final = re.compile(r"(?:^|/)(?P<split>[^/@(]*)@\d+:(?P<count>\d+)\.(?P<to>[^/]*)$")
_SHORT: Final = 12


class UnknownContext(EngineError):
    """Nothing goes by a name that was given for a snapshot or a branch."""

    def __init__(self, instance: str, name: str, allowed: Iterable[str]) -> None:
        self.instance, self.name, self.allowed = instance, name, tuple(allowed)
        super().__init__(f"instance {instance}: {name!r} is none of its {'; '.join(self.allowed)}")


class AmbiguousContext(EngineError):
    """Several snapshots or branches go by a name; `candidates` are some of them."""

    def __init__(self, instance: str, name: str, candidates: Iterable[str]) -> None:
        self.instance, self.name, self.candidates = instance, name, shortened(tuple(candidates))
        super().__init__(f"instance {instance}: {name!r} may be {', '.join(self.candidates)}; give more of it")


class ContextNames:
    """The names in one instance. `branches` maps each live branch to its head, `lost` are heads put aside."""

    def __init__(
        self, instance: str, graph: SnapshotGraph, head: str, branches: Mapping[str, str], lost: Iterable[str]
    ) -> None:
        self._instance, self._graph, self.head = instance, graph, head
        self.branches, self.lost = dict(branches), tuple(lost)

    @classmethod
    def of(cls, governor: Governor, graph: SnapshotGraph, instance: str) -> ContextNames:
        """Those of a stored instance. Raises UnknownInstance, and UnknownContext where nothing has happened yet."""
        head = governor.store.instance(instance).head
        if head is None:
            raise UnknownContext(instance, HEAD, ["snapshots (there are none yet)"])
        branches = governor.heads(instance) or {graph.get(head).meta.branch: head}
        lost = _lost(governor.store.events(instance, types=[EventType.INTERRUPTED, EventType.REWOUND]))
        return cls(instance, graph, head, branches, lost)

    @property
    def heads(self) -> list[str]:
        """Every snapshot from which all others can be reached."""
        return list(dict.fromkeys([self.head, *self.branches.values(), *self.lost]))

    def snapshot(self, name: str) -> str:
        """The id of a snapshot: `head`, a branch's, or the one that begins with `name`.

        Raises UnknownContext, AmbiguousContext.
        """
        if name == HEAD:
            return self.head
        branches = self._branches_called(name)
        if branches:
            return self.branches[self._only(name, branches)]
        found = [entry.id for entry in log(self._graph, self.heads) if entry.id.startswith(name)] if name else []
        if not found:
            raise UnknownContext(self._instance, name, [self._told_branches(), "snapshots (`governor context log`)"])
        return self._only(name, found)

    def branch(self, name: str) -> str:
        """The live branch that `name` means: its whole name, the arm it ends with, or `main`.

        Raises UnknownContext, AmbiguousContext.
        """
        branches = self._branches_called(name)
        if not branches:
            raise UnknownContext(self._instance, name, [self._told_branches()])
        return self._only(name, branches)

    def _branches_called(self, name: str) -> list[str]:
        if name in self.branches:
            return [name]
        return [branch for branch in self.branches if name == short_name(branch)]

    def _only(self, name: str, found: list[str]) -> str:
        if len(found) > 1:
            raise AmbiguousContext(self._instance, name, [each or MAIN for each in found])
        return found[0]

    def _told_branches(self) -> str:
        return f"live branches ({', '.join(shortened([each or MAIN for each in self.branches]))})"


@dataclass(frozen=True, slots=True)
class Arm:
    """The last part of a branch's name: what it split off from, with how many, and where it leads.

    `to` are the elements it leads to, several once some have joined, or the number of an instance of a multi-instance
    activity, from 0. A branch that a non-interrupting event opened leads to that event, and `count` is 0.
    """

    split: str
    count: int
    to: tuple[str, ...]


def arm_of(branch: str) -> Arm | None:
    """None for the main branch, and where branches of different splits were joined."""
    found = _ARM.search(branch)
    if found is None:
        return None
    split, count, to = found["split"], int(found["count"]), found["to"]
    return Arm(split, count, tuple(to.split("+")) if count else (split,))


def short_name(branch: str) -> str:
    """The short name of a branch."""
    arm = arm_of(branch)
    return branch or MAIN if arm is None else "+".join(arm.to)


def short(snapshot: str) -> str:
    """The beginning of a snapshot's id, as it is shown."""
    return snapshot[:_SHORT]


def _lost(putting_aside: Iterable[Event]) -> list[str]:
    return [head for event in putting_aside for head in event.data.get("lost", ())]
