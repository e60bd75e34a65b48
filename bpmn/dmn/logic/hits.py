"""Hit policies: one result of the rules that match (DMN 1.5, 8.2.11, table 27)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from bpmn.dmn import model as dmn
from bpmn.expressions.errors import ENDING, ExpressionError, InvalidValue
from bpmn.expressions.feel.library.standard import FUNCTIONS
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.values.compare import same

Row = list[Any]
"""The outputs of a rule that matches."""
Settle = Callable[[Frame, list[Row]], Any]
Priority = Callable[[Frame, Any], int]
Note = Callable[[Frame, ExpressionError, str], None]

_AGGREGATES: Final = {"SUM": "sum", "MIN": "min", "MAX": "max"}


def result(row: Row, names: list[str]) -> Any:
    """One rule's result: a value, or a context where the outputs have names."""
    return dict(zip(names, row, strict=True)) if names else row[0]


def settler(part: dmn.Table, names: list[str], priorities: list[Priority], note: Note) -> Settle:
    """What makes the table's result of the rules that match, in the order of the table."""

    def refuse(frame: Frame, reason: str) -> None:
        note(frame, InvalidValue(reason), "decision table")

    def unique(frame: Frame, rows: list[Row]) -> Any:
        if len(rows) > 1:
            return refuse(frame, f"{len(rows)} rules match, and the hit policy is UNIQUE")
        return first(frame, rows)

    def any_(frame: Frame, rows: list[Row]) -> Any:
        if any(not same(row, rows[0]) for row in rows[1:]):
            return refuse(frame, "rules match that give different results, and the hit policy is ANY")
        return first(frame, rows)

    def first(frame: Frame, rows: list[Row]) -> Any:
        return result(rows[0], names) if rows else None

    def ordered(frame: Frame, rows: list[Row]) -> list[Row]:
        def place(row: Row) -> list[int]:
            return [priority(frame, value) for priority, value in zip(priorities, row, strict=True)]

        return sorted(rows, key=place)

    def every(frame: Frame, rows: list[Row]) -> Any:
        return [result(row, names) for row in rows] if rows else None

    def collect(frame: Frame, rows: list[Row]) -> Any:
        return [result(row, names) for row in rows]

    if part.hit_policy == "COLLECT":
        return collect if part.aggregation is None else _aggregated(part.aggregation, names, note)
    return {
        "UNIQUE": unique,
        "FIRST": first,
        "ANY": any_,
        "PRIORITY": lambda frame, rows: first(frame, ordered(frame, rows)),
        "RULE ORDER": every,
        "OUTPUT ORDER": lambda frame, rows: every(frame, ordered(frame, rows)),
    }[part.hit_policy]


def _aggregated(aggregation: dmn.Aggregation, names: list[str], note: Note) -> Settle:
    """A sum, minimum, maximum or count; of several outputs, of each."""
    if aggregation == "COUNT":
        return lambda frame, rows: Decimal(len(rows))
    function = FUNCTIONS[_AGGREGATES[aggregation]]

    def settle(frame: Frame, rows: list[Row]) -> Any:
        if not rows:
            return None
        try:
            totals = [function.call(frame.evaluation, [list(column)]) for column in zip(*rows, strict=True)]
        except ENDING:
            raise
        except ExpressionError as error:
            note(frame, error, f"decision table ({aggregation})")
            return None
        return result(totals, names)

    return settle
