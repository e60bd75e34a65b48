"""Lanes, nested ones too, and the lane each flow node stands in."""

from __future__ import annotations

from dataclasses import dataclass

from bpmn.definition import Lane
from bpmn.namespaces import BPMN, qualified
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, attribute, children_by_name, text_of

_LANE = qualified(BPMN, "lane")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """The lanes of a process by id, and by flow node the innermost lane that names it."""

    by_id: dict[str, Lane]
    of_node: dict[str, str]


def read_lanes(process: Xml, reading: Reading) -> Lanes:
    """Every lane of the process and of its sub-processes."""
    lanes = Lanes(by_id={}, of_node={})
    for node in process.iter(_LANE):
        identifier = reading.claim(node)
        if identifier is None:
            continue
        references = [text_of(child) for child in children_by_name(node).get("flowNodeRef", ())]
        elements = tuple(dict.fromkeys(reference for reference in references if reference))
        # Outer lanes come first in the file, so that the innermost lane that names a node wins.
        lanes.of_node.update(dict.fromkeys(elements, identifier))
        lanes.by_id[identifier] = Lane(
            id=identifier, name=attribute(node, "name"), parent=_parent(node), elements=elements, line=node.sourceline
        )
        for reference in elements:
            if reference not in reading.ids:
                reading.error("dangling-reference", "flowNodeRef names no flow node", node, found=reference)
    return lanes


def _parent(lane: Xml) -> str | None:
    """The id of the lane around a nested lane (lane > childLaneSet > lane)."""
    above = lane.getparent()
    above = None if above is None else above.getparent()
    return above.get("id") if above is not None and above.tag == _LANE else None
