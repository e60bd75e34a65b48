"""The parser: expressions by the rank of their operators (DMN 1.5, 10.3.1.2, rules 1 to 20)."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, cast

from bpmn.expressions.feel.syntax import primary, tests, textual, types
from bpmn.expressions.feel.syntax.cursor import Cursor
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.tree import (
    Between,
    Chain,
    Comparator,
    Comparison,
    Constant,
    In,
    InstanceOf,
    Logic,
    Negation,
    Node,
    Tests,
    TypeNode,
)
from bpmn.expressions.feel.values.numbers import CONTEXT
from bpmn.expressions.places import Where

_OR, _AND, _COMPARED, SUM, PRODUCT, POWER = 1, 2, 3, 4, 5, 6
_RANKS: Final = {
    "or": _OR,
    "and": _AND,
    "between": _COMPARED,
    "in": _COMPARED,
    **dict.fromkeys(("<", "<=", ">", ">=", "=", "!="), _COMPARED),
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "**": POWER,
}


class Parser(Cursor):
    """Reads one expression, or the unary tests of a cell."""

    def whole_expression(self) -> Node:
        """The text as one expression. Raises InvalidSyntax, SyntaxRefused."""
        found = self.expression()
        if not self.at_end():
            self.unexpected("an operator or the end")
        return found

    def whole_tests(self) -> Tests:
        """The text as unary tests. Raises InvalidSyntax, SyntaxRefused."""
        found = tests.unary_tests(self)
        if not self.at_end():
            self.unexpected("a comma or the end")
        return found

    def expression(self) -> Node:
        self.deeper()
        filters, self.filters = self.filters, True
        found = textual.textual(self) or self.operation(_OR)
        self.depth -= 1
        self.filters = filters
        return found

    def operation(self, least: int = SUM) -> Node:
        """Operations of at least this rank; endpoints of ranges and comparisons are sums."""
        left = self._signed()
        while True:
            token = self.token
            rank = _RANKS.get(token.text, 0) if token.kind in ("symbol", "word") else 0
            if not rank or rank < least:
                return left
            self.take()
            left = self._joined(left, token.text, rank)

    def _joined(self, left: Node, operator: str, rank: int) -> Node:
        if operator == "between":
            return self._between(left)
        if operator == "in":
            found = tests.tests_of_in(self)
            return In(left.start, self.last_end, left, found)
        right = textual.textual(self) or self.operation(rank + 1)
        if rank <= _AND:
            if isinstance(left, Logic) and left.operator == operator:
                left.operands.append(right)
                left.end = self.last_end
                return left
            return Logic(left.start, self.last_end, "and" if operator == "and" else "or", [left, right])
        if rank == _COMPARED:
            return Comparison(left.start, self.last_end, cast(Comparator, operator), left, right)
        if isinstance(left, Chain) and left.rank == rank:
            left.rest.append((operator, right))
            left.end = self.last_end
            return left
        return Chain(left.start, self.last_end, rank, left, [(operator, right)])

    def _between(self, value: Node) -> Node:
        low = self.operation(SUM)
        self.expect("and")
        high = self.operation(SUM)
        return Between(value.start, self.last_end, value, low, high)

    def _signed(self) -> Node:
        start, minuses = self.token.start, 0
        while self.is_symbol("-"):
            self.take()
            minuses += 1
        found = self._instance(primary.with_suffixes(self))
        if not minuses:
            return found
        if isinstance(found, Constant) and type(found.value) is Decimal:
            return Constant(start, found.end, CONTEXT.minus(found.value) if minuses % 2 else found.value)
        return Negation(start, found.end, found if minuses % 2 else Negation(start, found.end, found))

    def _instance(self, value: Node) -> Node:
        while self.is_word("instance") and self.ahead().text == "of":
            self.take()
            self.take()
            kind = types.type_of(self)
            value = InstanceOf(value.start, self.last_end, value, kind)
        return value


def parse(text: str, where: Where, names: Names) -> Node:
    """The tree of an expression. Raises InvalidSyntax, SyntaxRefused."""
    return Parser(text, where, names).whole_expression()


def parse_tests(text: str, where: Where, names: Names) -> Tests:
    """The tree of unary tests. Raises InvalidSyntax, SyntaxRefused."""
    return Parser(text, where, names).whole_tests()


def parse_type(text: str, where: Where, names: Names) -> TypeNode:
    """The tree of a type. Raises InvalidSyntax, SyntaxRefused."""
    parser = Parser(text, where, names)
    found = types.type_of(parser)
    if not parser.at_end():
        parser.unexpected("the end")
    return found
