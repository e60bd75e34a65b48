"""Facts: what is said of one key, and which facts of a row go first where room is short."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from governance.similarity.terms import terms
from governance.summaries.clipping import ELLIPSIS, clip
from governance.summaries.inline import inline, one_line
from governance.summaries.kinds import JSON
from governance.summaries.prose import summarise_prose

SEPARATOR = "; "
_LEAST_PART = 40
"""Room from which the beginning of a fact is worth showing."""
_NAMES_ROW = re.compile(
    r"(?:.*[_\-. ]|.*[a-z](?=[A-Z]))?(?i:id|key|name|number|no|nr|code|sku|uuid|title)$"
    r"|.*(?:编号|单号|名称|代码|姓名|标识)$"
).match
_EMPTY = frozenset(("null", '""', "[]", "{}"))


@dataclass(frozen=True, slots=True)
class Fact:
    """One key with its value on one line; no key where the value stands for the whole row."""

    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.key} = {self.text}" if self.key else self.text

    @property
    def is_empty(self) -> bool:
        """Whether the value is null, an empty text, list or object."""
        return self.text in _EMPTY

    @property
    def names_its_row(self) -> bool:
        """Whether the key is one that says which row this is: an id, number, code or name."""
        return names_row(self.key)

    def matches(self, wanted: Collection[str]) -> bool:
        """Tell whether key or value share a term with ``wanted``."""
        return any(term in wanted for term in terms(str(self)))


def facts_of(row: JSON, query: Sequence[str], longest: int) -> list[Fact]:
    """Return the facts of a row, each value within ``longest`` code points; a row that is no object is one fact."""
    if isinstance(row, Mapping):
        return [Fact(one_line(key), value_line(value, query, longest)) for key, value in row.items()]
    return [Fact("", value_line(row, query, longest))]


def value_line(value: JSON, query: Sequence[str], longest: int) -> str:
    """Return ``value`` on one line; of a longer text the sentences that tell most about the query terms."""
    if isinstance(value, str) and len(value) > longest:
        return summarise_prose(one_line(value), query, longest)
    return inline(value, longest)


def names_row(key: str) -> bool:
    """Tell whether ``key`` says which row this is: an id, number, code or name."""
    return _NAMES_ROW(key) is not None


def row_line(facts: Sequence[Fact], query: Sequence[str], room: int, *, shrink: bool) -> str:
    """Return the facts of a row on one line within ``room``, or nothing if they do not fit.

    With ``shrink`` some may be left out, which an ellipsis tells; what names the row stays longest, then what matches.
    """
    whole = SEPARATOR.join(map(str, facts))
    if len(whole) <= room or not shrink:
        return whole if len(whole) <= room else ""
    wanted = frozenset(query)
    ranks = [(fact.is_empty, not fact.names_its_row, not fact.matches(wanted)) for fact in facts]
    kept: dict[int, str] = {}
    left = room - len(ELLIPSIS)
    for at in sorted(range(len(facts)), key=ranks.__getitem__):
        fact = str(facts[at])
        if len(fact) + len(SEPARATOR) > left:
            fact = clip(fact, left - len(SEPARATOR)) if left >= _LEAST_PART else ELLIPSIS
        if fact != ELLIPSIS:
            kept[at] = fact
            left -= len(fact) + len(SEPARATOR)
    return SEPARATOR.join([*(kept[at] for at in sorted(kept)), ELLIPSIS]) if kept else ""
