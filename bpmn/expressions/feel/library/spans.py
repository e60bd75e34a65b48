"""Functions on ranges and points (DMN 1.5, 10.3.4.9), and ranges from text (10.3.4.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.compare import order
from bpmn.expressions.feel.values.ranges import Range

SPANS: Final = Library()

Span = tuple[Any, bool, Any, bool]
"""Start, whether it is included, end, whether it is included."""


class Apart(Exception):
    """Values that have no order between them."""


def _relation(name: str, test: Callable[[Range, Range], bool], *forms: tuple[str, str]) -> None:
    """A function of two ranges, or where `forms` says so of points too. A point is a range of one value."""
    for first, second in forms or (("range1: range", "range2: range"),):

        @SPANS.define(f"{name}({first}, {second})")
        def _(_: Evaluation, left: Any, right: Any) -> bool:
            try:
                return test(_as_range(left), _as_range(right))
            except Apart:
                raise refused("the ends of the two have no order between them") from None


def _as_range(value: Any) -> Range:
    return value if type(value) is Range else Range(value, value)


def _place(left: Any, right: Any) -> int:
    found = order(left, right)
    if found is None:
        raise Apart
    return found


def _before(left: Range, right: Range) -> bool:
    place = _place(left.end, right.start)
    return place < 0 or (place == 0 and not (left.end_included and right.start_included))


def _meets(left: Range, right: Range) -> bool:
    return left.end_included and right.start_included and _place(left.end, right.start) == 0


def _overlaps(left: Range, right: Range) -> bool:
    return not _before(left, right) and not _before(right, left)


def _starts_first(left: Range, right: Range) -> bool:
    place = _place(left.start, right.start)
    return place < 0 or (place == 0 and left.start_included and not right.start_included)


def _ends_first(left: Range, right: Range) -> bool:
    place = _place(left.end, right.end)
    return place < 0 or (place == 0 and right.end_included and not left.end_included)


def _start_together(left: Range, right: Range) -> bool:
    return left.start_included == right.start_included and _place(left.start, right.start) == 0


def _end_together(left: Range, right: Range) -> bool:
    return left.end_included == right.end_included and _place(left.end, right.end) == 0


def _includes(left: Range, right: Range) -> bool:
    return not _starts_first(right, left) and not _ends_first(left, right)


def _overlaps_before(left: Range, right: Range) -> bool:
    return _starts_first(left, right) and not _ends_first(right, left) and _overlaps(left, right)


_POINTS: Final = (
    ("point1: point", "point2: point"),
    ("point: point", "range: range"),
    ("range: range", "point: point"),
    ("range1: range", "range2: range"),
)
_OUTER: Final = (("range: range", "point: point"), ("range1: range", "range2: range"))
_INNER: Final = (("point: point", "range: range"), ("range1: range", "range2: range"))

_relation("before", _before, *_POINTS)
_relation("after", lambda left, right: _before(right, left), *_POINTS)
_relation("meets", _meets)
_relation("met by", lambda left, right: _meets(right, left))
_relation("overlaps", _overlaps)
_relation("overlaps before", _overlaps_before)
_relation("overlaps after", lambda left, right: _overlaps_before(right, left))
_relation("finishes", lambda left, right: _end_together(left, right) and not _starts_first(left, right), *_INNER)
_relation("finished by", lambda left, right: _end_together(left, right) and not _starts_first(right, left), *_OUTER)
_relation("includes", _includes, *_OUTER)
_relation("during", lambda left, right: _includes(right, left), *_INNER)
_relation("starts", lambda left, right: _start_together(left, right) and not _ends_first(right, left), *_INNER)
_relation("started by", lambda left, right: _start_together(left, right) and not _ends_first(left, right), *_OUTER)
_relation(
    "coincides",
    lambda left, right: _start_together(left, right) and _end_together(left, right),
    ("point1: point", "point2: point"),
    ("range1: range", "range2: range"),
)

