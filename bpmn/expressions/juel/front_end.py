"""JUEL, the expression language of Activiti, Camunda 7 and Flowable, as a front end: the subset of JSR 341 that reads.

Variables, fields, items, arithmetic, comparisons, logic, `empty`, `? :`, text with placeholders, and the methods of
texts and collections in `methods`, Flowable's functions in `variables`. Methods of beans, other functions and
assignments are refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

from bpmn.expressions.errors import InvalidSyntax, SyntaxRefused
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.juel.coercion import to_truth, whole_text
from bpmn.expressions.juel.compiling import Compiling
from bpmn.expressions.juel.parser import Parser, WrongSyntax
from bpmn.expressions.juel.tokens import UnknownCharacter, tokens
from bpmn.expressions.juel.tree import Span
from bpmn.expressions.operations.weight import pay_text
from bpmn.expressions.places import Site, Where
from bpmn.expressions.program import Node, Program
from bpmn.expressions.run import Run

MAX_TEXT: Final = 100_000
"""Characters of one text."""


class JuelFrontEnd:
    """Compiles `${...}`, `#{...}` and text with such placeholders to closures."""

    language = "juel"

    def condition(self, text: str, where: Where) -> Program:
        """Raises InvalidSyntax, SyntaxRefused."""
        compiling = Compiling(text, where)
        whole = compiling.site(Span(0, len(text)))
        if len(text) > MAX_TEXT:
            raise InvalidSyntax(f"the text has {len(text)} characters", allowed=str(MAX_TEXT)).at(whole)
        pieces = _pieces(text, compiling)
        try:
            nodes = [piece if isinstance(piece, str) else _expression(text, piece, compiling) for piece in pieces]
        except RecursionError as error:
            raise failure(error, whole) from None
        node = _alone(nodes) or _together(nodes, whole)
        names = frozenset(compiling.reads)
        return Program(node, site=whole, language=self.language, names=names, truth=to_truth)

    def script(self, text: str, where: Where) -> Program:
        """Raises SyntaxRefused: JUEL changes nothing."""
        site = Compiling(text, where).site(Span(0, len(text)))
        raise SyntaxRefused("a script in JUEL", "python").at(site)


def _pieces(text: str, compiling: Compiling) -> list[str | Span]:
    """Text between placeholders as it is, and what stands inside each placeholder."""
    found: list[str | Span] = []
    at = 0
    while (start := _opening(text, at)) is not None:
        if start > at:
            found.append(text[at:start])
        end = _closing(text, start + 2)
        if end is None:
            _fail(compiling, start, len(text), "a placeholder is not closed", "${...}")
        found.append(Span(start + 2, end))
        at = end + 1
    if at < len(text):
        found.append(text[at:])
    if not any(isinstance(piece, Span) for piece in found):
        _fail(compiling, 0, len(text), "there is no placeholder", "${...} or #{...}")
    return found


def _opening(text: str, at: int) -> int | None:
    places = [place for mark in ("${", "#{") if (place := text.find(mark, at)) >= 0]
    return min(places, default=None)


def _closing(text: str, at: int) -> int | None:
    """Where the brace is that closes a placeholder: none inside quotes."""
    quote = ""
    while at < len(text):
        character = text[at]
        if quote:
            at += character == "\\"
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "}":
            return at
        at += 1
    return None


def _expression(text: str, span: Span, compiling: Compiling) -> Node:
    try:
        part = Parser(tokens(text, span.start, span.end)).parse()
    except (WrongSyntax, UnknownCharacter) as error:
        _fail(compiling, error.at, span.end, str(error), "an expression of JUEL")
    return compiling.node(part)


def _fail(compiling: Compiling, start: int, end: int, reason: str, allowed: str) -> NoReturn:
    raise InvalidSyntax(reason, allowed=allowed).at(compiling.site(Span(start, end)))


def _alone(nodes: list[str | Node]) -> Node | None:
    """The one expression of a text that is nothing else; white space around it does not count."""
    expressions: list[Callable[[Run], Any]] = [node for node in nodes if not isinstance(node, str)]
    blank = all(not node.strip() for node in nodes if isinstance(node, str))
    return expressions[0] if len(expressions) == 1 and blank else None


def _together(nodes: list[str | Node], site: Site) -> Node:
    def joined(run: Run) -> str:
        try:
            parts = [node if isinstance(node, str) else whole_text(run, node(run)) for node in nodes]
            pay_text(run, sum(map(len, parts)))
        except EXPECTED as error:
            raise failure(error, site) from None
        return "".join(parts)

    return joined
