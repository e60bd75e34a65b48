"""What is said of an event, and what all that say it need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.events import Event
from engine.names import Names
from engine.told import Told, joined, told

Fact = tuple[str, str]
"""What it is about, and what there is to say."""
Said = tuple[str, list[Fact]]
"""A title, and what is worth seeing beside it."""

LISTED: Final = 12


class Saying:
    """Titles and facts by the type of event."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def _said(self, form: str, event: Event, **values: Any) -> Told:
        return told(form, element=self._names.element(event.element), **values)

    def _taken(self, name: str) -> str:
        return self._names.element(name if self._names.find(name) else name.rpartition(".")[0] or name)


def listed(names: Sequence[str]) -> Told:
    more, first = len(names) - LISTED, joined(names[:LISTED])
    return told("{names} and {count} more", names=first, count=more) if more > 0 else first
