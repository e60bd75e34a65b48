"""Summaries by rule: what is shown of a value at the fidelities SUMMARY and KEY_ONLY.

Design: D1 compress, summaries by kind of value. Every number and identifier shown stands in the value; only the counts
of what is left out, and of rows and lines, are the summary's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice

from governance.similarity.terms import terms
from governance.summaries.clipping import ELLIPSIS, clip
from governance.summaries.facts import Fact, row_line
from governance.summaries.inline import inline, one_line
from governance.summaries.kinds import JSON, Kind, classify
from governance.summaries.notes import left_out
from governance.summaries.sheets import summary_lines
from governance.summaries.tables import is_table

_KEY_ONLY = 80
_SHORT_FACT, _MOST_FACTS = 40, 20
"""Length of a value, and number of keys looked at, in telling what an object is."""


def summarise(value: JSON, *, query: str, limit: int) -> str:
    """Return ``value`` shortened to at most ``limit`` code points for a reader who wants to know ``query``.

    Prose keeps its best sentences with their neighbours; objects, tables and lists become a fact sheet; logs and code
    keep whole lines. A value that fits is returned whole: text as it is, else as JSON. The same input always gives the
    same summary.
    """
    whole = value if isinstance(value, str) else _json(value)
    if whole is not None and len(whole) <= limit:
        return whole
    summary = "\n".join(summary_lines(value, terms(query), limit + 1))
    if whole is not None and summary.strip() in ("", ELLIPSIS):
        return left_out(len(whole), len(whole), "characters", limit)
    return summary


def key_only(key: str, value: JSON) -> str:
    """Return ``key`` and at most 80 code points of what it holds.

    That is the beginning of a text, what names an object, or the size and the columns of a table.
    """
    return f"{key}: {clip(_held(value), _KEY_ONLY)}"


def _held(value: JSON) -> str:
    kind, read = classify(value)
    if isinstance(read, str):
        if kind is not Kind.TEXT_TABLE:
            return one_line(read)
        return f"{sum(1 for line in read.splitlines() if line.strip())} lines: {one_line(read)}"
    if isinstance(read, Mapping) and is_table(read):
        return f"{len(read)} rows: {', '.join(map(one_line, read))}"
    if isinstance(read, Mapping):
        facts = [Fact(one_line(key), inline(item, _SHORT_FACT)) for key, item in islice(read.items(), _MOST_FACTS)]
        return row_line(facts, (), _KEY_ONLY, shrink=True) or f"{len(read)} keys"
    if isinstance(read, Sequence) and any(isinstance(item, Mapping | list | tuple) for item in read):
        columns = ", ".join(map(one_line, read[0])) if isinstance(read[0], Mapping) else ""
        return f"{len(read)} rows" + (f" of {columns}" if columns else "")
    return inline(read, _KEY_ONLY)


def _json(value: JSON) -> str | None:
    """Return ``value`` as JSON text, or None if it is nested too deeply to be written."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return None
