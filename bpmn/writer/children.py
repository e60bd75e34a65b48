"""Fields of a policy that are written as child elements, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from bpmn.policies.fields import FIELDS, camel

CHILDREN: Final[Mapping[str, Sequence[str]]] = {
    "retainKeys": ("retainKey",),
    "knowledgeRequirements": ("knowledgeRequirement",),
    "branchStrategy.split": ("branchStrategy",),
    "branchStrategy.merge": ("branchStrategy",),
    "branchStrategy.keys": ("mergeKey",),
    "approval": ("approval",),
}
"""By the names of `FIELDS`: the elements that say them in a `gov:policy`."""


def children_of(name: str, text: str, prefix: str) -> list[str]:
    """The elements that say a field, given as its text. Raises ValueError for a text that says no such thing."""
    value = FIELDS[name].read(text)
    if name == "retainKeys":
        return [_element(prefix, "retainKey", {"name": each}) for each in value]
    if name == "branchStrategy.keys":
        return [_element(prefix, "mergeKey", {"name": key, "strategy": each}) for key, each in value.items()]
    if name == "approval":
        return [_element(prefix, "approval", {**value, **_joined(value, "roles")})]
    return [_element(prefix, "knowledgeRequirement", each) for each in value]


def _joined(value: Mapping[str, Any], name: str) -> dict[str, str]:
    given = value.get(name)
    return {name: ", ".join(map(str, given))} if isinstance(given, list) else {}


def _element(prefix: str, tag: str, fields: Mapping[str, Any]) -> str:
    said = "".join(f" {camel(name)}={quoteattr(_text(value))}" for name, value in fields.items() if value != "")
    return f"<{prefix}:{tag}{said}/>"


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
