"""What operators do with dead ends: look at them, and end them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.store.port import InstanceStore
from governance.cda.dead_ends.errors import UnknownDeadEnd
from governance.cda.dead_ends.model import DeadEnd, DeadEndFact
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.errors import GovernanceError
from governance.ports import Clock, timestamp


class AmbiguousDeadEnd(GovernanceError):
    """Several dead ends begin so."""

    def __init__(self, prefix: str, candidates: Sequence[str]) -> None:
        self.prefix, self.candidates = prefix, tuple(candidates)
        super().__init__(f"dead end {prefix!r} may be {', '.join(candidates)}; give more of it")


@dataclass(frozen=True, slots=True)
class Standing:
    """A dead end, whether it counts (`status`), and the facts that made it so, oldest first."""

    dead_end: DeadEnd
    status: str
    facts: Sequence[DeadEndFact] = ()

    def to_json(self) -> dict[str, Any]:
        return {**self.dead_end.model_dump(mode="json"), "status": self.status}


class DeadEnds:
    """Those of a store."""

    def __init__(self, store: InstanceStore, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def list(self, *, process: str | None = None, instance: str | None = None, ended: bool = False) -> list[Standing]:
        """The most frequent first; those that no longer count only if `ended`."""
        registry, now = DeadEndRegistry(), timestamp(self._clock.now())
        registry.load(self._store.dead_ends().all(scope=process))
        found = registry.list(session=instance, at=now, status=None if ended else "active")
        return [Standing(each, registry.status(each, now)) for each in found]

    def find(self, prefix: str) -> Standing:
        """The one whose id begins so. Raises UnknownDeadEnd, AmbiguousDeadEnd."""
        registry, found, facts = self._found(prefix)
        return Standing(found, registry.status(found, timestamp(self._clock.now())), facts)

    def retire(self, prefix: str, *, by: str, reason: str) -> Standing:
        """End one: it may be done again. Raises UnknownDeadEnd, AmbiguousDeadEnd, NotRetired."""
        now = timestamp(self._clock.now())
        registry, found, facts = self._found(prefix)
        found = registry.retire(found.id, by=by, at=now, reason=reason)
        self._store.dead_ends().add(registry.drain())
        return Standing(found, registry.status(found, now), facts)

    def _found(self, prefix: str) -> tuple[DeadEndRegistry, DeadEnd, Sequence[DeadEndFact]]:
        facts = self._store.dead_ends().all(id=prefix)
        registry = DeadEndRegistry()
        registry.load(facts)
        found = registry.list()
        if len(found) > 1:
            raise AmbiguousDeadEnd(prefix, [each.id for each in found[:5]])
        if not found or not prefix:
            raise UnknownDeadEnd(prefix)
        return registry, found[0], facts
