"""Boxed expressions (DMN 1.5, 7.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, cast

from bpmn.dmn.model import (
    Boxed,
    BoxedContext,
    BoxedFilter,
    BoxedIterator,
    BoxedList,
    Conditional,
    ContextEntry,
    FunctionDefinition,
    Invocation,
    LiteralExpression,
    Relation,
    Text,
    Variable,
)
from bpmn.dmn.reader.source import Source
from bpmn.dmn.reader.tables import read_table
from bpmn.reader.xml import Xml, attribute

NULL: Final = LiteralExpression(text=Text(text="null"))
"""What stands for an expression that is left out."""


def read_logic(node: Xml | None, source: Source) -> Boxed | None:
    """The expression inside a node; None where there is none."""
    if node is None:
        return None
    found = source.child(node, *READERS)
    return None if found is None else READERS[source.local(found) or ""](found, source)


def _inner(node: Xml | None, source: Source, *names: str) -> Boxed:
    """The expression inside a child of a node."""
    return read_logic(source.child(node, *names), source) or NULL


def _literal(node: Xml, source: Source) -> Boxed:
    if source.child(node, "importedValues") is not None:
        source.error("imported-values", "values from another document are not read", node, allowed=("a text in FEEL",))
    text = source.text(node)
    return NULL if text is None else LiteralExpression(text=text, type=source.type(node))


def _context(node: Xml, source: Source) -> Boxed:
    entries = []
    for entry in source.children(node, "contextEntry"):
        variable = source.child(entry, "variable")
        name = source.name(variable)
        named = Variable(name=name, type=source.type(variable)) if name else None
        entries.append(ContextEntry(variable=named, value=read_logic(entry, source)))
    return BoxedContext(entries=tuple(entries))


def _invocation(node: Xml, source: Source) -> Boxed:
    bindings = []
    for binding in source.children(node, "binding"):
        parameter = source.child(binding, "parameter")
        bindings.append((source.name(parameter), read_logic(binding, source)))
    return Invocation(function=read_logic(node, source) or NULL, bindings=tuple(bindings))


def _list(node: Xml, source: Source) -> Boxed:
    items = [READERS[source.local(child) or ""](child, source) for child in source.children(node, *READERS)]
    return BoxedList(items=tuple(items))


def _relation(node: Xml, source: Source) -> Boxed:
    columns = [
        Variable(name=source.name(column), type=source.type(column))
        for column in source.children(node, "column")
    ]
    rows = []
    for row in source.children(node, "row"):
        cells = [READERS[source.local(cell) or ""](cell, source) for cell in source.children(row, *READERS)]
        if len(cells) != len(columns):
            found = f"{len(cells)} of {len(columns)}"
            source.error("relation-row", "a row has not one cell per column", row, found=found)
        rows.append(tuple(cells))
    return Relation(columns=tuple(columns), rows=tuple(rows))


def read_function(node: Xml, source: Source) -> FunctionDefinition:
    """A function; one of another kind than FEEL is an error, and has no body."""
    kind = attribute(node, "kind") or "FEEL"
    parameters = tuple(
        Variable(name=source.name(parameter), type=source.type(parameter))
        for parameter in source.children(node, "formalParameter")
    )
    if kind != "FEEL":
        source.error("function-kind", f"functions of kind {kind} are not run", node, found=kind, allowed=("FEEL",))
        return FunctionDefinition(parameters=parameters, body=None)
    return FunctionDefinition(parameters=parameters, body=read_logic(node, source), type=source.type(node))


def _conditional(node: Xml, source: Source) -> Boxed:
    return Conditional(
        condition=_inner(node, source, "if"),
        then=_inner(node, source, "then"),
        otherwise=_inner(node, source, "else"),
    )


def _filter(node: Xml, source: Source) -> Boxed:
    return BoxedFilter(source=_inner(node, source, "in"), match=_inner(node, source, "match"))


def _iterator(node: Xml, source: Source) -> Boxed:
    kind = cast(Literal["for", "some", "every"], source.local(node))
    return BoxedIterator(
        kind=kind,
        variable=" ".join((attribute(node, "iteratorVariable") or "").split()),
        source=_inner(node, source, "in"),
        body=_inner(node, source, "return" if kind == "for" else "satisfies"),
    )


READERS: Final[dict[str, Callable[[Xml, Source], Boxed]]] = {
    "literalExpression": _literal,
    "decisionTable": read_table,
    "context": _context,
    "invocation": _invocation,
    "list": _list,
    "relation": _relation,
    "functionDefinition": read_function,
    "conditional": _conditional,
    "filter": _filter,
    "for": _iterator,
    "some": _iterator,
    "every": _iterator,
}
"""By element, how an expression is read."""
