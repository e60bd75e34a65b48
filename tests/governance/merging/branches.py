"""Branches of a process in a few words: write on a head, merge heads, read a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from governance.merging.conflicts import Conflict
from governance.merging.merge import Answer, Merger, MergeResult
from governance.merging.paths import DELETED, changed_paths
from governance.merging.plan import MergePlan
from governance.merging.rules import Head, MergeRules
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Shown, Write, key_of
from governance.snapshots.values import ValueStore
from governance.vocabulary import MergeStrategy

LAST_WRITE = MergeRules(default=MergeStrategy.LAST_WRITE)


def moment(tick: int) -> str:
    """A time whose order is that of ticks."""
    return f"2026-03-01T10:00:00.{tick:06d}Z"


def by(**strategies: MergeStrategy) -> MergeRules:
    return MergeRules(keys=strategies)


class Branches:
    """A graph with a clock that moves by one tick at each step."""

    def __init__(self, similarity: Callable[[str, str], float] | None = None) -> None:
        self.graph = SnapshotGraph(ValueStore())
        self.merger = Merger(self.graph, similarity)
        self.tick = 0

    def start(self, values: Mapping[str, Any] | None = None, **more: Any) -> str:
        return self.write("", "", values, **more)

    def write(
        self,
        parent: str,
        branch: str,
        values: Mapping[str, Any] | None = None,
        *,
        space: str = "WORKING",
        confidence: float = 1.0,
        at: int | None = None,
        shown: Mapping[str, Shown | None] | None = None,
        kind: str = "activity",
        **more: Any,
    ) -> str:
        """A step of `branch` on `parent`; DELETED removes. Names with a `/` are whole keys."""
        self.tick += 1
        when = moment(self.tick if at is None else at)
        step = self.graph.get(parent).generation + 1 if parent else 1
        meta = put_meta(self.graph.values, EntryMeta(confidence, f"by {branch}", branch, created_at=when, step=step))
        writes = {}
        for name, value in {**(values or {}), **more}.items():
            key = name if "/" in name else key_of(space, name)
            writes[key] = self._write(parent, key, value, meta)
        parents = [parent] if parent else []
        about = CommitMeta(kind, f"by {branch}", branch, when)
        return self.graph.commit(parents, writes=writes, shown=shown or {}, meta=about).id

    def _write(self, parent: str, key: str, value: Any, meta: str) -> Write:
        if value is DELETED:
            return Write(None, meta)
        item = self.graph.contents(parent).item(key) if parent else None
        paths = None if item is None else changed_paths(self.graph.values.get(item.value), value)
        return Write(self.graph.values.put(value), meta, paths)

    def plan(self, heads: Mapping[str, str], rules: MergeRules = LAST_WRITE) -> MergePlan:
        return self.merger.plan([Head(branch, snapshot) for branch, snapshot in heads.items()], rules)

    def merge(
        self,
        heads: Mapping[str, str],
        rules: MergeRules = LAST_WRITE,
        *,
        branch: str = "",
        at: int | None = None,
        answers: Mapping[str, Answer] | None = None,
    ) -> MergeResult:
        self.tick += 1
        about = CommitMeta("D3", "join", branch, moment(self.tick if at is None else at))
        return self.merger.commit(self.plan(heads, rules), about, answers or {})

    def joined(self, heads: Mapping[str, str], rules: MergeRules = LAST_WRITE, **more: Any) -> str:
        return self.merge(heads, rules, **more).snapshot

    def values(self, snapshot: str, space: str = "WORKING") -> dict[str, Any]:
        contents = self.graph.contents(snapshot)
        return {name: self.graph.values.get(item.value) for name, item in contents.items(space)}

    def value(self, snapshot: str, name: str) -> Any:
        return self.values(snapshot)[name]

    def value_in(self, snapshot: str, space: str, name: str) -> Any:
        return self.values(snapshot, space)[name]


def conflicting(plan: MergePlan) -> list[str]:
    return [conflict.id for conflict in plan.conflicts]


def sides(conflict: Conflict) -> dict[str, Any]:
    """Value by branch, oldest first."""
    return {value.branch: value.value for value in conflict.values}
