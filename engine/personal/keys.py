"""Which variables of an instance say something of a person: names or globs, also inside objects (`customer.name`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from bpmn.definition import Definition
from bpmn.walk import elements

_SHORTEST_TEXT: Final = 3
_SHORTEST_NUMBER: Final = 4
"""Shorter texts and numbers are masked where they stand under their name; they say too little to be looked for."""


Inside = tuple[str, ...]
"""The names inside a variable that lead to a part of it, outermost first; () leads to all of it."""


class Path(NamedTuple):
    """A pattern: of the variable's name, and of the names inside it, outermost first."""

    name: str
    inside: Inside

    @classmethod
    def of(cls, pattern: str) -> Path:
        name, *inside = pattern.split(".")
        return cls(name, tuple(inside))


def personal_keys(definition: Definition) -> tuple[str, ...]:
    """All patterns that a policy in the definition names: they hold for the whole instance, whoever names them."""
    found: dict[str, None] = {}
    for process in definition.processes.values():
        found.update(dict.fromkeys(process.policy.policy.personal_keys))
        for element in elements(process):
            found.update(dict.fromkeys(element.resolved.policy.personal_keys))
    return tuple(found)


def paths_of(patterns: Iterable[str]) -> list[Path]:
    return [Path.of(pattern) for pattern in patterns]


def about(paths: Iterable[Path], name: str) -> list[Inside]:
    """What inside a variable is personal: () for all of it."""
    return [path.inside for path in paths if fnmatchcase(name, path.name)]


def parts(value: Any, inside: Inside) -> Iterator[Any]:
    """The parts of a value that a path leads to; lists are gone through."""
    if not inside:
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            if fnmatchcase(name, inside[0]):
                yield from parts(item, inside[1:])
    elif isinstance(value, list):
        for item in value:
            yield from parts(item, inside)


def needles(value: Any) -> Iterator[str]:
    """Texts and numbers in a personal value that are told enough to be known again wherever they stand."""
    if isinstance(value, str):
        if len(value.strip()) >= _SHORTEST_TEXT:
            yield value.strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if len(str(value)) >= _SHORTEST_NUMBER:
            yield str(value)
    elif isinstance(value, dict):
        for item in value.values():
            yield from needles(item)
    elif isinstance(value, list):
        for item in value:
            yield from needles(item)


def short_needles(value: Any) -> Iterator[str]:
    """The text of a value that says too little to be looked for by itself."""
    text = value.strip() if isinstance(value, str) else "" if isinstance(value, bool | dict | list) else str(value)
    if text and value is not None and not list(needles(value)):
        yield text
