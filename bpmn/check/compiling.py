"""Compiling the texts of a definition, for rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpmn.check.rule import Place, Problem
from bpmn.definition import Element, Expression, Script
from bpmn.expressions.compiler import compile_script
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.places import Where


class Compiling:
    """Compiles the texts of one scope. A text that was right once is not compiled again: large files repeat theirs."""

    def __init__(self, place: Place, compile_text: Callable[..., Any]) -> None:
        """`compile_text` is `compile_condition` or `compile_script`."""
        self._file, self._compile = place.definition.file, compile_text
        self._right: set[tuple[str, str | None]] = set()

    def problem(self, text: Expression | Script, owner: str) -> Problem | None:
        """What is wrong with a text of the element or flow `owner`, or None."""
        key = (text.text, text.language)
        if key in self._right:
            return None
        try:
            where = Where(file=self._file, element=owner, line=text.line)
            self._compile(text.text, where=where, language=text.language)
        except ExpressionError as error:
            return Problem(
                message=error.reason,
                element=owner,
                line=error.site.line or text.line,
                found=error.site.text,
                allowed=(error.allowed,) if error.allowed else (),
            )
        self._right.add(key)
        return None


def writes_of(element: Element, place: Place) -> frozenset[str]:
    """The variables that an element's script may assign; none where it has no script or a wrong one."""
    if element.script is None:
        return frozenset()
    if element.script.result is not None:
        return frozenset({element.script.result})
    where = Where(file=place.definition.file, element=element.id, line=element.script.line)
    try:
        return compile_script(element.script.text, where=where, language=element.script.language).writes
    except ExpressionError:
        return frozenset()
