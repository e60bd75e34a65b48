"""A drawing for a file that has none, as the report would draw it: so that it can be opened in a designer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import quoteattr

from bpmn.definition import Definition, Shape
from bpmn.namespaces import BPMN, BPMNDI, DC, DI, qualified
from bpmn.reader.kinds import SUB_PROCESSES
from bpmn.reader.read import read
from bpmn.reader.source import Limits
from bpmn.walk import elements
from bpmn.writer.edits import decoded
from bpmn.writer.spans import Spans
from engine.report.geometry import Box
from engine.report.model.layout import lay_out, moved

_DECLARED: Final = " ".join(
    f'xmlns:{prefix}="{uri}"' for prefix, uri in (("bpmndi", BPMNDI), ("dc", DC), ("di", DI))
)
_HEAD: Final = 30.0
"""Of a pool, where its name stands."""
_AROUND: Final = 30.0
_BETWEEN: Final = 50.0


def drawn(data: bytes, file: str) -> tuple[str, bool]:
    """The file's text, with a drawing; and whether that was made here. Raises BpmnError."""
    found = read(data, file, Limits())
    text = decoded(data).text
    if next(found.root.iter(qualified(BPMNDI, "BPMNShape")), None) is not None:
        return text, False
    collaboration = next(found.root.iter(qualified(BPMN, "collaboration")), None)
    diagram = "".join(_diagram(found.definition, None if collaboration is None else collaboration.get("id")))
    raw = text.encode()
    root = Spans(raw).read()
    diagrams = (child.begin for child in root.children if child.tag == qualified(BPMNDI, "BPMNDiagram"))
    place = next(diagrams, root.closing)
    return (raw[:place] + diagram.encode() + raw[place:]).decode(), True


def _diagram(definition: Definition, collaboration: str | None) -> Iterator[str]:
    """One plane: of the collaboration, where there is one, else of each process a diagram."""
    if definition.participants and collaboration is not None:
        yield from _plane(collaboration, _pools(definition), _kinds(definition))
        return
    for process in definition.processes.values():
        yield from _plane(process.id, lay_out(process.scope), _kinds(definition))


def _plane(id: str, shapes: Mapping[str, Shape], kinds: Mapping[str, str]) -> Iterator[str]:
    yield f'<bpmndi:BPMNDiagram {_DECLARED} id={quoteattr(f"{id}_drawing")}>'
    yield f'<bpmndi:BPMNPlane id={quoteattr(f"{id}_plane")} bpmnElement={quoteattr(id)}>'
    for element, shape in shapes.items():
        yield _edge(element, shape) if shape.waypoints else _shape(element, shape, kinds.get(element, ""))
    yield "</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>\n"


def _shape(element: str, shape: Shape, kind: str) -> str:
    x, y, width, height = shape.bounds
    said = ' isExpanded="true"' if kind in SUB_PROCESSES else ' isHorizontal="true"' if kind == "participant" else ""
    bounds = f'<dc:Bounds x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
    names = f'id={quoteattr(f"{element}_di")} bpmnElement={quoteattr(element)}'
    return f"<bpmndi:BPMNShape {names}{said}>{bounds}</bpmndi:BPMNShape>"


def _edge(element: str, shape: Shape) -> str:
    points = "".join(f'<di:waypoint x="{x:g}" y="{y:g}"/>' for x, y in shape.waypoints)
    names = f'id={quoteattr(f"{element}_di")} bpmnElement={quoteattr(element)}'
    return f"<bpmndi:BPMNEdge {names}>{points}</bpmndi:BPMNEdge>"


def _kinds(definition: Definition) -> dict[str, str]:
    found = dict.fromkeys(definition.participants, "participant")
    for process in definition.processes.values():
        found |= {element.id: element.kind for element in elements(process)}
    return found


def _pools(definition: Definition) -> dict[str, Shape]:
    """Pools one below the other, each around its process, and straight lines for messages between them."""
    found: dict[str, Shape] = {}
    top = 0.0
    for participant in definition.participants.values():
        process = definition.processes.get(participant.process or "")
        inner = {} if process is None else moved(lay_out(process.scope), _HEAD + _AROUND, top + _AROUND)
        boxes = [Box(*shape.bounds) for shape in inner.values() if shape.bounds]
        width = max((box.right for box in boxes), default=600.0) + _AROUND
        height = max((box.bottom for box in boxes), default=top + 60.0 - _AROUND) + _AROUND - top
        found[participant.id] = Shape(bounds=(0.0, top, width, height))
        found |= inner
        top += height + _BETWEEN
    for flow in definition.message_flows.values():
        ends = [Box(*found[end].bounds) for end in (flow.source, flow.target) if end in found and found[end].bounds]
        if len(ends) == 2:
            source, target = ends
            points = (source.border(target.middle), target.border(source.middle))
            found[flow.id] = Shape(waypoints=points)
    return found
