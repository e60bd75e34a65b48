"""What goes into an activity and comes out of it under other names, computed."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from bpmn.definition import DataMapping, Element, Expression
from bpmn.expressions.errors import ExpressionError, TypeMismatch
from bpmn.expressions.outside import Outside
from bpmn.expressions.places import Site, Where
from bpmn.parts.texts import LIST, MAP
from bpmn.structures import compiled

EVERYTHING: Final = "*"
VARIABLE: Final = "variable"
"""The language of an expression that is the name of a variable, which may be missing."""
_RESULT: Final = "result"


class Maker(NamedTuple):
    """Makes a value of what is seen: `call` raises ExpressionError. `names` are the variables that it may read."""

    names: frozenset[str]
    call: Callable[[Mapping[str, Any], Outside], Any]


Note = Callable[[str], None]
"""Is told what a simulation could not compute. None: not a simulation, and errors are raised."""


class Mappings:
    """The mappings of one element, compiled once."""

    def __init__(self, element: Element, file: str) -> None:
        where = Where(file, element.id, element.line)
        self._inputs = [(each, _maker(each.expression, where)) for each in element.input_mappings]
        self._outputs = [(each, _maker(each.expression, where)) for each in element.output_mappings]

    @property
    def inputs_read(self) -> Mapping[str, frozenset[str]]:
        """By the name of what an input mapping sets: the variables that it may be made of."""
        return _read(self._inputs)

    @property
    def outputs_read(self) -> Mapping[str, frozenset[str]]:
        """The same of output mappings; results are among the variables."""
        return _read(self._outputs)

    def inputs(self, variables: Mapping[str, Any], outside: Outside, note: Note | None = None) -> dict[str, Any]:
        """What the activity has for itself, beside the variables. Raises ExpressionError."""
        found: dict[str, Any] = {}
        for mapping, make in self._inputs:
            _make(mapping, make, ChainMap(found, dict(variables)), found, variables, outside.within("in"), note)
        return found

    def outputs(
        self, variables: Mapping[str, Any], results: Mapping[str, Any], outside: Outside, note: Note | None = None
    ) -> dict[str, Any]:
        """What comes out of an activity that saw `variables` and gave `results`. Raises ExpressionError."""
        found: dict[str, Any] = {}
        seen = ChainMap(dict(results), dict(variables))
        for mapping, make in self._outputs:
            if mapping.expression is None:
                whole = dict(results) if mapping.target == EVERYTHING else {mapping.target: _whole(results)}
                found.update(whole)
            else:
                _make(mapping, make, ChainMap(found, *seen.maps), found, results, outside.within("out"), note)
        return found


def _read(mappings: list[tuple[DataMapping, Maker | None]]) -> dict[str, frozenset[str]]:
    """A mapping may read what an earlier one has set, and adds to an object that is there."""
    found: dict[str, frozenset[str]] = {}
    for mapping, make in mappings:
        name = mapping.target.partition(".")[0]
        names = _names_in(mapping, make)
        names |= found.get(name, {name} if "." in mapping.target else frozenset())
        found[name] = names.union(*(found[each] for each in names & found.keys()))
    return found


def _names_in(mapping: DataMapping, make: Maker | None) -> frozenset[str]:
    if make is not None:
        return make.names
    return frozenset() if mapping.expression is None else frozenset({mapping.expression.text})


def _maker(expression: Expression | None, where: Where) -> Maker | None:
    """What makes the value of an expression, compiled; None for what is no text to evaluate."""
    if expression is None or expression.language == VARIABLE:
        return None
    place = Where(where.file, where.element, expression.line or where.line)
    if not expression.is_made:
        program = compiled(expression, place)
        return Maker(program.names, lambda seen, outside: program.evaluate(seen, outside=outside))
    made = [maker for each in expression.items if (maker := _maker(each, where)) is not None]

    def listed(seen: Mapping[str, Any], outside: Outside) -> list[Any]:
        return [make.call(seen, outside.within(str(index))) for index, make in enumerate(made)]

    def mapped(seen: Mapping[str, Any], outside: Outside) -> dict[str, Any]:
        values = listed(seen, outside)
        wrong = [key for key in values[::2] if not isinstance(key, str)]
        if wrong:
            raise TypeMismatch("text as the key of an entry", wrong[0]).at(Site(place, place.line, MAP))
        return dict(zip(values[::2], values[1::2], strict=True))

    names = frozenset[str]().union(*(make.names for make in made))
    return Maker(names, listed if expression.language == LIST else mapped)


def _make(
    mapping: DataMapping,
    make: Maker | None,
    seen: Mapping[str, Any],
    found: dict[str, Any],
    everything: Mapping[str, Any],
    outside: Outside,
    note: Note | None,
) -> None:
    """Make one mapping, and put what it gives into `found`."""
    if mapping.target == EVERYTHING:
        found.update(everything if mapping.expression is None else {})
        return
    if make is None:
        name = mapping.expression.text if mapping.expression is not None else ""
        if name in seen:
            _put(found, seen, mapping.target, seen[name])
        return
    try:
        _put(found, seen, mapping.target, make.call(seen, outside.within(mapping.target)))
    except ExpressionError as error:
        if note is None:
            raise
        note(f"simulated: the mapping to {mapping.target} is passed over: {error.reason}")


def _put(found: dict[str, Any], seen: Mapping[str, Any], target: str, value: Any) -> None:
    """A value at its place; objects on the way there are copied, or made."""
    name, *inner = target.split(".")
    if not inner:
        found[name] = value
        return
    holder = found.get(name, seen.get(name))
    top = place = dict(holder) if isinstance(holder, dict) else {}
    for step in inner[:-1]:
        below = place.get(step)
        place[step] = dict(below) if isinstance(below, dict) else {}
        place = place[step]
    place[inner[-1]] = value
    found[name] = top


def _whole(results: Mapping[str, Any]) -> Any:
    """All results as one value; of a result called so, alone, that."""
    return results[_RESULT] if list(results) == [_RESULT] else dict(results)


def is_mapped(element: Element) -> bool:
    """Whether anything goes in or comes out under a name of its own."""
    return bool(element.input_mappings or element.output_mappings)


def mapped_names(element: Element) -> Iterator[str]:
    """The variables that output mappings write."""
    yield from (each.target.partition(".")[0] for each in element.output_mappings if each.target != EVERYTHING)
