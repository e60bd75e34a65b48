"""References that only other tools follow: they lead to something of the right kind, in the file or an imported one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpmn.namespaces import BPMN, qualified
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, attribute

_OPERATION: Final = ("operationRef", "operation", "operation")
_TARGETS: Final[Mapping[str, tuple[str, str, str]]] = {
    "dataObjectReference": ("dataObjectRef", "dataObject", "data object"),
    "dataStoreReference": ("dataStoreRef", "dataStore", "data store"),
    "group": ("categoryValueRef", "categoryValue", "category value"),
    "process": ("definitionalCollaborationRef", "collaboration", "collaboration"),
    "serviceTask": _OPERATION,
    "sendTask": _OPERATION,
    "receiveTask": _OPERATION,
}
"""By element: the attribute that refers, the tag it refers to, and what that is called."""


def check_references(reading: Reading) -> None:
    """Report what refers to nothing. Cost: the nodes of the file for each kind of reference that it has."""
    known: dict[str, dict[str, Xml]] = {}
    for name, (reference, tag, what) in _TARGETS.items():
        for node in reading.root.iter(qualified(BPMN, name)):
            said = attribute(node, reference)
            if said is None or _is_foreign(node, said, reading.root):
                continue
            if tag not in known:
                known[tag] = {each.get("id", ""): each for each in reading.root.iter(qualified(BPMN, tag))}
            reading.refer(node, reference, said, known[tag], what)
    for node in reading.root.iter(qualified(BPMN, "association")):
        for end in ("sourceRef", "targetRef"):
            said = attribute(node, end)
            if said is None or said.rpartition(":")[2] in reading.ids:
                continue
            if not _is_foreign(node, said, reading.root):
                reading.error("dangling-reference", f"{end} names nothing in the file", node, found=said)


def _is_foreign(node: Xml, reference: str, root: Xml) -> bool:
    """Whether a qualified name is of another namespace than the file's own: of what it imports."""
    prefix, colon, _ = reference.rpartition(":")
    return bool(colon) and node.nsmap.get(prefix) not in (None, BPMN, attribute(root, "targetNamespace"))
