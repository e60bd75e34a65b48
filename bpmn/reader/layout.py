"""Where the diagram draws things. What is wrong here is left out without a word: a drawing changes no result."""

from __future__ import annotations

import math

from bpmn.definition import Shape
from bpmn.namespaces import BPMNDI, DC, DI, qualified
from bpmn.reader.xml import Xml

_SHAPE, _EDGE = qualified(BPMNDI, "BPMNShape"), qualified(BPMNDI, "BPMNEdge")
_BOUNDS, _WAYPOINT = qualified(DC, "Bounds"), qualified(DI, "waypoint")
_LABEL = qualified(BPMNDI, "BPMNLabel")


def read_layout(root: Xml) -> dict[str, Shape]:
    """Shapes and edges by the id of the element drawn; an element drawn twice has its first shape."""
    layout: dict[str, Shape] = {}
    for node in root.iter(_SHAPE, _EDGE):
        drawn = (node.get("bpmnElement") or "").rpartition(":")[2]
        shape = _shape(node) if node.tag == _SHAPE else _edge(node)
        if drawn and shape is not None:
            layout.setdefault(drawn, shape)
    return layout


def _shape(node: Xml) -> Shape | None:
    bounds = _numbers(node.find(_BOUNDS), "x", "y", "width", "height")
    return None if bounds is None else Shape(bounds=bounds, label=_label(node))


def _edge(node: Xml) -> Shape | None:
    points = [point for waypoint in node.iter(_WAYPOINT) if (point := _numbers(waypoint, "x", "y")) is not None]
    return Shape(waypoints=tuple(points), label=_label(node)) if points else None


def _label(node: Xml) -> tuple[float, ...]:
    label = node.find(_LABEL)
    return () if label is None else _numbers(label.find(_BOUNDS), "x", "y", "width", "height") or ()


def _numbers(node: Xml | None, *names: str) -> tuple[float, ...] | None:
    if node is None:
        return None
    try:
        numbers = tuple(float(node.get(name, "")) for name in names)
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
