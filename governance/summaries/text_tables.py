"""Text that is made of records rather than sentences: CSV, Markdown tables, logs, code, listings."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO

_DELIMITERS = ",;\t|"
_FEWEST_LINES = 3
_SAMPLE = 200
"""Lines looked at to tell records from prose."""
_MOSTLY = 0.6

_MARKDOWN_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:-]*)+$").match
_RECORD = re.compile(
    r"""
    [ \t]*(?:
        [\[(<]?\d{4}[-/.]\d{2}[-/.]\d{2}                                # date
      | [\[(]?\d{1,2}:\d{2}(?::\d{2})?                                  # time
      | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\ +\d+\ \d   # syslog
      | (?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b
      | at\ [\w.$<>]+\( | File\ "                                       # stack traces
      | (?:def|class|import|from|return|raise|if|elif|else|for|while|try|with|async|public|private|const|let|var|func
          |fn|use|package|struct|SELECT|FROM|WHERE|JOIN|ORDER|GROUP)\b.*[\w)\]}:;,]$
      | [+@-]{2,3}[ ] | [+-]\s{2,}\S                                    # diff
      | [\w./-]+:\d+: | \d+(?:[:|]|\t)                                 # grep, numbered lines
      | [\w.-]+[ ]*[:=][ ]*\S{1,40}$                                    # key: value
      | [^\s.!?]+$                                                      # one token
    )
    | .*[{}();,\[\]>]$                                                  # code, markup
    | .*\S[ ]{2,}\S.*\S[ ]{2,}\S                                        # aligned columns
    | .*(?:\S\t\S|\$[({]|&&|;[ ](?:do|then)\b|[=-]>|::|==|[+:]=|</)     # tabs, operators
    """,
    re.VERBOSE,
).match
_LONGEST_RECORD = 500


def read_table(text: str) -> list[dict[str, str]] | None:
    """Return the rows of a CSV or Markdown table by column name, or None if ``text`` is no such table."""
    head = [line for line in text[: 2 * _LONGEST_RECORD].split("\n") if line.strip()]
    if len(head) < _FEWEST_LINES:
        return None
    rows = _markdown_cells(text) if _MARKDOWN_RULE(head[1]) else _csv_cells(text, head[0])
    if rows is None or not _even(rows) or not _names(rows[0]):
        return None
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def is_records(text: str) -> bool:
    """Tell whether the lines of ``text`` are records (log, code, listing) rather than sentences."""
    lines = [line.rstrip() for line in text.split("\n", _SAMPLE)[:_SAMPLE] if line.strip()]
    if len(lines) < _FEWEST_LINES:
        return False
    records = sum(len(line) for line in lines if len(line) <= _LONGEST_RECORD and _RECORD(line))
    return records >= _MOSTLY * sum(map(len, lines))


def _markdown_cells(text: str) -> list[list[str]] | None:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    del lines[1]
    if not all("|" in line for line in lines):
        return None
    return [[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")] for line in lines]


def _csv_cells(text: str, head: str) -> list[list[str]] | None:
    delimiter = max(_DELIMITERS, key=head.count)
    if delimiter not in head or len(head) > _LONGEST_RECORD or ", " in head:
        return None
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return [[cell.strip() for cell in row] for row in rows if row]


def _even(rows: Sequence[Sequence[str]]) -> bool:
    return len(rows) >= _FEWEST_LINES - 1 and len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)


def _names(cells: Sequence[str]) -> bool:
    """Tell whether the first row names the columns: distinct, filled, no numbers."""
    return len(set(cells)) == len(cells) and all(cell and not cell[0].isdigit() for cell in cells)
