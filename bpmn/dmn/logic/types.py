"""From item definitions to types (DMN 1.5, 7.3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpmn.dmn.errors import WrongDecision
from bpmn.dmn.model import DecisionModel, ItemDefinition, Text
from bpmn.expressions.feel.library.standard import FUNCTIONS, KNOWN
from bpmn.expressions.feel.semantics.compiler import Compiler
from bpmn.expressions.feel.semantics.evaluation import Evaluation, Frame
from bpmn.expressions.feel.semantics.tests import Test, unary_tests
from bpmn.expressions.feel.semantics.type_names import type_named
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.parser import parse_tests, parse_type
from bpmn.expressions.feel.syntax.tree import Constant, Tests
from bpmn.expressions.feel.values import kinds
from bpmn.expressions.feel.values.types import (
    ANY,
    SIMPLE,
    ContextOf,
    FunctionOf,
    ListOf,
    Restricted,
    Simple,
    Type,
)
from bpmn.expressions.limits import DEFAULT_LIMITS
from bpmn.expressions.places import Where
from bpmn.expressions.run import Run

_VENDORS: Final = dict.fromkeys(("integer", "int", "long", "double", "float", "decimal"), Simple(kinds.NUMBER))
"""Names that designers write for numbers."""


class Types(Mapping[str, Type]):
    """A model's types by name, those of imports behind the import's name and a dot; made when they are asked for."""

    def __init__(self, model: DecisionModel, imported: Mapping[str, Types]) -> None:
        self._model, self._imported = model, imported
        self._made: dict[str, Type] = {}

    def __getitem__(self, name: str) -> Type:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.types)

    def __len__(self) -> int:
        return len(self._model.types)

    def named(self, name: str | None, element: str, line: int | None) -> Type:
        """The type of a name; anything for None. Raises WrongDecision for a name that no type has."""
        if name is None:
            return ANY
        found = self._find(name) or SIMPLE.get(name) or _VENDORS.get(name)
        if found is None and "<" in name:
            where = Where(file=self._model.file, element=element, line=line)
            return type_named(Compiler(name, where, self), parse_type(name, where, Names(base=KNOWN)))
        if found is None:
            raise WrongDecision(f"there is no type {name}", file=self._model.file, element=element, line=line)
        return found

    def _find(self, name: str) -> Type | None:
        made = self._made.get(name)
        if made is not None:
            return made
        item = self._model.types.get(name)
        if item is not None:
            later = Later()
            self._made[name] = later
            later.type = made = self._made[name] = self._of_item(item, item.name)
            return made
        for prefix, others in self._imported.items():
            if prefix and name.startswith(f"{prefix}."):
                return others._find(name[len(prefix) + 1 :])
        plain = self._imported.get("")
        return None if plain is None or name not in plain._model.types else plain._find(name)

    def _of_item(self, item: ItemDefinition, element: str, *, inside: bool = False) -> Type:
        if item.parameters is not None:
            return FunctionOf((ANY,) * item.parameters)
        made: Type
        if item.components:
            entries = {part.name: self._of_item(part, element, inside=True) for part in item.components}
            made = ContextOf(entries)
        else:
            made = self.named(item.type, element, item.line)
            if isinstance(made, Later) and made.type is None and not (inside or item.is_collection):
                message = f"the type {item.name} is defined by itself"
                raise WrongDecision(message, file=self._model.file, element=element, line=item.line)
        if item.allowed is not None:
            made = Restricted(made, self._allows(item.allowed, element))
        if item.is_collection:
            made = ListOf(made)
        return made if item.constraint is None else Restricted(made, self._allows(item.constraint, element))

    def _allows(self, text: Text, element: str) -> Callable[[Any], bool]:
        tree, test = self.tests(text, element)
        constants = [part.value for part in tree.tests if isinstance(part, Constant)]
        if not tree.negated and len(constants) == len(tree.tests) and all(type(each) is str for each in constants):
            allowed = frozenset(constants)
            return lambda value: value in allowed if type(value) is str else False

        def allows(value: Any) -> bool:
            frame = Frame(Evaluation(Run({}, DEFAULT_LIMITS, {})), FUNCTIONS, None)
            return test(frame, value) is True

        return allows

    def tests(self, text: Text, element: str) -> tuple[Tests, Test]:
        """Unary tests that use no names but those of built-in functions. Raises ExpressionError."""
        where = Where(file=self._model.file, element=element, line=text.line)
        tree = parse_tests(text.text, where, Names(base=KNOWN))
        return tree, unary_tests(Compiler(text.text, where, self), tree)

    def item(self, name: str | None) -> ItemDefinition | None:
        """The definition behind a type's name, through names that stand for another."""
        seen: set[str] = set()
        while name is not None and name not in seen:
            seen.add(name)
            item = self._model.types.get(name)
            if item is None or item.components or item.allowed is not None or item.type is None:
                return item
            name = item.type
        return None


class Later:
    """A type that is being made: what refers to it meanwhile."""

    type: Type | None = None

    def accepts(self, value: Any) -> bool:
        return self.type is not None and self.type.accepts(value)


