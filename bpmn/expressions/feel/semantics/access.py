"""Constants, names, and paths into values (DMN 1.5, 10.3.2.5, table 53)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpmn.expressions.errors import MissingKey, MissingVariable
from bpmn.expressions.feel.semantics.evaluation import Frame, ProcessNames
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.semantics.properties import NO_PROPERTY, property_of
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.json_values import from_json
from bpmn.expressions.values import MISSING

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler


def constant(compiler: Compiler, part: tree.Constant) -> Compiled:
    value = part.value
    return lambda frame: value


def name(compiler: Compiler, part: tree.Name) -> Compiled:
    wanted, note = part.name, compiler.note(part)
    compiler.read(wanted)

    def read(frame: Frame) -> Any:
        # Written out, for names are read more often than anything else is done.
        current: Frame | None = frame
        while current is not None:
            names = current.names
            if wanted in names:
                return names[wanted]
            current = current.parent
        if not frame.evaluation.notes_full:
            note(frame, MissingVariable(wanted, frame.known()))
        return None

    return read


def path(compiler: Compiler, part: tree.Path) -> Compiled:
    variable = _into_variable(compiler, part)
    return variable or _step(compiler, part, compiler.node(part.source))


def _step(compiler: Compiler, part: tree.Path, source: Compiled) -> Compiled:
    key, note = part.name, compiler.note(part, part.source)

    def step(frame: Frame) -> Any:
        value = source(frame)
        if type(value) is dict and key in value:
            return value[key]
        if type(value) is list:
            return _entries(value, key, frame.evaluation.charge)
        found = property_of(value, key)
        if found is not NO_PROPERTY:
            return found
        if not frame.evaluation.notes_full:
            note(frame, MissingKey(key, value) if type(value) is dict else FeelMismatch(f"a value with {key}", value))
        return None

    return step


def _entries(items: list[Any], key: str, charge: Callable[[int], None]) -> list[Any]:
    """What the path leads to from each item; from a list among them, a list of its own."""
    charge(1 + len(items) // 16)
    return [_entries(item, key, charge) if type(item) is list else _entry(item, key) for item in items]


def _entry(item: Any, key: str) -> Any:
    if type(item) is dict:
        return item.get(key)
    found = property_of(item, key)
    return None if found is NO_PROPERTY else found


def _into_variable(compiler: Compiler, part: tree.Path) -> Compiled | None:
    """A path that begins with a name: in a process variable, only what it leads to is made a value of FEEL."""
    keys = [part.name]
    source = part.source
    while isinstance(source, tree.Path):
        keys.append(source.name)
        source = source.source
    if not isinstance(source, tree.Name):
        return None
    first, keys = source.name, keys[::-1]
    steps = compiler.node(source)
    for node in _paths(part):
        steps = _step(compiler, node, steps)
    slow = steps

    def lead(frame: Frame) -> Any:
        current: Frame | None = frame
        while current is not None and first not in current.names:
            current = current.parent
        if current is None or type(current.names) is not ProcessNames:
            return slow(frame)
        value = current.names.raw(first)
        for key in keys:
            value = value.get(key, MISSING) if type(value) is dict else MISSING
        return slow(frame) if value is MISSING else from_json(value, frame.evaluation.charge)

    return lead


def _paths(part: tree.Path) -> list[tree.Path]:
    """The paths that a path goes on from, and itself, first things first."""
    found = [part]
    while isinstance(found[-1].source, tree.Path):
        found.append(found[-1].source)
    return found[::-1]
