"""Expressions that begin with a word: if, for, some, every, function (DMN 1.5, rules 40 to 46 and 55)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpmn.expressions.feel.syntax.names import joined
from bpmn.expressions.feel.syntax.tree import For, FunctionNode, If, Iterator, Node, Quantified, TypeNode
from bpmn.expressions.feel.syntax.types import type_of

if TYPE_CHECKING:
    from bpmn.expressions.feel.syntax.parser import Parser


def textual(parser: Parser) -> Node | None:
    """Such an expression if one begins here."""
    token = parser.token
    if token.kind != "word" or token.text not in ("if", "for", "some", "every", "function"):
        return None
    if parser.names.longest(parser.tokens, parser.position)[0]:
        return None
    if token.text == "function":
        return _function(parser) if parser.ahead().text == "(" else None
    if parser.ahead().kind == "symbol" and parser.ahead().text not in ("(", "[", "{", "-", "]"):
        return None
    return {"if": _if, "for": _for, "some": _quantified, "every": _quantified}[token.text](parser)


def _if(parser: Parser) -> Node:
    start, branches = parser.take().start, []
    while True:
        condition = parser.expression()
        parser.expect("then")
        branches.append((condition, parser.expression()))
        parser.expect("else")
        if not (parser.is_word("if") and not parser.names.longest(parser.tokens, parser.position)[0]):
            break
        parser.take()
    otherwise = parser.expression()
    return If(start, parser.last_end, branches, otherwise)


def _for(parser: Parser) -> Node:
    start = parser.take().start
    parser.names.add("partial")
    iterators = _iterators(parser)
    parser.expect("return")
    body = parser.expression()
    return For(start, parser.last_end, iterators, body)


def _quantified(parser: Parser) -> Node:
    token = parser.take()
    iterators = _iterators(parser)
    parser.expect("satisfies")
    condition = parser.expression()
    return Quantified(token.start, parser.last_end, "some" if token.text == "some" else "every", iterators, condition)


def _iterators(parser: Parser) -> list[Iterator]:
    found: list[Iterator] = []
    while True:
        start = parser.token.start
        variable = declared(parser, "in")
        parser.expect("in")
        source = parser.expression()
        last = parser.expression() if parser.accept("..") else None
        found.append(Iterator(start, parser.last_end, variable, source, last))
        if not parser.accept(",") and not parser.is_word("some", "every"):
            return found


def declared(parser: Parser, *ends: str) -> str:
    """The name that all tokens before one of `ends` make; it is known from here on."""
    first = parser.position
    if parser.token.kind == "quoted":
        name = parser.take().text
    else:
        while parser.token.text not in ends or parser.token.kind not in ("symbol", "word"):
            if parser.token.kind not in ("word", "number", "symbol") or parser.token.text in ("(", "[", "{", ","):
                break
            parser.take()
        name = joined(parser.tokens[first : parser.position])
    if not name or parser.tokens[first].kind not in ("word", "quoted"):
        parser.position = first
        parser.unexpected("a name")
    parser.names.add(name)
    return name


def _function(parser: Parser) -> Node:
    start = parser.take().start
    parser.expect("(")
    parameters: list[tuple[str, TypeNode | None]] = []
    while not parser.accept(")"):
        name = declared(parser, ":", ",", ")")
        parameters.append((name, type_of(parser) if parser.accept(":") else None))
        if not parser.is_symbol(")"):
            parser.expect(",")
    if parser.is_word("external"):
        parser.refuse(start, len(parser.text), "an external function (Java, PMML)", "a body in FEEL")
    body = parser.expression()
    return FunctionNode(start, parser.last_end, parameters, body)
