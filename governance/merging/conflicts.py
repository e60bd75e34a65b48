"""Conflicts: what branches that had not seen each other made of one place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from governance.merging.paths import DELETED, spoken
from governance.merging.survivors import place_of
from governance.snapshots.model import name_of
from governance.vocabulary import MergeStrategy


class Status(StrEnum):
    """How far a conflict is."""

    SETTLED = "settled"
    OPEN = "open"
    DENIED = "denied"


def names_of(conflict_id: str, key: str, path: str | None) -> tuple[str, ...]:
    """What people may call a conflict: its id, that without the space, and its place as `o.f` or `o/f`."""
    name, inside = name_of(key), path or ""
    return tuple(dict.fromkeys((conflict_id, name_of(conflict_id), spoken(name, inside), name + inside)))


@dataclass(frozen=True, slots=True)
class ConflictValue:
    """What one branch left at the place; `value` is DELETED if it removed it."""

    branch: str
    value: Any
    created_at: str
    confidence: float
    activity: str

    @property
    def deleted(self) -> bool:
        return self.value is DELETED

    def dump(self) -> dict[str, Any]:
        """JSON-able; `deleted` stands instead of `value` where the branch removed it."""
        return {
            "branch": self.branch,
            **_value_or_deleted(self.value),
            "created_at": self.created_at,
            "confidence": self.confidence,
            "activity": self.activity,
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place with several values, oldest first, and what a strategy makes of them.

    `path` None is the whole value. `base` is what stood there when the branches parted, DELETED if nothing did.
    `value` is the outcome of a settled conflict, `winner` the branch that it was taken from, None for a reducer's.
    `strategy` is None where no rule may settle it (SYSTEM).
    """

    key: str
    path: str | None
    base: Any
    values: tuple[ConflictValue, ...]
    strategy: MergeStrategy | None
    status: Status
    reason: str
    winner: str | None = None
    value: Any = DELETED
    notice: bool = False
    """Settled without a declared strategy, so that somebody should be told."""

    @property
    def place(self) -> str:
        """The variable, and the part of it, as people write it."""
        return spoken(name_of(self.key), self.path or "")

    @property
    def id(self) -> str:
        """What answers are given under: the key, and after a `#` the path if there is one. Unique in a plan."""
        return place_of(self.key, self.path or "")

    def dump(self) -> dict[str, Any]:
        """JSON-able. `base` is left out if nothing stood there, `value` and `winner` unless settled."""
        document: dict[str, Any] = {"id": self.id, "key": self.key, "path": self.path}
        if self.base is not DELETED:
            document["base"] = self.base
        document["values"] = [value.dump() for value in self.values]
        document["strategy"] = None if self.strategy is None else self.strategy.value
        document["status"] = self.status.value
        document["reason"] = self.reason
        if self.status is Status.SETTLED:
            document["winner"] = self.winner
            document.update(_value_or_deleted(self.value))
        return document


def _value_or_deleted(value: Any) -> dict[str, Any]:
    return {"deleted": True} if value is DELETED else {"value": value}
