"""BERT's word pieces: how a text becomes the numbers that a model of that family reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

_LONGEST_WORD = 100
_CJK = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_WORD = re.compile(r"\w+|[^\w\s]|_")


class WordPieces:
    """The vocabulary of a model: `vocab.txt`, one piece a line, `##` before what goes on in a word."""

    def __init__(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        self._numbers = {piece: number for number, piece in enumerate(lines)}
        self._first, self._last = self._numbers["[CLS]"], self._numbers["[SEP]"]
        self._unknown = self._numbers["[UNK]"]

    def encode(self, text: str, longest: int) -> list[int]:
        """The numbers of a text, at most `longest` with those that stand for its beginning and its end."""
        pieces = [piece for word in _words(text) for piece in self._pieces(word)]
        return [self._first, *pieces[: longest - 2], self._last]

    def _pieces(self, word: str) -> list[int]:
        """The longest pieces from the left; a word that cannot be made of pieces is one unknown."""
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            for end in range(len(word), start, -1):
                number = self._numbers.get(word[start:end] if start == 0 else f"##{word[start:end]}")
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self._unknown]
        return found or [self._unknown]


def _words(text: str) -> Iterator[str]:
    """Lower case without accents; punctuation and ideographs stand alone."""
    plain = unicodedata.normalize("NFD", _CJK.sub(r" \1 ", text.lower()))
    yield from _WORD.findall("".join(c for c in plain if unicodedata.category(c) != "Mn").replace("_", " _ "))
