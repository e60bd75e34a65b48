"""SpiffArena: task metadata named `gov_...`, whose values are written as Python."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.namespaces import SPIFFWORKFLOW, qualified
from bpmn.policies.naming import settings, unquoted
from bpmn.policies.setting import Setting
from bpmn.reader.extensions import extension
from bpmn.reader.xml import Xml, attribute


def read(element: Xml) -> Iterator[Setting]:
    """The settings among an element's metadata."""
    group = extension(element, SPIFFWORKFLOW, "taskMetadataValues")
    if group is None:
        return
    nodes = group.iter(qualified(SPIFFWORKFLOW, "taskMetadataValue"))
    written = ((attribute(node, "name"), unquoted(attribute(node, "value")), node) for node in nodes)
    yield from settings(written, "spiffworkflow:taskMetadataValue")
