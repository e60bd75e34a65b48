"""Values: literals, names, lists, contexts, ranges, brackets, and what follows them (DMN 1.5, rules 16-20, 33-54)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bpmn.expressions.errors import InvalidSyntax
from bpmn.expressions.feel.syntax.names import joined, words
from bpmn.expressions.feel.syntax.textual import declared
from bpmn.expressions.feel.syntax.tree import (
    Call,
    Comparator,
    Constant,
    ContextNode,
    Filter,
    Group,
    ListNode,
    Name,
    Node,
    OneSided,
    Path,
    RangeNode,
)
from bpmn.expressions.feel.values.numbers import number_of
from bpmn.expressions.feel.values.reading import read_temporal

if TYPE_CHECKING:
    from bpmn.expressions.feel.syntax.parser import Parser

UNSIGNED = ("<", "<=", ">", ">=")
COMPARATORS = (*UNSIGNED, "=", "!=")
_WORDS = {"true": True, "false": False, "null": None}


def with_suffixes(parser: Parser) -> Node:
    """A value and the paths, filters and calls after it."""
    start, found = parser.token.start, _primary(parser)
    while True:
        if parser.is_symbol("."):
            parser.take()
            found = Path(start, parser.last_end, found, name_here(parser))
            found.end = parser.last_end
        elif parser.is_symbol("[") and parser.filters:
            parser.take()
            condition = parser.expression()
            parser.expect("]")
            found = Filter(start, parser.last_end, found, condition)
        elif parser.is_symbol("("):
            found = _call(parser, start, found)
        else:
            return found


def name_here(parser: Parser) -> str:
    """The name that begins here: the longest known one, else all words side by side. Raises InvalidSyntax."""
    if parser.token.kind == "quoted":
        return parser.take().text
    known, name = parser.names.longest(parser.tokens, parser.position)
    first = parser.position
    count = known or words(parser.tokens, first)
    if not count:
        parser.unexpected("a name")
    if known and parser.tokens[first + known - 1].kind == "word":
        count += max(0, words(parser.tokens, first + known - 1) - 1)
    parser.position += count
    return name if count == known else joined(parser.tokens[first : parser.position])


def _primary(parser: Parser) -> Node:
    token = parser.token
    if token.kind == "number":
        parser.take()
        return Constant(token.start, token.end, number_of(token.text))
    if token.kind == "string":
        parser.take()
        return Constant(token.start, token.end, token.text)
    if token.kind == "at":
        parser.take()
        value = read_temporal(token.text)
        if value is None:
            parser.fail(token.start, "this is no date, time, date and time or duration")
        return Constant(token.start, token.end, value)
    if token.kind in ("word", "quoted"):
        return _named(parser)
    if token.kind == "symbol":
        if token.text == "(":
            return _bracketed(parser)
        if token.text == "[":
            return _list(parser)
        if token.text == "]":
            parser.take()
            return _range(parser, token.start, parser.operation(), False)
        if token.text == "{":
            return _context(parser)
        if token.text in UNSIGNED:
            return one_sided(parser)
    parser.unexpected("a value")


def _named(parser: Parser) -> Node:
    token = parser.token
    if token.text in _WORDS and token.kind == "word" and words(parser.tokens, parser.position) == 1:
        parser.take()
        return Constant(token.start, token.end, _WORDS[token.text])
    if token.text == "?":
        parser.take()
        parser.asked = True
        return Name(token.start, token.end, "?")
    name = name_here(parser)
    return Name(token.start, parser.last_end, name)


def _bracketed(parser: Parser) -> Node:
    start = parser.take().start
    if parser.is_symbol(*COMPARATORS):
        found: Node = one_sided(parser)
        parser.expect(")")
        return found
    found = parser.expression()
    if parser.is_symbol(".."):
        return _range(parser, start, found, False)
    parser.expect(")")
    return Group(start, parser.last_end, found)


def one_sided(parser: Parser) -> OneSided:
    """A comparison without a left side, which is a range."""
    token = parser.take()
    value = parser.operation()
    return OneSided(token.start, parser.last_end, cast(Comparator, token.text), value)


def _list(parser: Parser) -> Node:
    start = parser.take().start
    items: list[Node] = []
    while not parser.accept("]"):
        items.append(parser.expression())
        if len(items) == 1 and parser.is_symbol(".."):
            return _range(parser, start, items[0], True)
        if not parser.is_symbol("]"):
            parser.expect(",")
    return ListNode(start, parser.last_end, items)


def _range(parser: Parser, start: int, first: Node, included: bool) -> Node:
    parser.expect("..")
    position, depth = parser.position, parser.depth
    try:
        last = parser.operation()
        close = parser.expect("]", ")", "[")
    except InvalidSyntax:
        # `[1..2[` is open at its end; only where that does not read is the `[` no filter.
        parser.position, parser.depth, parser.filters = position, depth, False
        last = parser.operation()
        parser.filters = True
        close = parser.expect("]", ")", "[")
    return RangeNode(start, parser.last_end, first, last, included, close.text == "]")


def _context(parser: Parser) -> Node:
    start = parser.take().start
    entries: list[tuple[str, Node]] = []
    while not parser.accept("}"):
        if parser.token.kind == "string":
            key = parser.take().text
            parser.names.add(key)
        else:
            key = declared(parser, ":")
        parser.expect(":")
        entries.append((key, parser.expression()))
        if not parser.is_symbol("}"):
            parser.expect(",")
    return ContextNode(start, parser.last_end, entries)


def _call(parser: Parser, start: int, function: Node) -> Node:
    parser.take()
    arguments: list[Node] = []
    names: list[str] = []
    while not parser.accept(")"):
        name = _argument_name(parser)
        if name is not None:
            names.append(name)
        arguments.append(parser.expression())
        if not parser.is_symbol(")"):
            parser.expect(",")
    if names and len(names) != len(arguments):
        parser.fail(start, "some arguments are passed by name, and some are not")
    return Call(start, parser.last_end, function, arguments, names or None)


def _argument_name(parser: Parser) -> str | None:
    """The name that an argument is passed by: what stands before a colon."""
    if parser.token.kind == "quoted" and parser.ahead().text == ":":
        name = parser.take().text
    else:
        count, name = parser.names.longest(parser.tokens, parser.position)
        if not count:
            count = words(parser.tokens, parser.position)
            name = joined(parser.tokens[parser.position : parser.position + count])
        if not count or parser.ahead(count).text != ":" or parser.ahead(count).kind != "symbol":
            return None
        parser.position += count
    parser.expect(":")
    return name
