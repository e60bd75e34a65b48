"""Errors in FEEL's words. In an expression they are null; what was wrong is noted."""

from __future__ import annotations

from typing import Any

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.feel.values.kinds import kind_of, phrase


class FeelMismatch(TypeMismatch):
    """Values of kinds that an operation does not work on. `types` are FEEL's names of their types."""

    def __init__(self, allowed: str | None, *values: Any, reason: str = "") -> None:
        super().__init__(allowed, reason=reason or "the values do not fit together")
        self.types = tuple(map(kind_of, values))
        self._operand = None
        self._phrases = tuple(map(phrase, values))
        if not reason:
            labels = ("the value",) if len(values) == 1 else ("the left side", "the right side")
            self.reason = self._explain(labels[: len(values)])
            self._operand = 0 if len(values) == 1 else None
