"""Memories and turns for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from governance.cda.entry import text_of
from governance.cda.memory import CdaMemory
from governance.cda.settings import CdaSettings
from governance.cda.state import AssembledContext
from governance.ports import FixedClock
from governance.tokens import EstimatingCounter

CLOCK = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
_WORDS = """
    amber birch cedar dune ember fjord grove heath inlet jetty knoll ledge marsh notch oasis plain quay ridge
"""
WORDS = _WORDS.split()


class TenEach:
    """A counter to whom every text is as long."""

    def count(self, text: str) -> int:
        return 10 if text else 0


def memory(settings: Mapping[str, Any] | None = None, **others: Any) -> CdaMemory:
    return CdaMemory("s", CdaSettings(**(settings or {})), clock=FixedClock(CLOCK), **others)


def talk(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Turns of a user, each about something else, each about 20 tokens long."""
    return [
        {
            "role": "user" if at % 2 == 0 else "assistant",
            "content": f"Entry {at} says that the {WORDS[at % 18]} near the {WORDS[at * 7 % 18]} is number {at * 37}.",
        }
        for at in range(first, first + count)
    ]


def filled(count: int, settings: Mapping[str, Any] | None = None, **others: Any) -> CdaMemory:
    found = memory(settings, **others)
    for message in talk(count):
        found.append_turn([message])
    return found


def tokens_of(context: AssembledContext) -> int:
    counter = EstimatingCounter()
    return sum(counter.count(text_of(message)) for message in context.messages)


def text(context: AssembledContext) -> str:
    return "\n".join(map(text_of, context.messages))


def shown_ids(context: AssembledContext, *fidelity: str) -> Sequence[str]:
    entries = context.metadata["entries"]
    return [entry["id"] for entry in entries if not fidelity or entry["fidelity"] in fidelity]
