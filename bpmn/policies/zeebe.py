"""Camunda 8: task headers and inputs named `gov_...` or `gov:...`."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.namespaces import ZEEBE, qualified
from bpmn.policies.naming import settings, unquoted
from bpmn.policies.setting import Setting
from bpmn.reader.extensions import extension
from bpmn.reader.xml import Xml, attribute


def read(element: Xml) -> Iterator[Setting]:
    """The settings among an element's headers and inputs."""
    for holder, child, name, value in (
        ("taskHeaders", "header", "key", "value"),
        ("ioMapping", "input", "target", "source"),
    ):
        group = extension(element, ZEEBE, holder)
        if group is None:
            continue
        nodes = group.iter(qualified(ZEEBE, child))
        written = ((attribute(node, name), unquoted(attribute(node, value)), node) for node in nodes)
        yield from settings(written, f"zeebe:{child}")
