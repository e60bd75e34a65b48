"""Annotations, groups, data objects and what joins them to flow nodes: read for drawing alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpmn.definition import Artifact, ArtifactKind
from bpmn.namespaces import BPMN, qualified
from bpmn.reader.xml import Xml, attribute

_KINDS: Final[Mapping[str, ArtifactKind]] = {
    qualified(BPMN, "textAnnotation"): "textAnnotation",
    qualified(BPMN, "group"): "group",
    qualified(BPMN, "dataObjectReference"): "dataObject",
    qualified(BPMN, "dataObject"): "dataObject",
    qualified(BPMN, "dataInput"): "dataObject",
    qualified(BPMN, "dataOutput"): "dataObject",
    qualified(BPMN, "dataStoreReference"): "dataStore",
    qualified(BPMN, "association"): "association",
    qualified(BPMN, "dataInputAssociation"): "dataAssociation",
    qualified(BPMN, "dataOutputAssociation"): "dataAssociation",
}
_HOLDERS: Final = frozenset(
    qualified(BPMN, name) for name in ("process", "subProcess", "adHocSubProcess", "transaction")
)
_TEXT: Final = qualified(BPMN, "text")
_CATEGORY_VALUE: Final = qualified(BPMN, "categoryValue")


def read_artifacts(root: Xml) -> dict[str, Artifact]:
    """By id; one without an id cannot be drawn. Cost: the nodes of the file."""
    categories = {node.get("id"): attribute(node, "value") for node in root.iter(_CATEGORY_VALUE)}
    found: dict[str, Artifact] = {}
    for node in root.iter(*_KINDS):
        identifier = attribute(node, "id")
        if identifier:
            kind = _KINDS[str(node.tag)]
            name = _name(node, kind, categories)
            found.setdefault(identifier, Artifact(id=identifier, kind=kind, name=name, holder=_holder(node)))
    return found


def _holder(node: Xml) -> str | None:
    return next((above.get("id") for above in node.iterancestors() if above.tag in _HOLDERS), None)


def _name(node: Xml, kind: ArtifactKind, categories: Mapping[str | None, str | None]) -> str | None:
    if kind == "textAnnotation":
        text = node.find(_TEXT)
        return None if text is None else "".join(text.itertext()).strip() or None
    if kind == "group":
        return categories.get((attribute(node, "categoryValueRef") or "").rpartition(":")[2])
    return attribute(node, "name")
