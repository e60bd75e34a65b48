"""Fact sheets of lists and tables: each row on a line of its own, those that match the query first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from governance.similarity.bm25 import bm25_scores
from governance.summaries.clipping import ELLIPSIS
from governance.summaries.facts import SEPARATOR, Fact, facts_of, names_row, row_line
from governance.summaries.inline import inline, one_line, whole_line
from governance.summaries.kinds import JSON
from governance.summaries.notes import left_out, note_room

_LONG_CELL, _SHORT_CELL = 300, 80
"""Longest value in a row: where the row matches or all fits, and elsewhere."""
_READ = 2000
"""Code points of a row that count in matching it."""
_MATCHES_FROM = 0.5
"""BM25 from which a row answers the query; terms that most rows hold add next to nothing."""
_FEWEST_ROWS = 3
_ALIKE = 0.6
_GOOD_MATCH = 0.5
"""Part of the best row's score from which a row is shortened rather than left out."""
_LEAST_ROW = 12
_MOST_MISFITS = 20
_SHORT_ITEM = 24
_MOST_NAMES = 60
"""More names than a note has room for."""
_LONGEST_COUNT = 3
"""Names that are numbers of no more digits only count the rows and are not worth their room."""


class Row(NamedTuple):
    """A row, and what it is called where it is a value of an object rather than of a list."""

    label: str
    value: JSON

    @property
    def lead(self) -> str:
        return f"{self.label}: " if self.label else "- "


def rows_of(value: Mapping[str, JSON] | Sequence[JSON]) -> list[Row]:
    """Return the items of a list, or the values of an object with their keys."""
    if isinstance(value, Mapping):
        return [Row(one_line(key), row) for key, row in value.items()]
    return [Row("", row) for row in value]


def table_lines(rows: Sequence[Row], query: Sequence[str], room: int) -> list[str]:
    """Return the lines of a fact sheet within ``room`` code points, a line break counted with each.

    Rows that match the query terms come first, the best ahead, then the others in their order. What is the same in all
    rows is said once, before them. The last line says how many rows are left out and names what it can.
    """
    constants = _constants(rows, room // 3)
    head = [f"every row: {SEPARATOR.join(map(str, constants))}"] if constants else []
    said = frozenset(fact.key for fact in constants)
    left = room - sum(len(line) + 1 for line in head)
    whole = _whole(rows, said, left)
    if whole is not None:
        return head + whole
    shown: dict[int, str] = {}
    seen: set[str] = set()
    left -= note_room(room)
    misfits = 0
    for at, score in _ranked(_matched_texts(rows), query):
        line = _line(rows[at], said, query, left - 1, shrink=score >= _GOOD_MATCH or not shown)
        if line and line not in seen:
            seen.add(line)
            shown[at] = line
            left -= len(line) + 1
        misfits = 0 if line else misfits + 1
        if misfits > _MOST_MISFITS or left < _LEAST_ROW:
            break
    missing = (row for at, row in enumerate(rows) if at not in shown)
    names = _names(list(islice(missing, _MOST_NAMES + 1)))
    note = left_out(len(rows) - len(shown), len(rows), "rows", left + note_room(room) - 1, names)
    return [*head, *shown.values(), *([note] if note else [])]


def items_lines(items: Sequence[JSON], query: Sequence[str], room: int) -> list[str] | None:
    """Return a list of short items on one line, each once, with a note of how many are left out.

    Items that match the query terms come first. None if the items are not short.
    """
    lines = [whole_line(item, _SHORT_ITEM) for item in items]
    texts = [line for line in lines if line is not None and line[0] not in "[{"]
    if not texts or len(texts) < len(items):
        return None
    whole = ", ".join(texts)
    if len(whole) < room:
        return [whole]
    kept: dict[str, None] = {}
    left = room - note_room(room)
    for at, _ in _ranked(texts, query):
        if texts[at] not in kept and len(texts[at]) + 2 <= left:
            kept[texts[at]] = None
            left -= len(texts[at]) + 2
    repeats = ["only repeats"] if len(kept) == len(set(texts)) else []
    note = left_out(len(items) - len(kept), len(items), "items", left + note_room(room) - 2, repeats)
    return [line for line in (", ".join(kept), note) if line]


def is_table(value: Mapping[str, JSON]) -> bool:
    """Tell whether an object is a table: its values are objects too and most of them have the same keys."""
    shapes = Counter(tuple(row) if isinstance(row, Mapping) else () for row in value.values())
    (shape, count), *_ = shapes.most_common(1) or [((), 0)]
    return len(value) >= _FEWEST_ROWS and bool(shape) and count >= _ALIKE * len(value)


def _whole(rows: Sequence[Row], said: frozenset[str], room: int) -> list[str] | None:
    """Return the lines of all rows with nothing left out, or None if that does not fit."""
    lines = []
    for row in rows:
        cells = row.value if isinstance(row.value, Mapping) else {"": row.value}
        texts = {one_line(key): whole_line(cell, room) for key, cell in cells.items()}
        facts = [Fact(key, text) for key, text in texts.items() if text is not None]
        if len(facts) < len(texts):
            return None
        lines.append(row.lead + SEPARATOR.join(map(str, _new(facts, row, said))))
        room -= len(lines[-1]) + 1
        if room < 0:
            return None
    return lines


def _new(facts: Sequence[Fact], row: Row, said: Collection[str]) -> list[Fact]:
    """Return the facts that neither the constants nor the label of the row have told."""
    return [fact for fact in facts if fact.key not in said and not (fact.text == row.label and fact.names_its_row)]


def _line(row: Row, said: frozenset[str], query: Sequence[str], room: int, *, shrink: bool) -> str:
    """Return the line of a row, empty if it does not fit; with ``shrink`` it may leave out facts to fit."""
    inner = room - len(row.lead)
    line = ""
    for longest in (_LONG_CELL, _SHORT_CELL) if shrink else (_SHORT_CELL,):
        facts = _new(facts_of(row.value, query, longest), row, said)
        line = row_line(facts, query, inner, shrink=shrink and longest == _SHORT_CELL)
        if line:
            break
    return row.lead + line if line else ""


def _ranked(texts: Sequence[str], query: Sequence[str]) -> list[tuple[int, float]]:
    """Return the positions of rows, by their texts, in the order to show them, each with its part of the best score."""
    scores = bm25_scores(query, texts)
    best = max(scores, default=0.0)
    parts = [score / best if score >= _MATCHES_FROM else 0.0 for score in scores]
    return [(at, parts[at]) for at in sorted(range(len(texts)), key=lambda at: (-parts[at], at))]


def _matched_texts(rows: Sequence[Row]) -> list[str]:
    """Return what a query is matched with: label and values, and the keys where they differ from the first row."""
    shape = rows[0].value.keys() if rows and isinstance(rows[0].value, Mapping) else None
    return [_matched_text(row, shape) for row in rows]


def _matched_text(row: Row, shape: Collection[str] | None) -> str:
    if not isinstance(row.value, Mapping):
        return row.lead + inline(row.value, _READ)
    values = [cell if isinstance(cell, str) else inline(cell, _READ) for cell in row.value.values()]
    return " ".join([row.lead, *values] if row.value.keys() == shape else [row.lead, *row.value, *values])


def _constants(rows: Sequence[Row], room: int) -> list[Fact]:
    """Return the facts that all rows share, as many as fit in ``room``."""
    objects = [row.value for row in rows if isinstance(row.value, Mapping)]
    if len(objects) < max(_FEWEST_ROWS, len(rows)):
        return []
    shared: Mapping[str, JSON] = objects[0]
    for row in objects[1:]:
        shared = {
            key: value
            for key, value in shared.items()
            if key in row and row[key] == value and inline(row[key], _SHORT_CELL) == inline(value, _SHORT_CELL)
        }
    constants = []
    for fact in facts_of(shared, (), _SHORT_CELL):
        cost = len(str(fact)) + len(SEPARATOR)
        if cost <= room and not fact.text.endswith(ELLIPSIS):
            constants.append(fact)
            room -= cost
    return constants


def _names(rows: Sequence[Row]) -> list[str]:
    """Return what the rows are called: their labels, or the values of the naming key with most different ones."""
    if rows and rows[0].label:
        return [row.label for row in rows]
    objects = [row.value for row in rows if isinstance(row.value, Mapping)]
    keys = [key for key in objects[0] if names_row(key)] if objects else []
    if not keys:
        return []
    columns = ([inline(row[key], _SHORT_CELL) for row in objects if row.get(key) is not None] for key in keys)
    names = list(dict.fromkeys(max(columns, key=lambda column: len(set(column)))))
    return [] if all(name.isdigit() and len(name) <= _LONGEST_COUNT for name in names) else names
