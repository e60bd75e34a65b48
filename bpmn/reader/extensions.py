"""Extension elements: the direct children of an element's own `extensionElements`, never those of inner elements."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.namespaces import BPMN, qualified
from bpmn.reader.xml import Xml

_HOLDER = qualified(BPMN, "extensionElements")


def extensions(element: Xml) -> Iterator[Xml]:
    """Every extension element of `element`, in document order."""
    for child in element:
        if child.tag == _HOLDER:
            yield from child


def is_extended(element: Xml) -> bool:
    """Whether an element has extension elements: most have none, and need not be looked at any further."""
    return any(child.tag == _HOLDER for child in element)


def says_more(element: Xml) -> bool:
    """Whether an element has extension elements, or attributes of other namespaces: else no dialect says anything."""
    return is_extended(element) or any(str(name)[0] == "{" for name in element.keys())  # noqa: SIM118 - no dict


def extended(root: Xml) -> Iterator[Xml]:
    """Every BPMN element with extension elements or attributes of other namespaces, in document order."""
    yield from root.xpath("//bpmn:*[bpmn:extensionElements or @*[namespace-uri()]]", namespaces={"bpmn": BPMN})


def extension(element: Xml, namespace: str, name: str) -> Xml | None:
    """The first extension element of that name."""
    tag = qualified(namespace, name)
    return next((child for child in extensions(element) if child.tag == tag), None)
