"""Text that can still be told in another language: it reads as English, and keeps what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

_BETWEEN: Final = ", "

Say = Callable[[str], str]
"""Tells a text in some language; `str` tells it in English."""


class Told(str):
    """English text made of a `template` and the `values` in its places, which may be of this kind themselves.

    It is a string like any other to whoever knows nothing of it. A catalogue looks `template` up, and puts the values,
    told in its language, in their places.
    """

    template: str
    values: Mapping[str, Any]
    english: str | None = None

    def __new__(cls, template: str, /, *, english: str | None = None, **values: Any) -> Told:
        """`english`: how it reads where that is not the template with the values in it, as of a single thing."""
        text = english if english is not None else template.format(**values) if values else template
        made = super().__new__(cls, text)
        made.template, made.values, made.english = template, values, english
        return made


class Recorded(Told):
    """A sentence that the engine wrote earlier and that was kept as plain text: a catalogue may know its form."""


def told(template: str, /, **values: Any) -> Told:
    """`told("{count} branches", count=3)`. Raises KeyError where a place has no value."""
    return Told(template, **values)


def recorded(text: object) -> Recorded:
    """What an event, a question or an instance kept of the engine's words."""
    return Recorded(str(text))


def joined(parts: Iterable[str], between: str = _BETWEEN) -> Told:
    """All of them, with the same between each two."""
    every = list(parts)
    values: dict[str, Any] = {f"part{number}": part for number, part in enumerate(every)}
    apart = Told(between)
    template = "{apart}".join(f"{{{name}}}" for name in values)
    return Told(template, apart=apart, **values) if every else Told("")
