"""Takes what says something of a person out of JSON: by the names it stands under, and wherever its text stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from engine.personal.keys import Inside, Path, about, needles, parts, paths_of, short_needles
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import LAYERS, name_of, space_of
from governance.vocabulary import Layer

MASK: Final = "•••"
_ADDRESS: Final = re.compile("[0-9a-f]{32}")
"""The hash of a stored value, as records of HISTORY name outputs by it."""
_BEHIND: Final = r"""(\b{name}["']?\s?[:=]\s?["']?){text}(?!\w)"""
_SAYS_WHICH: Final = ("key", "variable")
_SAYS_WHAT: Final = ("value", "values", "base", "before", "after", "text", "lost")


class Masker:
    """Masks what belongs to one instance. `texts` are looked for in every text.

    `values` are stored values by hash, with what inside them is personal: () is all of it. `short` are pairs of a name
    and a text that is looked for behind it (`pin=42`), for it says too little by itself.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        texts: Iterable[str],
        values: Mapping[str, Iterable[Inside]],
        mask: str = MASK,
        short: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._paths, self._mask = list(paths), mask
        self.keys = tuple(".".join((path.name, *path.inside)) for path in self._paths)
        self.texts = frozenset(texts)
        self._values = {hash: frozenset(insides) for hash, insides in values.items()}
        longest_first = sorted(self.texts, key=lambda text: (-len(text), text))
        self._found = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        behind = [_BEHIND.format(name=re.escape(name), text=re.escape(text)) for name, text in sorted(short)]
        self._behind = re.compile("|".join(behind)) if behind else None
        self.masks = bool(self._paths)
        """Whether anything may be masked at all."""

    def value(self, hash: str, value: Any) -> Any:
        """A stored value. What it says of others by their hashes stays: they are masked when they are read."""
        for inside in self._values.get(hash, ()):
            value = _without(value, inside, self._mask)
        found = self.json(value)
        outputs = value.get("outputs") if isinstance(value, dict) else None
        if isinstance(outputs, dict) and isinstance(found.get("outputs"), dict):
            kept = {name: each for name, each in outputs.items() if isinstance(each, str) and _ADDRESS.fullmatch(each)}
            found["outputs"].update(kept)
        return found

    def json(self, value: Any) -> Any:
        """The same JSON, masked: equal to `value` if nothing in it is personal."""
        if not self.masks:
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return self._mask if str(value) in self.texts else value
        if isinstance(value, list | tuple):
            return [self.json(item) for item in value]
        if isinstance(value, dict):
            return {str(self.json(name)): self._named(name, item) for name, item in self._keyed(value).items()}
        return value

    def _text(self, text: str) -> str:
        if self._found is not None:
            text = self._found.sub(self._mask, text)
        if self._behind is not None:
            text = self._behind.sub(lambda found: f"{found[found.lastindex or 0]}{self._mask}", text)
        return text

    def _keyed(self, value: dict[str, Any]) -> dict[str, Any]:
        """An object that tells of a variable, as conflicts and changes do: `key` says which, others what it held."""
        key = next((value[name] for name in _SAYS_WHICH if isinstance(value.get(name), str)), "")
        insides = about(self._paths, key.rpartition("/")[2]) if key else []
        if not insides:
            return value
        found = dict(value)
        for inside in insides:
            # What stands at a place inside is judged by nobody; all of it goes.
            inside = () if value.get("path") else inside
            found.update((name, _held(found[name], inside, self._mask)) for name in _SAYS_WHAT if name in found)
        return found

    def _named(self, name: str, item: Any) -> Any:
        """What stands under a name, which may be a variable's."""
        insides = about(self._paths, name.rpartition("/")[2])
        if () in insides:
            return self._mask
        for inside in insides:
            item = _without(item, inside, self._mask)
        return self.json(item)


class Gathered:
    """What of an instance has to be masked: every value that a personal variable ever had. It grows with the instance.

    `texts` and `values` are as a Masker takes them; `seen` are the snapshots that were read. Where reading fails, what
    was not read counts as not seen: it is read the next time.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._paths = paths_of(patterns)
        self.texts, self.seen = set[str](), set[str]()
        self.values = dict[str, set[Inside]]()
        self.short = set[tuple[str, str]]()
        self._known = set[tuple[str, str]]()
        self._made: dict[str, Masker] = {}

    def add(self, graph: SnapshotGraph, snapshots: Iterable[str]) -> None:
        """Cost: the writes of those snapshots that were not seen yet."""
        for id in snapshots if self._paths else ():
            if id not in self.seen:
                self._add(graph, id)
                self.seen.add(id)

    def put(self, name: str, value: Any) -> None:
        """Add what a variable of this name holds."""
        self._made.clear()
        for inside in about(self._paths, name):
            if inside == ():
                self.short.update((name, text) for text in short_needles(value))
            for part in parts(value, inside):
                self.texts.update(needles(part))

    def masker(self, mask: str = MASK) -> Masker:
        """For what was added so far; made anew only where that has grown."""
        if mask not in self._made:
            self._made[mask] = Masker(self._paths, self.texts, self.values, mask, self.short)
        return self._made[mask]

    def _add(self, graph: SnapshotGraph, id: str) -> None:
        commit = graph.get(id)
        for key, write in (*commit.writes.items(), *commit.carry.items()):
            if write.value is None or LAYERS[space_of(key).partition(":")[0]] is not Layer.WORKING:
                continue
            insides = about(self._paths, name_of(key))
            if not insides or (key, write.value) in self._known:
                continue
            self.values.setdefault(write.value, set()).update(insides)
            self.put(name_of(key), graph.values.get(write.value))
            self._known.add((key, write.value))


def _held(value: Any, inside: Inside, mask: str) -> Any:
    """What a variable held: a value, or what each of several branches left there."""
    if isinstance(value, list) and value and all(isinstance(each, dict) and "value" in each for each in value):
        return [{**each, "value": _without(each["value"], inside, mask)} for each in value]
    return None if value is None else _without(value, inside, mask)


def _without(value: Any, inside: Inside, mask: str) -> Any:
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
