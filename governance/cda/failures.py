"""What failed, seen from a memory: which of its entries belong to it, and the line that stands for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from governance.cda.dead_ends.model import Attempt, DeadEnd
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.cda.direction import decay
from governance.cda.entry import calls_of
from governance.cda.library import Library
from governance.similarity.vectors import TextVector
from governance.summaries.kinds import classify

_SIMILAR = 0.82
_HOT = 5
_NEAR = 50
"""Dead ends that share the most words with a query: only those are compared."""
_DAY = 86_400.0


class Failures:
    """Registers and matches through the registry; marks entries of failed traces."""

    def __init__(self, library: Library, registry: DeadEndRegistry) -> None:
        self._library, self._registry = library, registry
        self._of_entry: dict[int, str] = {}
        self._missed: dict[str, str] = {}

    @property
    def numbers(self) -> frozenset[int]:
        """Entries of failed traces."""
        return frozenset(self._of_entry)

    def register(self, trace: Mapping[str, Any], reason: str, session: str, at: str) -> DeadEnd | None:
        """Raises UnknownEntry for entries that are none, NotJson for arguments that are none."""
        named = [self._library.entry(str(id)).number for id in trace.get("entries", ())]
        attempt = attempt_of(trace)
        found = self._registry.register(
            attempt, reason=reason, at=at, source="model", session=session, trace=dict(trace)
        )
        if found is None:
            return None
        for number in [*named, *self._calling(trace)]:
            for other in self._library.together(number):
                self._of_entry[other] = found.id
                self._missed[self._library.entries[other].scope] = at
        return found

    def lines(self, at: str) -> dict[int, str]:
        """The line for each entry of a trace that still counts as failed."""
        known = {}
        for id in set(self._of_entry.values()):
            found = self._registry.get(id)
            if self._registry.status(found, at) == "active":
                known[id] = found.line()
        return {number: known[id] for number, id in self._of_entry.items() if id in known}

    def hot(self, at: str) -> list[str]:
        """What a cold start should know."""
        return [each.line() for each in self._registry.hot(at, _HOT)]

    def listed(self, session: str, at: str, top_k: int) -> Sequence[DeadEnd]:
        return self._registry.list(session=session, at=at, status="active", top_k=top_k)

    def matching(self, query: str, at: str) -> list[tuple[DeadEnd, float]]:
        """Dead ends near what is asked, nearest first: at least 0.82 alike, or naming a tool that it names."""
        asked = TextVector.of(query)
        found = []
        for each in self._registry.about(query, at, top_k=_NEAR):
            alike = asked.similarity(TextVector.of(f"{each.signature.action} {each.text}"))
            if alike >= _SIMILAR or (query and each.signature.action.partition(":")[2].lower() in query.lower()):
                found.append((each, max(alike, _SIMILAR)))
        return sorted(found, key=lambda item: (-item[1], item[0].id))

    def missed_scopes(self, at: str) -> dict[str, float]:
        """What is left of a miss by scope."""
        now = datetime.fromisoformat(at)
        return {
            scope: decay((now - datetime.fromisoformat(then)).total_seconds() / _DAY)
            for scope, then in self._missed.items()
        }

    def _calling(self, trace: Mapping[str, Any]) -> list[int]:
        """Entries that made this very call."""
        tool = trace.get("tool")
        if not tool:
            return []
        wanted = _read(trace.get("arguments"))
        return [
            number
            for number in self._library.calling(str(tool))
            for name, arguments, _ in calls_of(self._library.entries[number].message)
            if name == tool and _read(arguments) == wanted
        ]


def attempt_of(trace: Mapping[str, Any]) -> Attempt:
    """A trace as an attempt: `tool` or `strategy`, `arguments`, and `state`, where the caller knows it."""
    action = f"tool:{trace['tool']}" if trace.get("tool") else f"strategy:{trace.get('strategy') or 'unnamed'}"
    arguments = _read(trace.get("arguments"))
    public: Mapping[str, Any] | None = arguments if isinstance(arguments, Mapping) else None
    if public is None and arguments is not None:
        public = {"arguments": arguments}
    return Attempt(action=action, arguments=arguments, state=str(trace.get("state") or ""), public=public)


def text_of_trace(trace: Mapping[str, Any], reason: str) -> str:
    """A trace in words, to turn the direction away from."""
    return f"{trace.get('tool') or trace.get('strategy') or ''} {trace.get('arguments') or ''} {reason}"


def _read(arguments: Any) -> Any:
    return classify(arguments)[1] if isinstance(arguments, str) else arguments
