"""Correlation as BPMN itself writes it (BPMN 2.0, 8.4.2): properties of messages, and subscriptions of processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bpmn.definition import EventRef, Expression
from bpmn.namespaces import BPMN, qualified
from bpmn.reader.reading import Reading
from bpmn.reader.text import read_expression
from bpmn.reader.xml import Xml, attribute, children_by_name, text_of

_PYTHON = "python"
_Paths = dict[str, Expression]


def with_correlation(
    messages: Mapping[str, EventRef], reading: Reading, language: str | None
) -> dict[str, EventRef]:
    """The messages with the keys that correlation properties give them; one with a key of its own keeps that.

    A message that several properties are about has the list of their values for its key.
    """
    by_message: dict[str, _Paths] = {}
    for prop in reading.root.iter(qualified(BPMN, "correlationProperty")):
        name = attribute(prop, "id") or ""
        for retrieval in children_by_name(prop).get("correlationPropertyRetrievalExpression", ()):
            path = next(iter(children_by_name(retrieval).get("messagePath", ())), None)
            message = reading.refer(retrieval, "messageRef", attribute(retrieval, "messageRef"), messages, "message")
            expression = _expression(path, language)
            if message is not None and expression is not None:
                by_message.setdefault(message, {})[name] = expression
    bound = dict(_subscriptions(reading, language))
    return {key: _with_key(each, by_message.get(key), bound) for key, each in messages.items()}


def _with_key(message: EventRef, paths: _Paths | None, bound: Mapping[str, _Paths]) -> EventRef:
    if message.key is not None or not paths:
        return message
    waits = {
        process: _together([own.get(name, paths[name]) for name in paths])
        for process, own in bound.items()
        if own.keys() & paths.keys()
    }
    return replace(message, key=_together(list(paths.values())), lenient=True, subscriptions=waits)


def _subscriptions(reading: Reading, language: str | None) -> Iterator[tuple[str, _Paths]]:
    """By process what its own variables give for each property."""
    for process in reading.root.iter(qualified(BPMN, "process")):
        bindings = process.iter(qualified(BPMN, "correlationPropertyBinding"))
        found = {attribute(each, "correlationPropertyRef") or "": _data_path(each, language) for each in bindings}
        paths = {name: path for name, path in found.items() if path is not None}
        if paths:
            yield process.get("id", ""), paths


def _data_path(binding: Xml, language: str | None) -> Expression | None:
    return _expression(next(iter(children_by_name(binding).get("dataPath", ())), None), language)


def _expression(node: Xml | None, language: str | None) -> Expression | None:
    """A path as an expression; one that is only a text is the name of a variable, in whatever language."""
    found = read_expression(node, language)
    text = text_of(node)
    if found is None or text is None:
        return None
    return replace(found, language=_PYTHON) if text.isidentifier() else found


def _together(paths: list[Expression]) -> Expression:
    if len(paths) == 1:
        return paths[0]
    marked = all(each.text.startswith("=") for each in paths)
    texts = [f"({each.text.removeprefix('=')})" for each in paths]
    return Expression(
        text=f"{'=' if marked else ''}[{', '.join(texts)}]", language=paths[0].language, line=paths[0].line
    )
