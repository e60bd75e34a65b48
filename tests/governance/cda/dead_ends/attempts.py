"""Attempts and times for tests of the registry."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from governance.cda.dead_ends.model import Attempt, DeadEnd
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.ports import timestamp

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


def at(days: float = 0.0) -> str:
    return timestamp(BEGIN + timedelta(days=days))


def search(query: str, state: str = "s", **more: Any) -> Attempt:
    arguments: Mapping[str, Any] = {"query": query, **more}
    return Attempt("tool:search", arguments, state, public=arguments)


def fail(registry: DeadEndRegistry, attempt: Attempt, days: float = 0.0, **more: Any) -> DeadEnd:
    told = {"reason": "nothing was found", "source": "tool", "session": "i1", **more}
    found = registry.register(attempt, at=at(days), **told)
    assert found is not None
    return found
