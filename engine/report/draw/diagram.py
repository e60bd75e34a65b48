"""A plane of a diagram as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from markupsafe import Markup

from bpmn.reader.kinds import ACTIVITIES
from engine.report.draw.bands import draw_band
from engine.report.draw.extras import draw_extra
from engine.report.draw.icons import at, shield
from engine.report.draw.labels import Label, Labels
from engine.report.draw.lettering import block
from engine.report.draw.nodes import draw_node
from engine.report.draw.svg import join, line_through, picture, tag
from engine.report.geometry import around, middle_of
from engine.report.model.diagram import Edge, Node, Plane
from engine.report.words import times
from engine.told import Say, told

_MARGIN: Final = 16.0
_BEND: Final = 6.0
_HEADS: Final = {
    "arrow": ("M1,1L11,6L1,11Z", 11.0),
    "arrow-taken": ("M1,1L11,6L1,11Z", 11.0),
    "arrow-open": ("M1,1L11,6L1,11Z", 11.0),
    "circle": ("M6,1A5,5 0 1 1 5.9,1Z", 6.0),
    "slash": ("M3,9L9,3", -2.0),
    "diamond": ("M0,6L7,2L14,6L7,10Z", 0.0),
}
"""Ends of flows: their outline in a square of 12, and the point that lies on the end of the line."""


def draw_plane(plane: Plane, key: str, titled: Callable[[Node], tuple[int, str]], say: Say = str) -> Markup:
    """The plane in its own units.

    `key` keeps its ids apart from those of other planes on a page: letters, digits and hyphens. `titled` gives a node
    its number on the page, and what to say of it.
    """
    labels = list(_labels(plane))
    back = [node for node in plane.nodes if node.is_open]
    front = [node for node in plane.nodes if not node.is_open]
    boxes = [*(node.box for node in plane.nodes), *(band.box for band in plane.bands)]
    boxes += [place for extra in plane.extras for place in (extra.box, extra.label) if place is not None]
    view = around([*boxes, *(each.box for each in labels)], (p for edge in plane.edges for p in edge.points), _MARGIN)
    return picture(
        view,
        _ends(key),
        *(draw_band(band, plane.bands) for band in plane.bands),
        *(draw_node(node, *titled(node)) for node in back),
        *(draw_extra(extra, key) for extra in plane.extras),
        *(_edge(edge, key, say) for edge in sorted(plane.edges, key=lambda each: each.taken > 0)),
        *(draw_node(node, *titled(node)) for node in front),
        *(_badge(edge) for edge in plane.edges if edge.policy is not None),
        *(block(each.lines, each.box.middle[0], each.box.y, "label outside") for each in labels),
        title=say(told("Diagram of {name}", name=plane.name)),
        class_="diagram",
    )


def _labels(plane: Plane) -> Iterator[Label]:
    labels = Labels()
    for node in plane.nodes:
        if not node.is_open:
            labels.put_down(node.box, 10.0)
    for edge in plane.edges:
        labels.put_down_line(edge.points)
    for extra in plane.extras:
        if extra.box is not None and extra.kind != "group":
            labels.put_down(extra.box, 6.0)
    for node in plane.nodes:
        if node.element.kind not in ACTIVITIES and node.element.name:
            yield labels.placed([node.element.name], node.label) or labels.beside(node.element.name, node.box)
    for edge in plane.edges:
        lines = [edge.name] if edge.name else []
        lines += [times(edge.taken)] if edge.taken > 1 else []
        if lines:
            yield labels.placed(lines, edge.label) or labels.along(lines, edge.points)


def _edge(edge: Edge, key: str, say: Say) -> Markup:
    class_ = "flow message" if edge.kind == "message" else "flow taken" if edge.taken else "flow"
    start, end = _heads(edge)
    return tag(
        "path",
        tag("title", say(_taken(edge))) if edge.taken else "",
        d=line_through(edge.points, _BEND),
        class_=class_,
        marker_start=start and f"url(#{key}-{start})",
        marker_end=f"url(#{key}-{end})",
    )


def _taken(edge: Edge) -> str:
    return told("{flow}: taken {times}", flow=edge.name or told("Flow"), times=times(edge.taken))


def _badge(edge: Edge) -> Markup:
    """The policy written on a flow, at the middle of its way."""
    number_ = edge.policy.number if edge.policy is not None else None
    return tag("g", at(shield(own=True), *middle_of(edge.points)), data_policy=number_, class_="node", tabindex=0)


def _heads(edge: Edge) -> tuple[str | None, str]:
    """What stands at its beginning and its end."""
    if edge.kind == "message":
        return "circle", "arrow-open"
    start = "slash" if edge.is_default else "diamond" if edge.is_conditional else None
    return start, "arrow-taken" if edge.taken else "arrow"


def _ends(key: str) -> Markup:
    return tag("defs", join(_end(key, name, d, at) for name, (d, at) in _HEADS.items()))


def _end(key: str, name: str, d: str, at: float) -> Markup:
    return tag(
        "marker",
        tag("path", d=d, class_=f"end-{name}"),
        id=f"{key}-{name}",
        viewBox="-3 0 18 12",
        refX=at,
        refY=6,
        markerWidth=13.5,
        markerHeight=9,
        markerUnits="userSpaceOnUse",
        orient="auto",
    )
