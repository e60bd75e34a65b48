"""Unary tests, and `in` (DMN 1.5, 7.3.2 and 10.3.2.8)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.logic import compared
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.compare import equal, holds
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.weight import weigh

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler

Test = Callable[[Frame, Any], bool | None]
"""Whether a value passes; None where that cannot be said."""


def contained(compiler: Compiler, part: tree.In) -> Compiled:
    value = compiler.node(part.value)
    tests = [_test(compiler, test, asks=False) for test in part.tests]
    note = compiler.note(part, part.value)

    def check(frame: Frame) -> Any:
        tested = value(frame)
        result = _any(tests, frame, tested)
        if result is None:
            note(frame, FeelMismatch("a value that the range or list can have", tested))
        return result

    return check


def unary_tests(compiler: Compiler, part: tree.Tests) -> Test:
    """A cell: whether a value passes one of its tests; none of them if it says `not`; all pass `-`."""
    if not part.tests:
        return lambda frame, value: True
    tests = separate_tests(compiler, part)
    if part.negated:
        return lambda frame, value: _opposite(_any(tests, frame, value))
    if len(tests) == 1:
        return tests[0]
    return lambda frame, value: _any(tests, frame, value)


def separate_tests(compiler: Compiler, part: tree.Tests) -> list[Test]:
    """The tests of a cell one by one, whether it negates them or not."""
    with compiler.binding(frozenset({"?"})):
        return [_test(compiler, test, asks=asks) for test, asks in zip(part.tests, part.asks, strict=True)]


def _opposite(result: bool | None) -> bool | None:
    return None if result is None else not result


def _any(tests: list[Test], frame: Frame, value: Any) -> bool | None:
    result: bool | None = False
    for test in tests:
        found = test(frame, value)
        if found is True:
            return True
        if found is None:
            result = None
    return result


def _test(compiler: Compiler, part: tree.Node, *, asks: bool) -> Test:
    if isinstance(part, tree.OneSided):
        return _compared(compiler, part)
    node = compiler.node(part)
    if asks:
        return lambda frame, value: _truth(node(frame.inner({"?": value})))
    if isinstance(part, tree.Constant):
        constant = part.value
        if type(constant) in (str, Decimal):
            kind = type(constant)
            return lambda frame, value: value == constant if type(value) is kind else equal(value, constant)
        return lambda frame, value: equal(value, constant)

    def test(frame: Frame, value: Any) -> bool | None:
        expected = node(frame.inner({"?": value}))
        weigh(expected, frame.evaluation.charge)
        return passes(expected, value)

    return test


def _compared(compiler: Compiler, part: tree.OneSided) -> Test:
    limit, operator = compiler.node(part.value), part.operator
    return lambda frame, value: compared(operator, value, limit(frame.inner({"?": value})))


def _truth(result: Any) -> bool | None:
    return result if type(result) is bool else None


def passes(expected: Any, value: Any) -> bool | None:
    """Whether a value is the expected one, or in the expected list or range; a true expression passes any value."""
    kind = type(expected)
    if kind is Range:
        return equal(value, expected) if type(value) is Range else holds(expected, value)
    if kind is list:
        return any(_is_or_holds(item, value) for item in expected) or equal(value, expected) is True
    if kind is bool and type(value) is not bool:
        return bool(expected)
    return equal(value, expected)


def _is_or_holds(item: Any, value: Any) -> bool:
    if type(item) is Range and type(value) is not Range:
        return holds(item, value) is True
    return equal(value, item) is True
