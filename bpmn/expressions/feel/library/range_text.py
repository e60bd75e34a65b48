"""`range("[1..10]")`: a range from its literal, whose ends are literals or dates, times and durations of such."""

from __future__ import annotations

from typing import Any, Final

from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.library.conversion import CONVERSION
from bpmn.expressions.feel.semantics.collections import range_of
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.parser import parse
from bpmn.expressions.feel.syntax.tree import Call, Constant, Name, Node, RangeNode
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.places import Where

RANGE_TEXT: Final = Library()

_CONSTRUCTORS: Final = ("date", "time", "date and time", "duration")
_NAMES: Final = Names(_CONSTRUCTORS)
_LONGEST: Final = 10_000


@RANGE_TEXT.define("range(from: string)")
def _range(evaluation: Evaluation, text: str) -> Range:
    evaluation.charge(len(text) // 16)
    try:
        tree = parse(text[:_LONGEST], Where(file="", element=""), Names(base=_NAMES))
    except ExpressionError as error:
        raise refused(f"the text is no range: {error.reason}") from None
    if not isinstance(tree, RangeNode):
        raise refused("the text is no range")
    start, end = _end(evaluation, tree.first), _end(evaluation, tree.last)
    made = None if start is None or end is None else range_of(start, end, tree.first_included, tree.last_included)
    if made is None:
        raise refused("the ends of the range have no order between them, or the last comes first")
    return made


def _end(evaluation: Evaluation, node: Node) -> Any:
    if isinstance(node, Constant):
        return node.value
    if isinstance(node, Call) and isinstance(node.function, Name) and node.function.name in _CONSTRUCTORS:
        arguments = [argument.value for argument in node.arguments if isinstance(argument, Constant)]
        if len(arguments) == len(node.arguments) == 1 and isinstance(arguments[0], str) and node.names is None:
            return CONVERSION.functions[node.function.name].call(evaluation, arguments)
    raise refused("an end of the range is no literal")
