"""Takes what says something of a person out of JSON: by the names it stands under, and wherever its text stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from engine.personal.keys import Path, about, needles, parts, paths_of
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import LAYERS, name_of, space_of
from governance.vocabulary import Layer

MASK: Final = "•••"


class Masker:
    """Masks what belongs to one instance. `texts` are looked for in every text, whole `values` are known by hash."""

    def __init__(self, paths: Sequence[Path], texts: Iterable[str], values: Iterable[str], mask: str = MASK) -> None:
        self._paths, self._mask = list(paths), mask
        self.keys = tuple(".".join((path.name, *path.inside)) for path in self._paths)
        self.texts, self.values = frozenset(texts), frozenset(values)
        longest_first = sorted(self.texts, key=lambda text: (-len(text), text))
        self._found = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def value(self, hash: str, value: Any) -> Any:
        """A stored value."""
        return self._mask if hash in self.values else self.json(value)

    def json(self, value: Any) -> Any:
        """The same JSON, masked: equal to `value` if nothing in it is personal."""
        if isinstance(value, str):
            return value if self._found is None else self._found.sub(self._mask, value)
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return self._mask if str(value) in self.texts else value
        if isinstance(value, list | tuple):
            return [self.json(item) for item in value]
        if isinstance(value, dict):
            return {str(self.json(name)): self._named(name, item) for name, item in value.items()}
        return value

    def _named(self, name: str, item: Any) -> Any:
        """What stands under a name, which may be a variable's."""
        insides = about(self._paths, name.rpartition("/")[2])
        if () in insides:
            return self._mask
        for inside in insides:
            item = _without(item, inside, self._mask)
        return self.json(item)


def masker_of(graph: SnapshotGraph, snapshots: Iterable[str], patterns: Iterable[str], mask: str = MASK) -> Masker:
    """What to mask in an instance: every value that a personal variable ever had. Cost: the writes of all snapshots."""
    paths = paths_of(patterns)
    texts, values, seen = set[str](), set[str](), set[str]()
    for id in snapshots if paths else ():
        commit = graph.get(id)
        for key, write in (*commit.writes.items(), *commit.carry.items()):
            if write.value is None or LAYERS[space_of(key).partition(":")[0]] is not Layer.WORKING:
                continue
            insides = about(paths, name_of(key))
            if not insides or f"{key} {write.value}" in seen:
                continue
            seen.add(f"{key} {write.value}")
            value = graph.values.get(write.value)
            for inside in insides:
                if not inside:
                    values.add(write.value)
                for part in parts(value, inside):
                    texts.update(needles(part))
    return Masker(paths, texts, values, mask)


def _without(value: Any, inside: tuple[str, ...], mask: str) -> Any:
    """The value with what a path leads to masked."""
    if not inside:
        return mask
    if isinstance(value, list | tuple):
        return [_without(item, inside, mask) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _without(item, inside[1:], mask) if fnmatchcase(name, inside[0]) else item for name, item in value.items()
    }
