"""What of an attempt its failure was about: whatever else changes, that fails again (Design: CDA, dead ends).

"Order A-17 not found" is about that order alone, and "paid 255, the price is 305" about what the payments come to. An
attempt in the same state that has the same in all that the reason names has failed already.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from governance.cda.dead_ends.model import Attempt
from governance.cda.dead_ends.signature import normalised
from governance.snapshots.canonical import canonical, digest

_AFTER: Final = re.compile(
    r"""["')\]]?:? (?:(?:was|is|are|were|could|can|cannot) )?"""
    r"""(?:not (?:be )?found\b|be found\b|(?:does not|doesn't) exist\b|unknown\b(?! \w)|no such file)"""
    r"""|["')\]]? ?(?:不存在|找不到)"""
)
"""What says right after a value that it is not there ..."""
_BEFORE: Final = re.compile(
    r"""(?:\b(?:no such|unknown(?! (?:error|failure|problem|reason|cause|exception|issue|status)\b))(?: \w+){0,2}"""
    r"""|\bnot found(?=:)|不存在|找不到):? ?["'(\[]?$"""
)
"""... and right before it."""
_OF_SUMS: Final = re.compile(r"\b(?:totals?|sums?|amounts?|adds? up|paid|pays?)\b|合计|总|支付|付款", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![\w.,-])-?\d+(?:\.\d+)?(?![\w]|[.,]\d)")
_DISTINCT: Final = re.compile(r"[\d@/]")
"""What tells a name from a word of the language, which may stand in any reason, unless it is quoted."""
_QUOTES: Final = ("'", '"')
_SHORTEST: Final = 3
"""Characters of a value that a reason can be said to name."""


def blamed_in(attempt: Attempt, reason: str) -> frozenset[str]:
    """The aspects of an attempt that a reason names, as hashes; none where it may fail for something else, too."""
    if not attempt.public:
        return frozenset()
    named = normalised(reason)
    found = [(path, value) for path, value in _leaves(attempt.public, "") if _places(value, named)]
    if any(_is_absent(value, named) for _, value in found):
        return frozenset(_value(path, value) for path, value in found)
    if _OF_SUMS.search(reason):
        numbers = {float(number) for number in _NUMBER.findall(reason)}
        for path, total, rest in _totals(attempt.public):
            if total in numbers:
                return frozenset({_total(path, total), _rest(path, rest)})
    return frozenset()


def aspects_of(attempt: Attempt) -> frozenset[str]:
    """All that a failure could be about, as hashes: each value at its place, each total, and what stands beside it."""
    if not attempt.public:
        return frozenset()
    found = {_value(path, value) for path, value in _leaves(attempt.public, "")}
    for path, total, rest in _totals(attempt.public):
        found |= {_total(path, total), _rest(path, rest)}
    return frozenset(found)


def _value(path: str, value: str) -> str:
    return _aspect("at", path, value)


def _total(path: str, total: float) -> str:
    return _aspect("in all", path, total)


def _rest(path: str, rest: Any) -> str:
    return _aspect("beside", path, rest)


def _aspect(*parts: Any) -> str:
    return digest(canonical(list(parts)))[:16]


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Texts by their paths, as they are compared; items of a list share one, for their order says little."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each, f"{path}[]")
    elif isinstance(value, str):
        yield path, normalised(value)


def _places(value: str, reason: str) -> list[int]:
    """Where a reason names a value, as a whole word."""
    if len(value) < _SHORTEST or value not in reason:
        return []
    return [each.start() for each in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", reason)]


def _is_absent(value: str, reason: str) -> bool:
    """Whether a reason says of a value itself, and not of something else of the attempt, that it is not there."""
    for start in _places(value, reason):
        before, after = reason[:start], reason[start + len(value) :]
        if not _DISTINCT.search(value) and not (before[-1:] in _QUOTES and after[:1] in _QUOTES):
            continue
        if _AFTER.match(after) or _BEFORE.search(before):
            return True
    return False


def _totals(arguments: Mapping[str, Any]) -> Iterator[tuple[str, float, Any]]:
    """Of each list of objects the sum of each number that all of them have, and the arguments without that list."""
    for name, items in arguments.items():
        if not isinstance(items, Sequence) or isinstance(items, str) or not items:
            continue
        if all(isinstance(item, Mapping) for item in items):
            rest = normalised({other: value for other, value in arguments.items() if other != name})
            for field in items[0]:
                amounts = [item.get(field) for item in items]
                if all(isinstance(each, int | float) and not isinstance(each, bool) for each in amounts):
                    total = _sum(amounts)
                    if total is not None:
                        yield f"{name}[].{field}", total, rest


def _sum(amounts: Sequence[Any]) -> float | None:
    """The sum, the same in every order; None for one that no number of JSON can say."""
    try:
        total = math.fsum(amounts)
    except OverflowError:
        return None
    return total if math.isfinite(total) else None
