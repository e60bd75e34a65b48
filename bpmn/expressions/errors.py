"""Errors of expressions and scripts. Each knows its site: file, element, line and the text it points at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final, Self

from bpmn.errors import BpmnError
from bpmn.expressions.describe import near, phrase, sentence, shown
from bpmn.expressions.places import Site

JSON_VALUES = "None, True or False, finite numbers, text, lists, and objects with text keys"


class ExpressionError(BpmnError):
    """Base: an expression or script that cannot be compiled, or failed as it ran.

    Operations do not know where they stand, so `at` completes the error on its way out: every error that reaches a
    caller has a site.
    """

    site: Site

    def __init__(self, reason: str, *, allowed: str | None = None) -> None:
        Exception.__init__(self, reason)
        self.reason, self.allowed, self.placed = reason, allowed, False

    def at(self, site: Site) -> Self:
        """This error, told where it happened; the first telling, which is the innermost part, stands."""
        if not self.placed:
            self.site, self.placed = site, True
            message = f"`{site.text}`: {self.reason}"
            where = site.where
            super().__init__(message, file=where.file, line=site.line, element=where.element, allowed=self.allowed)
        return self


class InvalidSyntax(ExpressionError):
    """Text that its language cannot read."""


class SyntaxRefused(ExpressionError):
    """A construct that the language has and process files may not use."""

    def __init__(self, construct: str, allowed: str) -> None:
        self.construct = construct
        super().__init__(f"{construct} may not be used here", allowed=allowed)


class UnsupportedLanguage(ExpressionError):
    """An expression or script in a language that nothing here runs."""

    def __init__(self, language: str, supported: Iterable[str]) -> None:
        self.language, self.supported = language, tuple(sorted(supported))
        super().__init__(f"the language is {language}", allowed=", ".join(self.supported))


class MissingVariable(ExpressionError):
    """A variable that the process does not have. `meant` is what surely was meant, else near names are looked for."""

    def __init__(self, name: str, known: Iterable[str] = (), meant: str | None = None) -> None:
        self.name, self.suggestions = name, near(name, known) if meant is None else (meant,)
        super().__init__(f"there is no variable {name}{_did_you_mean(self.suggestions)}")


class MissingKey(ExpressionError):
    """A field that an object does not have."""

    def __init__(self, key: Any, known: Iterable[Any] = ()) -> None:
        texts = [candidate for candidate in known if type(candidate) is str]
        self.key, self.suggestions = key, near(key, texts) if type(key) is str else ()
        super().__init__(f"the object has no field {key!r}{_did_you_mean(self.suggestions)}")


class UnknownFunction(ExpressionError):
    """A call of a function that the language does not have."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        self.name, self.suggestions = name, near(name, known)
        super().__init__(f"there is no function {shown(name)}{_did_you_mean(self.suggestions)}")


class TypeMismatch(ExpressionError):
    """Values of types that an operation does not work on. `types` are the names of their Python types.

    Two values are the operands of their site; `operand` says which of them a single value is, if it is one.
    """

    def __init__(self, allowed: str | None, *values: Any, operand: int | None = None, reason: str = "") -> None:
        self.types = tuple(type(value).__name__ for value in values)
        self._operand = operand
        self._phrases = tuple(phrase(value) for value in values)
        labels = ("the value",) if len(values) == 1 else ("the left side", "the right side")
        super().__init__(reason or self._explain(labels), allowed=allowed)

    def at(self, site: Site) -> Self:
        if not self.placed:
            first = 0 if self._operand is None and len(self._phrases) == 2 else self._operand
            operands = () if first is None else site.operands[first : first + len(self._phrases)]
            if operands and len(operands) == len(self._phrases):
                self.reason = self._explain(operands)
        return super().at(site)

    def _explain(self, labels: tuple[str, ...]) -> str:
        return ", ".join(sentence(*pair) for pair in zip(labels, self._phrases, strict=True))


class InvalidValue(ExpressionError):
    """A value of the right type that an operation cannot take: division by zero, no such item, not a number."""


class AssertionBroken(InvalidValue):
    """What an expression asserts of a value does not hold. In FEEL too it is no null: it ends the evaluation."""


class LimitReached(ExpressionError):
    """A run that wanted more than its limits allow. `limit` is the name of the field of Limits, `most` its value."""

    _UNITS: ClassVar = {
        "steps": "steps",
        "seconds": "seconds of computing",
        "text": "characters in one text",
        "items": "items in one collection",
        "integer_bits": "bits in one whole number",
        "depth": "levels of nesting",
        "result": "characters in the results",
    }

    def __init__(self, limit: str, most: float) -> None:
        self.limit, self.most = limit, most
        super().__init__(f"stopped, for it takes more than {most} {self._UNITS[limit]}")


class NotJson(ExpressionError):
    """A result that cannot be a process variable. `path` leads to it, `kind` names its Python type."""

    def __init__(self, path: tuple[str | int, ...], value: Any, why: str = "") -> None:
        self.path, self.kind = path, type(value).__name__
        place = "".join(map(_step, path)).removeprefix(".") or "the result"
        super().__init__(f"{place} is {phrase(value)}{why and f', {why}'}", allowed=JSON_VALUES)


ENDING: Final = (LimitReached, AssertionBroken)
"""What ends an evaluation where all else that goes wrong is null."""


def _step(step: str | int) -> str:
    return f"[{step}]" if type(step) is int else f".{step}"


def _did_you_mean(suggestions: tuple[str, ...]) -> str:
    return f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
