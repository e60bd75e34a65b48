"""The specs that rows of live state are about, in the old definition and in the new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.launch import Deployed
from engine.operations.migration.naming import Naming
from engine.spiff.joins import VIA, DrivenJoin
from engine.spiff.state import Row
from engine.spiff.task import LIVE


class SpecLookup:
    """By the scopes that the rows say are open."""

    def __init__(self, rows: Mapping[str, Row], old: Deployed, new: Deployed, naming: Naming) -> None:
        self._scopes = {int(key[1:]): row[0] for key, row in rows.items() if key[0] == "s"}
        self._old, self._new, self._naming = old, new, naming

    def scope_name(self, row: Row) -> str:
        """Of the scope that a task's row is in."""
        return str(self._scopes.get(row[0], self._old.index.main.id))

    def before(self, row: Row) -> Any:
        scope = self._old.specs.main if row[0] == 0 else self._old.specs.nested[self.scope_name(row)]
        return scope.task_specs[row[1]]

    def after(self, row: Row, name: str) -> Any:
        """None: the new definition has none of that name in that scope."""
        scope = self._scope_after(row[0])
        return None if scope is None else scope.task_specs.get(name)

    def has(self, opener: int, name: str | None) -> bool:
        """Whether the scope that a task opened has a spec of this name in the new definition."""
        scope = self._scope_after(opener)
        return scope is not None and name in scope.task_specs

    def _scope_after(self, opener: int) -> Any:
        if opener == 0:
            return self._new.specs.main
        return self._new.specs.nested.get(self._naming.scope(self._scopes[opener]))


def is_live(row: Row) -> bool:
    """Whether a task still stands for a token, or waits."""
    return bool(row[2] & LIVE)


def background(spec: Any) -> bool:
    """Whether what waits there waits beside tokens, and may be missed: a boundary event, an event sub-process."""
    return bool(spec.background) or (spec.census is None and hasattr(spec, "cancel_activity"))


def event_of(spec: Any) -> type:
    """The kind of event that a spec waits for or throws."""
    return type(getattr(spec, "event_definition", None))


def joined_by(spec: Any, row: Row) -> str | None:
    """Of a token that waits at a join: the name of what it came from."""
    return str(row[6][VIA]) if isinstance(spec, DrivenJoin) and VIA in row[6] else None
