"""From the text of an expression or script to a program."""

from __future__ import annotations

from bpmn.expressions.describe import shown
from bpmn.expressions.errors import UnsupportedLanguage
from bpmn.expressions.languages import FRONT_ENDS, JUEL, FrontEnd, language_of
from bpmn.expressions.places import Site, Where
from bpmn.expressions.program import Program


def compile_condition(text: str, *, where: Where, language: str | None = None) -> Program:
    """A program that gives a value: a flow's condition, a collection, a cardinality.

    `language` is the declared one; None: by the text's syntax. Raises InvalidSyntax, SyntaxRefused,
    UnknownFunction, UnsupportedLanguage.
    """
    return _front_end(text, where, language).condition(text, where)


def compile_script(text: str, *, where: Where, language: str | None = None) -> Program:
    """A program that changes variables: a script task's body. `language` is its `scriptFormat`; None: by syntax.

    Raises InvalidSyntax, SyntaxRefused, UnknownFunction, UnsupportedLanguage.
    """
    return _front_end(text, where, language).script(text, where)


def compile_value(text: str, *, where: Where, language: str | None = None) -> Program:
    """A program for a script of which only the value is wanted: that of its last line, or of its one expression.

    Raises InvalidSyntax, SyntaxRefused, UnknownFunction, UnsupportedLanguage.
    """
    front_end = _front_end(text, where, language)
    return front_end.condition(text, where) if front_end.language == JUEL else front_end.script(text, where)


def _front_end(text: str, where: Where, declared: str | None) -> FrontEnd:
    language = language_of(text, declared)
    front_end = FRONT_ENDS.get(language)
    if front_end is None:
        raise UnsupportedLanguage(language, FRONT_ENDS).at(Site(where, where.line, shown(text.strip(), 100)))
    return front_end
