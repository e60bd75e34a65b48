"""From the names of types to types, and `instance of`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bpmn.expressions.errors import InvalidSyntax, InvalidValue
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.types import (
    ANY,
    SIMPLE,
    ContextOf,
    FunctionOf,
    ListOf,
    RangeOf,
    Type,
)
from bpmn.expressions.feel.values.weight import weigh

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler

Types = Mapping[str, Type]
"""Types that a decision model defines, by name."""


_BARE = frozenset({"list", "range", "context", "function"})


def type_named(compiler: Compiler, part: tree.TypeNode, *, bare: bool = True) -> Type:
    """The type; unless `bare`, those of lists, ranges, contexts and functions have to say of what.

    Raises InvalidSyntax for a name that is no type.
    """
    arguments = [type_named(compiler, argument, bare=bare) for argument in part.arguments]
    if part.name == "list" and arguments:
        return ListOf(arguments[0])
    if part.name == "range" and arguments:
        return RangeOf(arguments[0])
    if part.name == "context" and part.entries:
        return ContextOf({key: type_named(compiler, entry) for key, entry in part.entries})
    if part.name == "function" and part.result is not None:
        return FunctionOf(tuple(arguments))
    if part.name in _BARE and not bare:
        raise InvalidSyntax(f"the type {part.name} does not say of what: {part.name}<...>").at(compiler.site(part))
    found = compiler.types.get(part.name) or SIMPLE.get(part.name)
    if found is None:
        raise InvalidSyntax(f"there is no type {part.name}").at(compiler.site(part))
    return found


def instance_of(compiler: Compiler, part: tree.InstanceOf) -> Compiled:
    value = compiler.node(part.value)
    if part.type.name == "Null":
        return lambda frame: value(frame) is None
    try:
        wanted = type_named(compiler, part.type, bare=False)
    except InvalidSyntax as error:
        # As the standard has it: null, where the type is none (DMN 1.5, table 61).
        return _no_type(compiler, part, error.reason)

    def check(frame: Frame) -> bool:
        found = value(frame)
        weigh(found, frame.evaluation.charge)
        return found is not None and wanted.accepts(found)

    return check


def _no_type(compiler: Compiler, part: tree.InstanceOf, reason: str) -> Compiled:
    note = compiler.note(part)

    def check(frame: Frame) -> None:
        note(frame, InvalidValue(reason))

    return check


def parameter_type(compiler: Compiler, part: tree.TypeNode | None) -> Type:
    return ANY if part is None else type_named(compiler, part)

