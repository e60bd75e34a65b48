"""Names in texts: what entries are linked by when one speaks of another (Design: CDA, SCG, the edge `refers`).

A name is a run of capitalised words, with the small words that join them; accents and case do not count. Scripts
without capitals have no names here: their entries are linked by other edges.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_JOINED_BY = "of the and de la von van for in on & du da del di le al at to"
_OPENINGS = """
    the a an in on at he she it they his her this that these those its when while after before as for and but or if is
    was were are who what which where how did does do i you we my your our there here not no yes so then
"""
_JOINING = frozenset(_JOINED_BY.split())
_FIRST_WORDS = frozenset(_OPENINGS.split())
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019.][^\W_]+)*|&|[,.;:!?()\"\u201c\u201d\n]")
_LEAST, _MOST_WORDS = 3, 8
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")
_POSSESSIVE = re.compile(r"['\u2019]s$")


def folded(text: str) -> str:
    """`text` in lower case without accents and possessive endings."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _POSSESSIVE.sub("", text.lower())


def name_key(name: str) -> str:
    """What a speaker or title is looked up by: its words, without what stands in brackets."""
    return " ".join(_words(_IN_BRACKETS.sub("", name)))


def names_in(text: str) -> set[str]:
    """The names that `text` mentions, as keys; of a longer one also the parts between its joining words."""
    found: set[str] = set()
    run: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0].isupper() or (word[0].isdigit() and run) or (run and word in _JOINING):
            run.append(word)
        elif run:
            found.update(_keys(run))
            run = []
    found.update(_keys(run))
    return found


class KnownNames:
    """Keys to be found in texts whatever their case."""

    def __init__(self) -> None:
        self._longest: dict[str, int] = {}
        self._keys: set[str] = set()

    def add(self, key: str) -> None:
        """Know a key from now on."""
        if key and key not in self._keys:
            self._keys.add(key)
            first, count = key.split(" ", 1)[0], key.count(" ") + 1
            self._longest[first] = max(self._longest.get(first, 0), min(count, _MOST_WORDS))

    def found_in(self, text: str) -> set[str]:
        """Which of the keys stand in `text`."""
        if not self._keys:
            return set()
        words, longest = _words(text), self._longest
        return {
            key
            for first, word in enumerate(words)
            if word in longest
            for last in range(first + 1, min(len(words), first + longest[word]) + 1)
            if (key := " ".join(words[first:last])) in self._keys
        }


def _words(text: str) -> list[str]:
    return [folded(word) for word in _WORD.findall(text) if word[0].isalnum() or word == "&"]


def _keys(run: list[str]) -> Iterator[str]:
    """The key of a run of words, and of each part of it."""
    while run and run[-1].lower() in _JOINING:
        run = run[:-1]
    while run and (run[0].lower() in _FIRST_WORDS or run[0].lower() in _JOINING):
        run = run[1:]
    part: list[str] = []
    for word in [*run, "of"]:
        if word.lower() in _JOINING:
            yield from _long_enough(part)
            part = []
        else:
            part.append(word)
    yield from _long_enough(run)


def _long_enough(words: list[str]) -> Iterator[str]:
    key = " ".join(map(folded, words))
    if len(key) >= _LEAST:
        yield key
