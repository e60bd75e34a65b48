"""Flowable and Activiti: fields named `gov_...`."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.policies.naming import settings
from bpmn.policies.setting import Setting
from bpmn.reader.vendors import family_children, family_elements
from bpmn.reader.xml import Xml, attribute, text_of


def read(element: Xml) -> Iterator[Setting]:
    """The settings among an element's `field`s, whose value is an attribute or a child `string`."""
    fields = family_elements(element, "field")
    yield from settings(((attribute(node, "name"), _value(node), node) for node in fields), "flowable:field")


def _value(field: Xml) -> str | None:
    return attribute(field, "stringValue") or text_of(next(family_children(field, "string"), None))
