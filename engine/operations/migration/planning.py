"""What of a live instance maps to another definition, and what does not. Pure: rows in, rows out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bpmn.definition import Element
from engine.errors import EngineError
from engine.launch import Deployed
from engine.operations.migration.naming import Naming
from engine.operations.migration.specs import SpecLookup, background, event_of, is_live, joined_by
from engine.spiff.state import Row

SPEC: Final = 1
_NO_ACTIVITY: Final = ("Gateway", "Event")


class NotMigratable(EngineError):
    """An instance with tokens that have no place in the new definition; `problems` says which, and why."""

    def __init__(self, instance: str, definition: str, problems: tuple[str, ...]) -> None:
        self.instance, self.definition, self.problems = instance, definition, problems
        super().__init__(f"instance {instance} cannot go on with {definition[:12]}: {'; '.join(problems)}")


@dataclass(slots=True, kw_only=True)
class MigrationPlan:
    """From `before` to `definition` (hashes). `mapped` are the elements with tokens or waiting events, old id to new.

    `problems` forbid it. `dropped` are events that wait now and are gone, `not_armed` new ones beside something that
    has begun, which do not wait; `added` and `removed` are activities that only one of the two has.
    """

    instance: str
    before: str
    definition: str
    process: str
    mapped: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    not_armed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    rows: dict[str, Row] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    """Keys of rows that the new definition has no place for, and needs none."""

    def require(self) -> None:
        """Raises NotMigratable."""
        if self.problems:
            raise NotMigratable(self.instance, self.definition, tuple(self.problems))

    def to_json(self) -> dict[str, Any]:
        told = ("before", "definition", "process", "mapped", "problems", "dropped", "not_armed", "added", "removed")
        return {name: value for name in told if (value := getattr(self, name))}


def plan(
    instance: str, rows: Mapping[str, Row], old: Deployed, new: Deployed, mapping: Mapping[str, str]
) -> MigrationPlan:
    """`rows` are those of the instance's live state; `mapping` says what in `new` stands for what in `old`."""
    return _Planner(instance, rows, old, new, mapping).plan()


class _Planner:
    def __init__(
        self, instance: str, rows: Mapping[str, Row], old: Deployed, new: Deployed, mapping: Mapping[str, str]
    ) -> None:
        self._rows, self._old, self._new, self._mapping = rows, old, new, mapping
        self._naming = Naming(old, new, mapping)
        self._specs = SpecLookup(rows, old, new, self._naming)
        self._plan = MigrationPlan(
            instance=instance, before=old.hash, definition=new.hash, process=new.index.main.id
        )

    def plan(self) -> MigrationPlan:
        for id, to in sorted(self._mapping.items()):
            for known, each, where in ((self._old, id, "old"), (self._new, to, "new")):
                if each not in known.index.elements:
                    self._plan.problems.append(f"{each}: the {where} definition has no such element")
        for key, row in sorted(self._rows.items(), key=lambda pair: (pair[0][0], int(pair[0][1:]))):
            self._take(key, row)
        self._compare()
        return self._plan

    def _take(self, key: str, row: Row) -> None:
        if key[0] == "s":
            self._plan.rows[key] = [self._naming.scope(row[0])]
        elif key[0] == "t":
            self._task(key, row)
        elif key[0] == "c":
            self._record(key, row)
        else:
            self._plan.rows[key] = list(row)

    def _task(self, key: str, row: Row) -> None:
        found, renamed = self._specs.before(row), self._naming.spec(row[SPEC])
        target, scope = self._specs.after(row, renamed), self._naming.scope(self._specs.scope_name(row))
        if not is_live(row):
            self._plan.rows[key] = self._with(row, renamed if type(target) is type(found) else "Start")
            return
        element = found.bpmn_id
        if target is None and background(found):
            self._plan.dropped.append(element or row[SPEC])
            self._plan.gone.append(key)
            return
        if target is None:
            self._plan.problems.append(f"{self._named(element, row)}: {self._missing(element, scope)}")
            return
        if type(target) is not type(found) or event_of(target) is not event_of(found):
            self._plan.problems.append(f"{self._named(element, row)}: {self._other_kind(element)}")
            return
        via = joined_by(found, row)
        if via is not None and self._naming.spec(via) not in target._inputs:
            self._plan.problems.append(f"{element}: a token has come from {via}, and nothing leads there from it now")
            return
        if element is not None:
            self._plan.mapped[element] = self._naming.element(element)
        self._plan.rows[key] = self._with(row, renamed)

    def _with(self, row: Row, spec: str) -> Row:
        changed = list(row)
        changed[SPEC] = spec
        changed[6] = self._naming.inside(row[6])
        return changed

    def _record(self, key: str, row: Row) -> None:
        """Something that can be undone: by an activity that must be there."""
        changed = self._naming.inside(list(row))
        handler = changed[2] or changed[3]
        if not self._specs.has(row[0], handler):
            self._plan.problems.append(f"{row[1]}: it has finished, and what undoes it is not in the new definition")
        self._plan.rows[key] = changed

    def _named(self, element: str | None, row: Row) -> str:
        return element or str(row[SPEC])

    def _missing(self, element: str | None, scope: str) -> str:
        near = self._new.index.elements.get(self._naming.element(element or ""))
        if near is not None:
            return f"a token stands there, and in the new definition it is not in {scope}"
        return "a token stands there, and the new definition has no such element; map it to another one"

    def _other_kind(self, element: str | None) -> str:
        before, after = (self._kind(each, element) for each in (self._old, self._new))
        return f"a token stands there, at a {before}, and in the new definition it is a {after}"

    def _kind(self, deployed: Deployed, element: str | None) -> str:
        id = element or ""
        found: Element | None = deployed.index.elements.get(id if deployed is self._old else self._naming.element(id))
        if found is None:
            return "node"
        loop = "looping " if found.loop is not None else ""
        of = f" ({found.event.kind})" if found.event is not None else ""
        return f"{loop}{found.kind}{of}"

    def _compare(self) -> None:
        before, after = self._old.index.elements, self._new.index.elements
        kept = {self._naming.element(id) for id in before}
        self._plan.added = sorted(id for id, each in after.items() if id not in kept and _is_activity(each))
        self._plan.removed = sorted(
            id for id, each in before.items() if self._naming.element(id) not in after and _is_activity(each)
        )
        begun = set(self._plan.mapped.values())
        self._plan.not_armed = sorted(
            id for id, each in after.items() if each.attached_to in begun and id not in begun and id not in kept
        )
        self._plan.dropped = sorted(set(self._plan.dropped))


def _is_activity(element: Element) -> bool:
    return not element.kind.endswith(_NO_ACTIVITY)
