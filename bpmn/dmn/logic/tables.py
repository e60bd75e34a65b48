"""Decision tables: which rules match, and what they give (DMN 1.5, 8.2.11 and 8.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpmn.dmn import model as dmn
from bpmn.dmn.logic import hits
from bpmn.dmn.logic.hits import Row
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.semantics.tests import Test

if TYPE_CHECKING:
    from bpmn.dmn.logic.compiler import LogicCompiler
    from bpmn.expressions.feel.semantics.compiler import Compiled

Column = tuple["Compiled", Test | None, str]
CompiledRule = tuple[list[tuple[int, Test]], list["Compiled"]]
"""Tests with the numbers of the inputs that they are for, without those that all pass; and the outputs."""


def table(compiler: LogicCompiler, part: dmn.Table) -> Compiled:
    columns = [_column(compiler, column) for column in part.inputs]
    rules = [_rule(compiler, part, rule) for rule in part.rules]
    names = [output.name or "" for output in part.outputs] if len(part.outputs) > 1 else []
    settle = hits.settler(part, names, [_priority(compiler, output) for output in part.outputs], compiler.note)
    default = _default(compiler, part, names)
    only_first = part.hit_policy == "FIRST"

    def decide(frame: Frame) -> Any:
        values = []
        for expression, allowed, text in columns:
            value = expression(frame)
            if allowed is not None and value is not None and allowed(frame, value) is not True:
                compiler.note(frame, FeelMismatch("the values of the input", value), text)
                return None
            values.append(value)
        found = _matching(frame, rules, values, only_first)
        return settle(frame, found) if found or default is None else default(frame)

    return decide


def _matching(frame: Frame, rules: list[CompiledRule], values: list[Any], only_first: bool) -> list[Row]:
    found: list[Row] = []
    charge = frame.evaluation.charge
    for tests, outputs in rules:
        charge(1)
        for index, test in tests:
            if test(frame, values[index]) is not True:
                break
        else:
            found.append([output(frame) for output in outputs])
            if only_first:
                break
    return found


def _column(compiler: LogicCompiler, column: dmn.Input) -> Column:
    expression = compiler.fit(compiler.feel(column.expression), column.type, column.expression.text)
    allowed = None if column.values is None else compiler.tests(column.values)
    return expression, allowed, column.expression.text


def _rule(compiler: LogicCompiler, part: dmn.Table, rule: dmn.Rule) -> CompiledRule:
    tests = [
        (index, compiler.tests(entry)) for index, entry in enumerate(rule.inputs) if entry.text not in ("-", "")
    ]
    outputs = [
        compiler.fit(compiler.feel(entry), output.type, entry.text)
        for entry, output in zip(rule.outputs, part.outputs, strict=False)
    ]
    return tests, outputs


def _default(compiler: LogicCompiler, part: dmn.Table, names: list[str]) -> Compiled | None:
    """What holds if no rule matches: the defaults of the outputs, null for those without; None: there are none."""
    if all(output.default is None for output in part.outputs):
        return None
    values = [
        (lambda frame: None) if output.default is None else compiler.feel(output.default) for output in part.outputs
    ]

    def make(frame: Frame) -> Any:
        row = [value(frame) for value in values]
        return hits.result(row, names)

    return make


def _priority(compiler: LogicCompiler, output: dmn.Output) -> Callable[[Frame, Any], int]:
    """The place of a value among the output's values, those of its type where it states none; 0 is the first."""
    values = output.values
    if values is None:
        item = compiler.types.item(output.type)
        values = None if item is None else item.allowed
    if values is None:
        return lambda frame, value: 0
    tests = compiler.each_test(values)

    def place(frame: Frame, value: Any) -> int:
        return next((index for index, test in enumerate(tests) if test(frame, value) is True), len(tests))

    return place


