"""Item definitions (DMN 1.5, 7.3.3)."""

from __future__ import annotations

from bpmn.dmn.model import ItemDefinition
from bpmn.dmn.reader.source import Source
from bpmn.reader.xml import Xml, is_true


def read_item(node: Xml, source: Source) -> ItemDefinition:
    """A type, or a component of one."""
    function = source.child(node, "functionItem")
    return ItemDefinition(
        name=source.name(node),
        type=source.type(node),
        components=tuple(read_item(child, source) for child in source.children(node, "itemComponent")),
        is_collection=is_true(node, "isCollection"),
        allowed=source.text(source.child(node, "allowedValues")),
        constraint=source.text(source.child(node, "typeConstraint")),
        parameters=None if function is None else len(source.children(function, "parameters")),
        line=node.sourceline,
    )
