"""What a prompt holds, as named facts and sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.models.base import Message
from engine.prompts.fence import fences
from governance.similarity.terms import terms
from governance.summaries.sentences import sentences

MARK: Final = "[offline] "
"""How text begins that this model put together, not copied from a fact."""

_RECORD: Final = re.compile(r"^\S*@\d+:")
_ARCHIVED: Final = re.compile(r"^\(\d+ archived")
_MARKS: Final = re.compile(r"^\[Compressed\] |…$")
_JOINS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
_MOST: Final = 5_000
_DEEPEST: Final = 8
_LONGEST: Final = 300
_WORD: Final = 60
"""Text up to this length is a value, unless it ends like a sentence."""
ENDS: Final = (".", "!", "?", "。")
"""How sentences end."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A value and the names that lead to it: entry, field, field of a field; none: it is only said."""

    path: tuple[str, ...]
    value: Any

    @property
    def words(self) -> frozenset[str]:
        return words(" ".join(self.path))

    @property
    def is_item(self) -> bool:
        """Whether it stands in a list, where others have the same name."""
        return any(part.isdigit() for part in self.path[1:])


@lru_cache(maxsize=1 << 14)
def words(name: str) -> frozenset[str]:
    """Stems of the words in a name: `customer_name` and `customerNames` have the same."""
    split = _JOINS.sub(" ", name)
    return frozenset(terms(split)) or frozenset(split.lower().split())


class Facts:
    """The facts of a prompt, those nearest to its end first, and the sentences of its texts."""

    def __init__(self, messages: Iterable[Message]) -> None:
        found: list[Fact] = []
        for message in messages:
            if message.role == "user":
                for entries, _ in fences(message.content):
                    for entry in entries:
                        found.extend(_of_entry(entry))
        self.facts = found[-_MOST:][::-1]

    def prose(self) -> list[str]:
        """Sentences of all texts, each once."""
        return list(dict.fromkeys(sentence for fact in self.facts if _is_prose(fact) for sentence in _sentences(fact)))

    def lines(self) -> list[str]:
        """`name: value` of what is neither prose nor made of parts, each once."""
        return list(dict.fromkeys(_line(fact) for fact in self.facts if not _is_prose(fact) and _is_single(fact)))


def _is_prose(fact: Fact) -> bool:
    return isinstance(fact.value, str) and (len(fact.value) > _WORD or fact.value.rstrip().endswith(ENDS))


def _is_single(fact: Fact) -> bool:
    return fact.value is not None and not isinstance(fact.value, dict | list)


def _sentences(fact: Fact) -> Iterator[str]:
    text = fact.value.removeprefix(MARK)
    for span in sentences(text, _LONGEST):
        yield " ".join(text[span.start : span.end].split())


def _line(fact: Fact) -> str:
    told = fact.value.removeprefix(MARK) if isinstance(fact.value, str) else json.dumps(fact.value)
    return f"{_JOINS.sub(' ', ' '.join(fact.path)).strip()}: {told}" if fact.path else told


def _of_entry(entry: str) -> Iterator[Fact]:
    name, colon, text = entry.partition(": ")
    if not colon or _ARCHIVED.match(entry):
        return
    value = _value(text)
    if not _RECORD.match(name):
        yield from _of_value((name,), value, 0)
    elif isinstance(value, Mapping):
        yield from _of_value((), value.get("outputs", {}), 0)
        yield from _said(value.get("decision"))
    else:
        yield from _said(value)


def _said(text: Any) -> Iterator[Fact]:
    """What a record says in words: no name leads to it. What this model said of itself is none."""
    if isinstance(text, str) and not text.startswith(MARK):
        yield Fact((), text)


def _of_value(path: tuple[str, ...], value: Any, depth: int) -> Iterator[Fact]:
    """The value itself after what is inside it, so that the whole comes first once the order is turned round."""
    if depth < _DEEPEST:
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for name, part in parts:
            yield from _of_value((*path, str(name)), part, depth + 1)
    if path:
        yield Fact(path, value)


def _value(text: str) -> Any:
    """JSON where it is JSON, else the shortened text without its marks."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _MARKS.sub("", text)
