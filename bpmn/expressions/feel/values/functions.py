"""Functions as values: built in, written in FEEL, or the knowledge of a decision model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.evaluation import Evaluation
    from bpmn.expressions.feel.values.types import Type


class FeelFunction(ABC):
    """What can be called. A call that the function does not take raises InvalidValue or TypeMismatch."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name
        """What messages call it."""

    @abstractmethod
    def arity(self) -> tuple[int, int]:
        """The least and the most arguments that it takes."""

    def parameter_types(self) -> tuple[Type, ...] | None:
        """The types of its parameters; None: they are not known."""
        return None

    @abstractmethod
    def call(self, evaluation: Evaluation, arguments: Sequence[Any]) -> Any: ...

    @abstractmethod
    def call_named(self, evaluation: Evaluation, arguments: Mapping[str, Any]) -> Any: ...
