"""The fact sheet: what is shown of tool outputs that do not fit, row by row (Design: D1, summaries by kind of value).

Rows of a table stay rows: their values stand together, under column names said once. What comes first is what the
coming work asks for by its parameters' names, what was used before, and what is recent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from governance.cda.entry import Entry, calls_of
from governance.cda.records import Record, identifies
from governance.similarity.terms import terms
from governance.summaries.facts import names_row

_RECENT, _USED, _WANTED, _ASKED, _TASK = 0.3, 0.5, 0.8, 0.3, 0.3
"""What counts for a value: how late it came, that it was used in a call, that the coming work has a parameter of its
key's name, that the query names it, that it stands where the task was given."""
_DENSE, _DENSE_UNKNOWN = 0.1, 0.4
"""How much shorter rows go first: little where the coming work's parameters say what is needed, else more."""
_LEAST_ROW, _ROUNDS = 4, 4
_GENERIC = frozenset(terms("id key name number code type"))
_TITLE = "[Compressed] values"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The text of a sheet, and the numbers of the entries its rows come from."""

    text: str
    numbers: tuple[int, ...]


@dataclass(slots=True)
class _Row:
    record: Record
    columns: tuple[str, ...]
    values: tuple[str, ...]
    score: float
    asked: bool
    constants: tuple[str, ...] = ()

    def worth(self, dense: float) -> float:
        length: float = 1.0 + sum(map(len, self.values))
        return self.score / float(length**dense)

    @property
    def head(self) -> str:
        table, columns = self.record.table, self.columns
        if not self.constants and columns in (("",), (table,)):
            return f"{table}: " if table else "named: "
        return f"{table}({', '.join((*self.constants, *columns))}): "


def sheet_of(
    records: Sequence[Record],
    *,
    wanted: Collection[str],
    used: Mapping[str, int],
    last: int,
    room: int,
    count: Callable[[str], int],
) -> Sheet | None:
    """As many rows as fit in `room` tokens, the most needed first; None if none fits.

    `wanted` are terms of the coming work's parameters and of the query, `used` how often a value stood in a call,
    `last` the number of the newest entry.
    """
    rows = _rows(records, frozenset(wanted), used, last)
    dense = _DENSE if any(row.asked for row in rows) else _DENSE_UNKNOWN
    ranked = sorted(_with_constants(rows), key=lambda row: (-row.worth(dense), -row.record.number))
    chosen: list[_Row] = []
    for _ in range(_ROUNDS):
        # The parts of a text count for more than the text: what that leaves is filled again.
        left = room - count(_text(chosen)) if chosen else room - count(_TITLE + "\n")
        more = _fitting(ranked, chosen, left, count)
        if not more:
            break
        chosen += more
    while chosen and count(_text(chosen)) > room:
        chosen.pop()
    return Sheet(_text(chosen), tuple(sorted({row.record.number for row in chosen}))) if chosen else None


def used_values(entries: Iterable[Entry], values: Callable[[Entry], Iterable[str]]) -> Counter[str]:
    """How often each value stood in a call or an action of an agent."""
    found: Counter[str] = Counter()
    for entry in entries:
        if entry.role == "assistant" or calls_of(entry.message):
            found.update({value.lower() for value in values(entry)})
    return found


def _rows(records: Sequence[Record], wanted: frozenset[str], used: Mapping[str, int], last: int) -> list[_Row]:
    """Rows with the columns that matter; of rows that say the same, or less of it, the newest and fullest."""
    found: dict[tuple[str, tuple[str, ...]], _Row] = {}
    matches: dict[str, float] = {}
    for record in reversed(records):
        recency = (record.number + 1) / (last + 1)
        scored = []
        for key, value in record.fields:
            if key not in matches:
                matches[key] = _match(key or record.table, wanted)
            own = _WANTED * matches[key] + (_ASKED if value.lower() in wanted else 0.0)
            own += _USED if used.get(value.lower()) else 0.0
            scored.append((key, value, own, matches[key]))
        columns = _columns(scored)
        if columns:
            values = tuple(value for _, value, _, _ in columns)
            score = _RECENT * recency + (_TASK if record.number == 0 else 0.0) + max(own for _, _, own, _ in columns)
            asked = any(match > 0.0 for _, _, _, match in columns)
            row = _Row(record, tuple(key for key, _, _, _ in columns), values, score, asked)
            found.setdefault((record.table, values), row)
    return list(found.values())


def _with_constants(rows: list[_Row]) -> list[_Row]:
    """What all rows of one list have in common goes to their head, to be said once."""
    lists: dict[tuple[int, str, tuple[str, ...]], list[_Row]] = {}
    for row in rows:
        lists.setdefault((row.record.number, row.record.table, row.columns), []).append(row)
    for same in lists.values():
        first = same[0].values
        alike = [len(same) > 1 and all(row.values[at] == value for row in same) for at, value in enumerate(first)]
        for row in same if any(alike) and not all(alike) else ():
            pairs = list(zip(row.columns, row.values, alike, strict=True))
            row.constants = tuple(f"{key}={value}" for key, value, constant in pairs if constant)
            row.columns = tuple(key for key, _, constant in pairs if not constant)
            row.values = tuple(value for _, value, constant in pairs if not constant)
    return rows


_Scored = tuple[str, str, float, float]


def _columns(scored: Sequence[_Scored]) -> list[_Scored]:
    """What the coming work has parameters for, with what names the row; else what identifies."""
    matching = [each for each in scored if each[3] > 0.0]
    if matching:
        if any(identifies(each[1]) or names_row(each[0]) for each in matching):
            return matching
        naming = [each for each in scored if names_row(each[0])][:1]
        return [each for each in scored if each in matching or each in naming]
    return [each for each in scored if identifies(each[1])]


def _match(key: str, wanted: frozenset[str]) -> float:
    """The share of a key's words that the coming work's parameters have; "id" and the like say nothing alone."""
    own = set(terms(key.replace("_", " ")))
    own = own - _GENERIC or own
    return len(own & wanted) / len(own) if own else 0.0


def _fitting(ranked: Sequence[_Row], chosen: Sequence[_Row], room: int, count: Callable[[str], int]) -> list[_Row]:
    """The next rows that fit; one that identifies nothing new is left out."""
    more: list[_Row] = []
    heads = {row.head for row in chosen}
    shown = {value for row in chosen for value in row.values}
    for row in ranked:
        if shown.issuperset(value for value in row.values if identifies(value) or len(row.values) == 1):
            continue
        cost = count(", ".join(row.values) + "; ") + (0 if row.head in heads else count(row.head + "\n"))
        if cost <= room:
            room -= cost
            heads.add(row.head)
            shown.update(row.values)
            more.append(row)
        elif room < _LEAST_ROW:
            break
    return more


def _text(chosen: Sequence[_Row]) -> str:
    return "\n".join([_TITLE, *_lines(chosen)])


def _lines(chosen: Sequence[_Row]) -> list[str]:
    """One line per table and set of columns, rows in the order of their coming."""
    lines: dict[str, list[_Row]] = {}
    for row in sorted(chosen, key=lambda row: row.record.number):
        lines.setdefault(row.head, []).append(row)
    return [
        head + (", " if len(rows[0].values) == 1 else "; ").join(", ".join(row.values) for row in rows)
        for head, rows in lines.items()
    ]
