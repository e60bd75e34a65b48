"""Approving a text change by change: the hunks of what would change, of which a person takes some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import EngineError
from governance.human_loop.diff import Hunk, apply, word_diff
from governance.human_loop.intervention import Intervention

HUNKS: Final = "hunks"
"""The name under which an answer lists the changes that it takes, by number from 1."""


class WrongHunks(EngineError):
    """An answer that takes changes which are not there."""

    def __init__(self, intervention: str, name: str, found: Any, count: int | None) -> None:
        self.intervention, self.name, self.found, self.count = intervention, name, found, count
        if count is None:
            reason = "it has no text before and after, whose changes could be taken one by one"
        else:
            reason = f"it has {count} changes; allowed are whole numbers from 1 to {count}, each once"
        super().__init__(f"intervention {intervention}: {name}: {HUNKS} {found}: {reason}")


def hunks_of(shown: Any, name: str) -> list[Hunk] | None:
    """The changes of an output, in order; None where it has no text before and after."""
    if not isinstance(shown, Mapping):
        return None
    before, after = shown.get("before", {}).get(name), shown.get("outputs", {}).get(name)
    return word_diff(before, after) if isinstance(before, str) and isinstance(after, str) else None


def with_hunks(asked: Intervention, values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """`values` with the text that results where an answer takes some changes only: `{"hunks": [1, 3]}`.

    What says nothing of hunks stays as it is. Raises WrongHunks.
    """
    if values is None:
        return None
    return {name: _text(asked, name, value) if _names_hunks(value) else value for name, value in values.items()}


def _names_hunks(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {HUNKS} and isinstance(value[HUNKS], list)


def _text(asked: Intervention, name: str, value: Mapping[str, Any]) -> Any:
    shown: Any = asked.shown
    given, hunks = value[HUNKS], hunks_of(shown, name)
    if hunks is None:
        if isinstance(shown, Mapping) and isinstance(shown.get("outputs", {}).get(name), Mapping):
            return value  # an output that is an object, and may have such a field
        raise WrongHunks(asked.id, name, given, None)
    numbers = [number for number in given if isinstance(number, int) and not isinstance(number, bool)]
    if len(set(numbers)) != len(given) or not set(numbers) <= set(range(1, len(hunks) + 1)):
        raise WrongHunks(asked.id, name, given, len(hunks))
    return apply(shown["before"][name], hunks, {number - 1 for number in numbers})
