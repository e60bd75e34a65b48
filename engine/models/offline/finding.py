"""Finding the values of declared outputs, each with how well the prompt supports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.models.offline.facts import MARK, Fact, Facts, words
from engine.models.offline.reading import Sentences
from engine.models.placeholders import placeholder, resolved, type_of

NAMED, NEAR, READ, FIRST, GUESSED = 0.9, 0.7, 0.6, 0.4, 0.3
"""Support: a fact of that name; one whose name is part of it, or one of several in a list; read from a sentence that
has to do with it; text of the first sentences, for want of such; nothing found, a placeholder."""

_TEXT_CHARS: Final = 300
_NEAR_CHARS: Final = 120
_SENTENCES: Final = 2
_DEEPEST: Final = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A value, and how well it is supported (0..1)."""

    value: Any
    support: float


class Finder:
    """Finds values for parts of the schema `root`. `task` is what the activity is about.

    `fits` says whether a value fits a part; only such values are found.
    """

    def __init__(self, facts: Facts, task: str, root: Mapping[str, Any], fits: Callable[[Any, Any], bool]) -> None:
        self._facts, self._task, self._root, self._fits = facts.facts, task, root, fits
        self._sentences = Sentences(facts.prose(), facts.lines())

    def find(self, name: str, schema: Any, depth: int = 0) -> Found:
        """The best value for the output `name`."""
        return self._fact(name, schema) or self._read(name, schema, depth) or self._guess(name, schema)

    def text(self, *queries: str, limit: int = _TEXT_CHARS, most: int = _SENTENCES) -> Found | None:
        """Sentences near to the first query that any is near to, marked; failing that, the first ones."""
        for query in queries:
            near = self._sentences.best(query, limit, most)
            if near:
                return Found(MARK + near, READ)
        first = self._sentences.first(limit, most)
        return Found(MARK + first, FIRST) if first else None

    def _fact(self, name: str, schema: Any) -> Found | None:
        wanted = words(name)
        near: Found | None = None
        for fact in self._facts:
            named = wanted <= fact.words and any(wanted & words(last) for last in fact.path[-1:])
            if not (named or _is_near(fact, wanted)) or not self._fits(fact.value, schema):
                continue
            if named and not fact.is_item:
                return Found(fact.value, NAMED)
            near = near or Found(fact.value, NEAR)
        return near

    def _read(self, name: str, schema: Any, depth: int) -> Found | None:
        """A value read from sentences, or put together from values that were."""
        part = resolved(schema, self._root)
        query = " ".join(filter(None, (name.replace("_", " "), part.get("title"), part.get("description"))))
        kind = type_of(part)
        if kind == "object":
            return self._object(name, schema, part, depth)
        if part.get("enum"):
            candidates = [Found(value, READ) for value in self._sentences.choice(f"{query} {self._task}", part["enum"])]
        elif kind == "boolean":
            candidates = [Found(truth, READ) for truth in self._sentences.truth(name, query)]
        elif kind in ("integer", "number"):
            candidates = [Found(number, READ) for number in self._sentences.numbers(name, query)]
        else:
            candidates = self._texts(query, part, listed=kind == "array")
        return next((found for found in candidates if self._fits(found.value, schema)), None)

    def _texts(self, query: str, part: Mapping[str, Any], *, listed: bool) -> list[Found]:
        text = None if "format" in part else self.text(query, self._task)
        if text is None:
            return []
        return [Found([text.value], text.support)] if listed else [text]

    def _object(self, name: str, schema: Any, part: Mapping[str, Any], depth: int) -> Found | None:
        """An object of found fields; required ones that are not found are guessed."""
        if depth >= _DEEPEST:
            return None
        required = set(part.get("required", ()))
        fields = {key: self._field(name, key, inner, depth) for key, inner in part.get("properties", {}).items()}
        kept = {key: found for key, found in fields.items() if key in required or found.support > GUESSED}
        value = {key: found.value for key, found in kept.items()}
        if not kept or not self._fits(value, schema):
            return None
        return Found(value, min(found.support for found in kept.values()))

    def _field(self, name: str, key: str, schema: Any, depth: int) -> Found:
        """A field by the object's name and its own; by its own alone it is only near."""
        named = self._fact(f"{name} {key}", schema)
        if named is not None and named.support == NAMED:
            return named
        found = self.find(key, schema, depth + 1)
        return Found(found.value, min(found.support, NEAR))

    def _guess(self, name: str, schema: Any) -> Found:
        return Found(placeholder(schema, name, self._root), GUESSED)


def _is_near(fact: Fact, wanted: frozenset[str]) -> bool:
    """Whether all of the fact's words are among those wanted; long text is rather read than taken whole."""
    is_short = not isinstance(fact.value, str) or len(fact.value) <= _NEAR_CHARS
    return is_short and bool(fact.words) and fact.words < wanted
