"""The leaves of an object: what stands at the end of its keys, short or long."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from governance.summaries.inline import one_line, whole_line
from governance.summaries.kinds import JSON, Kind, classify
from governance.summaries.tables import is_table

_SHORT = 120
"""Code points up to which a value is a fact."""
_DEEPEST = 6
_UNKNOWN_SIZE = 1 << 30
"""Of what is nested too deeply to be written whole."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of an object or of the objects within it, under all the keys that lead to it."""

    keys: tuple[str, ...]
    kind: Kind
    value: JSON
    line: str | None
    """The value on one line, if it is short."""
    size: int
    """About how many code points it takes whole, with its path."""

    @property
    def path(self) -> str:
        return ".".join(self.keys)


def leaves_of(value: Mapping[str, JSON], above: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Yield the leaves of an object in order; an object that fits on a short line is one, its values kept together."""
    for key, item in value.items():
        keys = (*above, one_line(key))
        line = whole_line(item, _SHORT)
        kind, read = classify(item)
        if line is None and isinstance(read, Mapping) and not is_table(read) and len(keys) < _DEEPEST:
            yield from leaves_of(read, keys)
        else:
            size = len(".".join(keys)) + (_size(item) if line is None else len(line)) + len(" = \n")
            yield Leaf(keys, kind, read, line, size)


def names_of(missing: Iterable[Leaf], leaves: Sequence[Leaf]) -> list[str]:
    """Return the paths of missing leaves; an object that is missing altogether is named once."""
    total, gone = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    missing = list(missing)
    for counter, group in ((total, leaves), (gone, missing)):
        counter.update(leaf.keys[:depth] for leaf in group for depth in range(1, len(leaf.keys) + 1))
    names: dict[str, None] = {}
    for leaf in missing:
        above = (leaf.keys[:depth] for depth in range(1, len(leaf.keys) + 1))
        names[".".join(next(keys for keys in above if gone[keys] == total[keys]))] = None
    return list(names)


def _size(value: JSON) -> int:
    if isinstance(value, str):
        return len(value)
    try:
        return len(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return _UNKNOWN_SIZE
