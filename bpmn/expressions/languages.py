"""Which language an expression is in, and what compiles it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from bpmn.expressions.juel.front_end import JuelFrontEnd
from bpmn.expressions.places import Where
from bpmn.expressions.program import Program
from bpmn.expressions.python.front_end import PythonFrontEnd

PYTHON, FEEL, JUEL = "python", "feel", "juel"

_PLACEHOLDER = re.compile(r"[$#]\{")
_DECLARED = (
    (re.compile(r"python", re.IGNORECASE), PYTHON),
    (re.compile(r"\bfeel\b", re.IGNORECASE), FEEL),
    (re.compile(r"\b(juel|el|uel)\b", re.IGNORECASE), JUEL),
)
_UNSPOKEN = re.compile(r"xpath", re.IGNORECASE)
"""XPath is BPMN's default, which modelers write whatever the expressions are in: beside plain text it says nothing."""


class FrontEnd(Protocol):
    """Compiles one language to programs."""

    @property
    def language(self) -> str: ...

    def condition(self, text: str, where: Where) -> Program:
        """An expression that gives a value. Raises ExpressionError."""
        ...

    def script(self, text: str, where: Where) -> Program:
        """The body of a script task. Raises ExpressionError."""
        ...


class _Feel:
    """FEEL's front end, imported when the first expression in FEEL is compiled: most runs do without."""

    language = FEEL

    def condition(self, text: str, where: Where) -> Program:
        from bpmn.expressions.feel.front_end import FeelFrontEnd

        return FeelFrontEnd().condition(text, where)

    def script(self, text: str, where: Where) -> Program:
        from bpmn.expressions.feel.front_end import FeelFrontEnd

        return FeelFrontEnd().script(text, where)


FRONT_ENDS: Mapping[str, FrontEnd] = MappingProxyType({
    PYTHON: PythonFrontEnd(),
    JUEL: JuelFrontEnd(),
    FEEL: _Feel(),
})
"""By language, all that can be compiled."""


def language_of(text: str, declared: str | None = None) -> str:
    """The language of an expression: as declared, else by its syntax.

    A leading `=` is FEEL, `${...}` and `#{...}` are JUEL, all else is the Python subset. A declared language that
    is not known comes back as it is written; so does XPath where the text is plainly in another one.
    """
    declared = (declared or "").strip()
    written = _by_syntax(text)
    if not declared or (_UNSPOKEN.search(declared) and written == PYTHON):
        return written
    return next((language for pattern, language in _DECLARED if pattern.search(declared)), declared)


def _by_syntax(text: str) -> str:
    if text.lstrip().startswith("="):
        return FEEL
    return JUEL if _PLACEHOLDER.search(text) else PYTHON
