"""Values in the words of a message."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any

SHOWN = 40
"""Characters of a value that a message shows."""
SEARCHED = 1000
"""Names looked through for a near match."""


def shown(text: str, length: int = SHOWN) -> str:
    """`text` as one printable line of about `length` characters: what a file says must not steer a terminal."""
    line = "".join(character if character.isprintable() else "\ufffd" for character in text[:length])
    return line if len(text) <= length else line + "..."


def phrase(value: Any) -> str:
    """A value with its type: `text 'abc' (str)`, `the number 5 (int)`, `a list of 3 items (list)`."""
    kind = type(value)
    if value is None:
        return "nothing (None)"
    if kind is bool:
        return f"the truth value {value} (bool)"
    if kind is int and value.bit_length() > 128:
        return "a very large number (int)"
    if kind is int or kind is float:
        return f"the number {value} ({kind.__name__})"
    if kind is str:
        return f"text {shown(repr(value[: SHOWN + 1]))} (str)"
    if kind is dict:
        return f"an object with {_count(value, 'field')} (dict)"
    if kind is list or kind is tuple or kind is set:
        return f"a {kind.__name__} of {_count(value, 'item')} ({kind.__name__})"
    return f"a value of type {kind.__name__}"


def _count(values: Sized, noun: str) -> str:
    return f"{len(values)} {noun}{'' if len(values) == 1 else 's'}"


def sentence(label: str, value_phrase: str) -> str:
    """`amount is text 'abc' (str)`; a literal is not said twice: `5 is a number (int)`."""
    if value_phrase.startswith(f"the number {label} "):
        return f"{label} is a number{value_phrase.removeprefix(f'the number {label}')}"
    if value_phrase == f"text {label} (str)":
        return f"{label} is text (str)"
    return f"{label} is {value_phrase}"


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three of the known names that look like `name`, best first."""
    from difflib import get_close_matches

    names = [candidate for _, candidate in zip(range(SEARCHED), known, strict=False)]
    alike = [candidate for candidate in names if candidate.lower() == name.lower()]
    return tuple(dict.fromkeys(map(shown, alike + get_close_matches(name, names, 3))))[:3]
