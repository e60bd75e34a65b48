"""Compares what a page shows with what is printed: ids, dates, times and numbers of tokens may differ.

An id in the page stands for the one that is printed in its place; from then on, commands that name it mean that one.
Numbers of tokens change with every word of a prompt's templates, which says nothing about a page.
A line `…` stands for any number of lines, and `…` at the end of a line for the rest of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

REST: Final = "…"

_LONG_ID, _SHORT_ID = r"\b[0-9a-f]{32}\b", r"\b(?=[a-z]*\d)[0-9a-z]{12}\b"
_DAY, _TIME = r"\b\d{4}-\d\d-\d\d\b", r"\b\d\d:\d\d:\d\d\b"
_STAMP: Final = r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
_NUMBER: Final = r"[\d,]+"
_BEFORE: Final = rf"(?:(?: → | of ){_NUMBER})? tokens\b| sent to models| without governance"
_TOKENS: Final = rf"\b{_NUMBER}(?={_BEFORE})|(?<=ungoverned ){_NUMBER}|(?<=without governance \(){_NUMBER}"
_VARYING: Final = re.compile(
    f"(?P<long>{_LONG_ID})|(?P<stamp>{_STAMP})|(?P<short>{_SHORT_ID})|(?P<day>{_DAY})|(?P<time>{_TIME})"
    f"|(?P<tokens>{_TOKENS})"
)
_ID_OF: Final = {"long": "[0-9a-f]{32}", "short": "[0-9a-z]{12}"}
_OTHERS: Final = {"stamp": _STAMP, "day": _DAY, "time": _TIME, "tokens": _NUMBER}


class Ids:
    """What the ids of a page stand for in this run."""

    def __init__(self) -> None:
        self._actual: dict[str, str] = {}

    def actual(self, text: str) -> str:
        """A text of the page with the ids of this run."""
        return _replaced(text, self._actual)

    def shown(self, text: str) -> str:
        """A printed text with the ids of the page, where it has them."""
        return _replaced(text, {actual: shown for shown, actual in self._actual.items()})

    def matches(self, expected: Sequence[str], printed: Iterable[str]) -> bool:
        """Whether the page shows what is printed; if so, the ids that it shows are known from now on."""
        groups: dict[str, str] = {}
        pattern = "".join(self._line(line.rstrip(), groups) for line in expected)
        found = re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed))
        if found is None:
            return False
        self._actual.update({shown: found[group] for shown, group in groups.items()})
        return True

    def matches_in_any_order(self, expected: Sequence[str], printed: Iterable[str]) -> bool:
        """The same where the order of lines does not count."""
        left = list(printed)
        for line in expected:
            found = next((number for number, each in enumerate(left) if self.matches([line], [each])), None)
            if found is None:
                return False
            del left[found]
        return not left

    def pair(self, expected: Iterable[str], printed: Iterable[str]) -> None:
        """Where a page shows something else, take its new ids for the printed new ones, in the order they come."""
        shown = [each for each in _ids(expected) if each not in self._actual]
        actual = [each for each in _ids(printed) if each not in self._actual.values()]
        self._actual.update(zip(shown, actual, strict=False))

    def _line(self, line: str, groups: dict[str, str]) -> str:
        if line == REST:
            return r"(?:.*\n)*?"
        is_cut = line.endswith(REST)
        line, place, parts = line.removesuffix(REST), 0, []
        for varying in _VARYING.finditer(line):
            parts += [re.escape(line[place : varying.start()]), self._varying(varying, groups)]
            place = varying.end()
        return "".join(parts) + re.escape(line[place:]) + (".*" if is_cut else "") + r"\n"

    def _varying(self, found: re.Match[str], groups: dict[str, str]) -> str:
        kind, shown = found.lastgroup or "", found.group()
        if kind in _OTHERS:
            return _OTHERS[kind]
        if shown in self._actual:
            return re.escape(self._actual[shown])
        if shown in groups:
            return f"(?P={groups[shown]})"
        groups[shown] = f"id{len(groups)}"
        return f"(?P<{groups[shown]}>{_ID_OF[kind]})"


def without_what_varies(line: str) -> str:
    """The line with the same word for every id, date and time."""
    return _VARYING.sub("#", line)


def _ids(lines: Iterable[str]) -> list[str]:
    """The ids in a text, each once."""
    found = (varying for line in lines for varying in _VARYING.finditer(line) if varying.lastgroup in _ID_OF)
    return list(dict.fromkeys(varying.group() for varying in found))


def _replaced(text: str, names: dict[str, str]) -> str:
    if not names:
        return text
    return re.sub("|".join(map(re.escape, names)), lambda found: names[found.group()], text)
