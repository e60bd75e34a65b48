"""Lists, contexts, ranges, and filters (DMN 1.5, 10.3.2.5 and 10.3.2.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bpmn.expressions.errors import InvalidValue
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.compare import order
from bpmn.expressions.feel.values.numbers import truncated
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.ranges import one_sided as one_sided_range

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler


def items(compiler: Compiler, part: tree.ListNode) -> Compiled:
    nodes = [compiler.node(item) for item in part.items]
    return lambda frame: [node(frame) for node in nodes]


def context(compiler: Compiler, part: tree.ContextNode) -> Compiled:
    """Entries see those before them. Two of one name make it null."""
    bound: set[str] = set()
    entries = []
    with compiler.binding(bound, frozenset(key for key, _ in part.entries)):
        for key, value in part.entries:
            entries.append((key, compiler.node(value)))
            bound.add(key)
    note = compiler.note(part)
    twice = next((key for index, (key, _) in enumerate(entries) if key in dict(entries[:index])), None)

    def make(frame: Frame) -> Any:
        if twice is not None:
            note(frame, InvalidValue(f"the context has two entries {twice}"))
            return None
        made: dict[str, Any] = {}
        inner = frame.inner(made)
        for key, node in entries:
            made[key] = node(inner)
        return made

    return make


def span(compiler: Compiler, part: tree.RangeNode) -> Compiled:
    first, last = compiler.node(part.first), compiler.node(part.last)
    note = compiler.note(part, part.first, part.last)

    def make(frame: Frame) -> Any:
        start, end = first(frame), last(frame)
        made = range_of(start, end, part.first_included, part.last_included)
        if made is None:
            note(frame, FeelMismatch("two values of one kind, the first one not after the last", start, end))
        return made

    return make


def range_of(start: Any, end: Any, start_included: bool, end_included: bool) -> Range | None:
    """A range; None where its ends are no values with an order between them, or the last comes first."""
    if start is None or end is None:
        present = end if start is None else start
        if present is None or order(present, present) is None:
            return None
    elif (order(start, end) or 0) > 0 or order(start, end) is None:
        return None
    return Range(start, end, start_included, end_included)


def one_sided(compiler: Compiler, part: tree.OneSided) -> Compiled:
    value, operator, note = compiler.node(part.value), part.operator, compiler.note(part, part.value)

    def make(frame: Frame) -> Any:
        end = value(frame)
        if operator not in ("=", "!=") and order(end, end) is None:
            note(frame, FeelMismatch("a value that has an order", end))
            return None
        return one_sided_range(operator, end)

    return make


def filtered(compiler: Compiler, part: tree.Filter) -> Compiled:
    """A position from 1, or from the end if negative; or the items for which the condition is true."""
    source = compiler.node(part.source)
    if isinstance(part.condition, tree.Constant) and type(part.condition.value) is Decimal:
        position = part.condition.value
        return lambda frame: _at(source(frame), position)
    with compiler.binding(frozenset({"item"})):
        compiler.filters += 1
        condition = compiler.node(part.condition)
        compiler.filters -= 1
    note = compiler.note(part, part.condition)

    def run(frame: Frame) -> Any:
        allowed = "true or false, or a position"
        return select(frame, source(frame), condition, lambda found: note(frame, FeelMismatch(allowed, found)))

    return run


def select(frame: Frame, value: Any, condition: Compiled, wrong: Callable[[Any], None]) -> Any:
    """The items of a list for which the condition is true, or that at the position which it gives.

    `wrong` is told of a condition that is neither; then the result is None.
    """
    if value is None:
        return None
    values = value if type(value) is list else [value]
    if not values:
        return None if type(condition(frame.inner({"item": None}))) is Decimal else []
    kept = []
    for item in values:
        frame.evaluation.charge(1)
        found = condition(frame.inner(_item(item)))
        if found is True:
            kept.append(item)
        elif type(found) is Decimal:
            return _at(values, found)
        elif found is not None and found is not False:
            wrong(found)
            return None
    return kept


def _item(item: Any) -> Mapping[str, Any]:
    """What a filter's condition sees of an item: the item, and if it is a context its entries."""
    if type(item) is not dict:
        return {"item": item}
    return {"item": item, **item} if "item" not in item else item


def _at(value: Any, position: Decimal) -> Any:
    if value is None:
        return None
    values = value if type(value) is list else [value]
    index = truncated(position)
    if index == 0 or abs(index) > len(values):
        return None
    return values[index - 1 if index > 0 else index]


