"""What a service handler says of itself as a tool that agents may call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from governance.vocabulary import Effect

_MARK: Final = "__governor_tool__"
_ANY_OBJECT: Final[Mapping[str, Any]] = {"type": "object", "properties": {}}

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ToolDeclaration:
    """`parameters` is the JSON Schema, an object's, of the arguments.

    `effect` is what a call does to the world outside; who does not say so is taken to write. `public` names the
    arguments that may stand in events; of the others these have a hash. `trusted`: what it gives comes from the
    organisation's own sources, so that nothing is tainted by it. Only who registers a tool says so, never its result.
    """

    description: str = ""
    effect: Effect = Effect.WRITE
    parameters: Mapping[str, Any] = field(default_factory=lambda: dict(_ANY_OBJECT))
    public: tuple[str, ...] = ()
    trusted: bool = False


def tool(
    *,
    description: str = "",
    effect: Effect | str = Effect.WRITE,
    parameters: Mapping[str, Any] | type[BaseModel] | None = None,
    public: tuple[str, ...] = (),
    trusted: bool = False,
) -> Callable[[FunctionT], FunctionT]:
    """Declare what a handler does as a tool; its docstring tells models, unless `description` does.

    `parameters` is a JSON Schema of type object, or a pydantic model. `trusted`: it gives what the organisation's own
    sources say, and nothing that others wrote.
    """
    schema: Mapping[str, Any] = _ANY_OBJECT
    if isinstance(parameters, type):
        schema = parameters.model_json_schema()
    elif parameters is not None:
        schema = parameters

    def declared(function: FunctionT) -> FunctionT:
        told = description or cleandoc(function.__doc__ or "")
        setattr(function, _MARK, ToolDeclaration(told, Effect(effect), schema, public, trusted))
        return function

    return declared


def declaration_of(function: object) -> ToolDeclaration:
    """What a function says of itself; a function that says nothing has a docstring and writes."""
    found = getattr(function, _MARK, None)
    if isinstance(found, ToolDeclaration):
        return found
    return ToolDeclaration(cleandoc(getattr(function, "__doc__", None) or ""))
