"""Unary tests: the cells of decision tables, and what follows `in` (DMN 1.5, rules 7 to 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpmn.expressions.errors import InvalidSyntax
from bpmn.expressions.feel.syntax.primary import COMPARATORS, one_sided
from bpmn.expressions.feel.syntax.tree import Node, Tests

if TYPE_CHECKING:
    from bpmn.expressions.feel.syntax.parser import Parser


def unary_tests(parser: Parser) -> Tests:
    """`-`, tests with commas between them, or `not(...)` around such."""
    start = parser.token.start
    if parser.at_end() or (parser.is_symbol("-") and parser.at_end(1)):
        parser.take()
        return Tests(start, parser.last_end, [], False, [])
    if parser.is_word("not") and parser.ahead().text == "(":
        position = parser.position
        try:
            parser.take()
            parser.take()
            found = _tests(parser)
            parser.expect(")")
            if parser.at_end():
                return Tests(start, parser.last_end, found[0], True, found[1])
        except InvalidSyntax:
            pass
        # `not(a) and b` is an expression after all.
        parser.position, parser.depth = position, 0
    tests, asks = _tests(parser)
    return Tests(start, parser.last_end, tests, False, asks)


def _tests(parser: Parser) -> tuple[list[Node], list[bool]]:
    tests: list[Node] = []
    asks: list[bool] = []
    while True:
        parser.asked = False
        tests.append(one_test(parser))
        asks.append(parser.asked)
        if not parser.accept(","):
            return tests, asks


def one_test(parser: Parser) -> Node:
    """A comparison without a left side, or an expression."""
    if not parser.is_symbol(*COMPARATORS):
        return parser.expression()
    return one_sided(parser)


def tests_of_in(parser: Parser) -> list[Node]:
    """What follows `in`: tests in brackets, or one test."""
    if parser.is_symbol("("):
        position, depth = parser.position, parser.depth
        try:
            parser.take()
            tests, _ = _tests(parser)
            parser.expect(")")
            return tests
        except InvalidSyntax:
            # An open range: `in (1..5]`.
            parser.position, parser.depth = position, depth
    if parser.is_symbol(*COMPARATORS):
        return [one_test(parser)]
    return [parser.operation()]
