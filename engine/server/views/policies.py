"""The policy matrix for a page: activities by dimensions, with where each value comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.json_text import compact
from engine.names import Names
from engine.report.model.policies import FIELDS
from engine.told import told

Cell = tuple[str, str, str]
"""Value, where it is written ("" by default), and whether it is "own", "inherited" or "default"."""


def matrix(rows: Sequence[Mapping[str, Any]], names: Names) -> tuple[list[str], list[tuple[str, str, list[Cell]]]]:
    """The fields that the file sets somewhere; and per element its name, its kind, and a cell for each of them."""
    fields = [
        name
        for name in (rows[0]["policy"] if rows else ())
        if any(_origin(row, name).get("element") is not None for row in rows)
    ]
    return [_spoken(name) for name in fields], [
        (names.element(row["element"]), str(row["kind"]), [_cell(row, name, names) for name in fields]) for row in rows
    ]


def _cell(row: Mapping[str, Any], name: str, names: Names) -> Cell:
    value, origin = row["policy"][name], _origin(row, name)
    text = _text(value)
    if origin.get("element") is None:
        return text, "", "default"
    is_own = origin.get("kind") == "element"
    place = told("{kind} {name}", kind=told(str(origin.get("kind"))), name=names.element(origin["element"]))
    if origin.get("line"):
        place = told("{where}, line {line}", where=place, line=origin["line"])
    return text, place, "own" if is_own else "inherited"


def _text(value: Any) -> str:
    """Pairs and lists of words as people write them."""
    if isinstance(value, str) or value in (None, [], {}):
        return value or ""
    if isinstance(value, Mapping) and all(isinstance(each, str) for each in value.values()):
        return ", ".join(f"{name}: {each}" for name, each in value.items())
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return compact(value)


def _origin(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = row["origins"].get(name) or {}
    return found


def _spoken(name: str) -> str:
    return told(FIELDS[name][0] if name in FIELDS else name.replace("_", " "))
