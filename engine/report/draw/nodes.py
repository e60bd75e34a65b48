"""Flow nodes as BPMN draws them, with what a run left on them: heat, counts, badges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from bpmn.definition import Element
from bpmn.reader.kinds import ACTIVITIES, EVENTS, GATEWAYS
from engine.report.draw.icons import at, event_icon, gateway_icon, marker, shield, task_icon
from engine.report.draw.lettering import LINE, block, wrap
from engine.report.draw.svg import number, tag
from engine.report.geometry import Box
from engine.report.model.diagram import Node
from engine.report.words import score_text, times
from governance.attention.bands import health_of

_ROUND: Final = 10.0
_LARGE_EVENT: Final = 36.0
_LARGE_GATEWAY: Final = 50.0
_THROWING: Final = frozenset({"endEvent", "intermediateThrowEvent", "implicitThrowEvent"})
_PAD: Final = 6.0


def draw_node(node: Node, number_: int, told: str) -> Markup:
    """A node as a group that can be pointed at. `number_` is its `data-node`; `told` says in words what is known."""
    element = node.element
    draw = _event if element.kind in EVENTS else _gateway if element.kind in GATEWAYS else _activity
    return tag(
        "g",
        tag("title", told),
        *draw(node),
        *_marks(node),
        class_=" ".join(_classes(node)),
        data_node=number_,
        tabindex=0,
    )


def _classes(node: Node) -> Iterator[str]:
    kind = node.element.kind
    yield "node"
    yield "event" if kind in EVENTS else "gateway" if kind in GATEWAYS else "activity"
    if node.is_open:
        yield "open"
    if node.score is not None:
        yield f"heat-{health_of(node.score).value}"
    if node.waits:
        yield "waits"
    if node.failed:
        yield "failed"
    if not (node.visits or node.waits or node.failed):
        yield "unvisited"


def _activity(node: Node) -> Iterator[Markup]:
    element, box = node.element, node.box
    yield _rounded(box, _ROUND, f"shape{_border(element)}")
    if element.kind == "transaction":
        yield _rounded(Box(box.x + 3, box.y + 3, box.width - 6, box.height - 6), _ROUND - 3, "shape inner")
    icon = task_icon(element.kind, agent=element.agent is not None)
    if icon is not None:
        yield at(icon, box.x + 14, box.y + 14, 0.8)
    markers = list(_markers(node))
    for index, each in enumerate(markers):
        x = box.middle[0] + 18 * (index - (len(markers) - 1) / 2)
        yield at(marker(each), x, box.bottom - 10)
    yield _name(node, bool(markers))


def _name(node: Node, has_markers: bool) -> Markup:
    box = node.box
    room = box.height - 2 * _PAD - (14 if has_markers else 0)
    lines = wrap(node.element.name or node.element.id, box.width - 2 * _PAD, max(1, int(room // LINE)))
    top = box.y + _PAD if node.is_open else box.y + _PAD + (room - LINE * len(lines)) / 2
    return block(lines, box.middle[0], top)


def _border(element: Element) -> str:
    if element.kind == "callActivity":
        return " call"
    return " event-sub" if element.triggered_by_event else ""


def _markers(node: Node) -> Iterator[str]:
    element = node.element
    if element.loop is not None:
        yield element.loop.kind
    if element.for_compensation:
        yield "compensation"
    if element.kind == "adHocSubProcess":
        yield "adHoc"
    if element.scope is not None and not node.is_open:
        yield "collapsed"


def _event(node: Node) -> Iterator[Markup]:
    element, box = node.element, node.box
    x, y = box.middle
    radius = min(box.width, box.height) / 2
    ends = element.kind == "endEvent"
    dashed = "" if element.interrupting else " dashed"
    yield tag("circle", cx=x, cy=y, r=radius, class_=f"shape{' ends' if ends else ''}{dashed}")
    if not ends and element.kind != "startEvent":
        yield tag("circle", cx=x, cy=y, r=radius * 0.83, class_=f"shape inner{dashed}")
    event = element.event
    if event is not None:
        thrown = element.kind in _THROWING
        icon = event_icon(event.kind, thrown=thrown, parallel=event.parallel_multiple)
        if icon is not None:
            yield at(icon, x, y, 2 * radius / _LARGE_EVENT)


def _gateway(node: Node) -> Iterator[Markup]:
    box = node.box
    x, y = box.middle
    yield tag("path", d=_diamond(box), class_="shape")
    icon = gateway_icon(node.element.kind, instantiates=node.element.instantiate)
    if icon is not None:
        yield at(icon, x, y, min(box.width, box.height) / _LARGE_GATEWAY)


def _marks(node: Node) -> Iterator[Markup]:
    """What the run left: how often, how well attended, whose policy, what went wrong."""
    box, is_activity = node.box, node.element.kind in ACTIVITIES
    if node.visits > 1 and is_activity:
        yield _pill(times(node.visits), box.right - 6, box.bottom, "visits")
    if node.score is not None and is_activity:
        yield _pill(score_text(node.score), box.x + 8, box.bottom, "score")
    if node.policy is not None and node.policy.badge and (is_activity or node.policy.badge == "own"):
        dx = -6.0 if is_activity else -box.width / 4
        dy = 0.0 if is_activity else box.height / 4 - 3
        yield at(shield(own=node.policy.badge == "own"), box.right + dx, box.y + dy)
    if node.waits or node.failed:
        yield _flag("!" if node.failed else "…", box)


def _pill(text: str, x: float, y: float, class_: str) -> Markup:
    wide = 8 + 7 * len(text)
    pill = tag("rect", x=x - wide / 2, y=y - 8, width=wide, height=16, rx=8)
    return tag("g", pill, tag("text", text, x=x, y=y + 4, text_anchor="middle"), class_=f"pill {class_}")


def _flag(sign: str, box: Box) -> Markup:
    circle = tag("circle", cx=box.x + 2, cy=box.y + 2, r=9)
    return tag("g", circle, tag("text", sign, x=box.x + 2, y=box.y + 6, text_anchor="middle"), class_="flag")


def _rounded(box: Box, radius: float, class_: str) -> Markup:
    return tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=radius, class_=class_)


def _diamond(box: Box) -> str:
    x, y = box.middle
    corners = ((x, box.y), (box.right, y), (x, box.bottom), (box.x, y))
    return "M" + "L".join(f"{number(cx)},{number(cy)}" for cx, cy in corners) + "Z"
