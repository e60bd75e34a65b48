"""Drawing functions: well-formed, escaped, and legible."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from bpmn.definition import AgentConfig, Element, EventDefinition, LoopCharacteristics, Scope
from bpmn.reader.kinds import ACTIVITIES, FLOW_NODES
from engine.report.draw.axes import brief, steps
from engine.report.draw.diagram import draw_plane
from engine.report.draw.icons import event_icon, gateway_icon, marker, task_icon
from engine.report.draw.labels import Labels
from engine.report.draw.lanes import draw_crossing
from engine.report.draw.lettering import width, wrap
from engine.report.draw.svg import line_through, tag
from engine.report.geometry import Box, around
from engine.report.model.branches import Crossing, Line
from engine.report.model.diagram import Band, Edge, Node, Plane
from engine.report.model.policies import PolicyView

EVENTS = (
    "message", "timer", "signal", "error", "escalation", "conditional", "terminate", "link", "compensation", "cancel",
    "multiple",
)  # fmt: skip
HOSTILE = """<script>alert(1)</script>"'&{{7*7}}\u202e\x00"""


def drawn(*nodes: Node, edges: tuple[Edge, ...] = (), bands: tuple[Band, ...] = ()) -> ElementTree.Element:
    plane = Plane(name=HOSTILE, is_own=True, nodes=list(nodes), edges=list(edges), bands=list(bands))
    return ElementTree.fromstring(draw_plane(plane, "d0", lambda node: (1, HOSTILE)))


def node(kind: str, **fields: object) -> Node:
    element = Element(id="x", kind=kind, name=HOSTILE, **fields)  # type: ignore[arg-type]
    return Node(element=element, box=Box(0, 0, 100, 80), visits=2, score=0.5, policy=PolicyView(0, "own", ()))


@pytest.mark.parametrize("kind", sorted(FLOW_NODES))
def test_every_kind_of_node_is_drawn(kind: str) -> None:
    root = drawn(node(kind))
    text = "".join(root.itertext())
    assert "alert(1)" in text
    assert not root.findall(".//script")
    assert root.get("viewBox")


@pytest.mark.parametrize("thrown", [True, False])
@pytest.mark.parametrize("kind", EVENTS)
def test_every_kind_of_event_has_an_icon(kind: str, thrown: bool) -> None:
    icon = event_icon(kind, thrown=thrown)
    assert icon is not None
    ElementTree.fromstring(f"<svg>{icon}</svg>")
    drawn(node("intermediateThrowEvent" if thrown else "boundaryEvent", event=EventDefinition(kind="timer")))


def test_tasks_gateways_and_markers_have_icons() -> None:
    with_icon = {kind for kind in ACTIVITIES if task_icon(kind, agent=False) is not None}
    assert with_icon == {
        "userTask", "manualTask", "scriptTask", "serviceTask", "businessRuleTask", "sendTask", "receiveTask",
    }  # fmt: skip
    assert task_icon("task", agent=True) is not None
    kinds = ("exclusiveGateway", "parallelGateway", "inclusiveGateway", "complexGateway", "eventBasedGateway")
    assert len({gateway_icon(kind) for kind in kinds}) == 5
    names = ("standard", "parallel", "sequential", "compensation", "adHoc", "collapsed")
    assert len({marker(name) for name in names}) == 6


def test_what_differs_in_bpmn_is_drawn_differently() -> None:
    loop = LoopCharacteristics(kind="parallel")
    variants = [
        node("task"),
        node("task", loop=loop),
        node("task", agent=AgentConfig()),
        node("callActivity"),
        node("subProcess", scope=Scope()),
        node("subProcess", scope=Scope(), triggered_by_event=True),
        node("transaction", scope=Scope()),
        node("boundaryEvent", attached_to="y", event=EventDefinition(kind="timer")),
        node("boundaryEvent", attached_to="y", event=EventDefinition(kind="timer"), interrupting=False),
        node("startEvent"),
        node("endEvent"),
        Node(element=Element(id="x", kind="task"), box=Box(0, 0, 100, 80), waits=True),
        Node(element=Element(id="x", kind="task"), box=Box(0, 0, 100, 80), failed=True),
    ]
    assert len({ElementTree.tostring(drawn(each)) for each in variants}) == len(variants)


def test_pools_lanes_and_flows_are_drawn() -> None:
    bands = (
        Band(id="pool", name=HOSTILE, box=Box(0, 0, 800, 300), is_pool=True, policy=PolicyView(3, "own", ())),
        Band(id="lane", name="Lane", box=Box(30, 0, 770, 300)),
        Band(id="empty", name="Others", box=Box(0, 400, 800, 60), is_pool=True, is_empty=True),
    )
    edges = (
        Edge(id="a", points=((0, 0), (50, 0), (50, 50)), name=HOSTILE, taken=3, is_default=True),
        Edge(id="b", points=((0, 0), (50, 50)), is_conditional=True),
        Edge(id="c", points=((0, 0), (0, 90)), kind="message"),
    )
    root = drawn(node("task"), edges=edges, bands=bands)
    paths = [path for path in root.iter("path") if path.get("marker-end")]
    assert [path.get("class") for path in paths] == ["flow", "flow message", "flow taken"]
    turned = [group for group in root.iter("g") if "rotate" in (group.get("transform") or "")]
    assert len(turned) == 2


def test_nothing_that_is_put_in_becomes_markup() -> None:
    made = tag("text", HOSTILE, Markup("<b/>"), title=HOSTILE, x=1.25, absent=None)
    root = ElementTree.fromstring(made)
    assert root.get("x") == "1.2"
    assert "absent" not in root.attrib
    assert root.get("title") == (root.text or "") == """<script>alert(1)</script>"'&{{7*7}}\\u202e\\x00"""
    assert [child.tag for child in root] == ["b"]


def test_text_breaks_between_words_and_is_cut_where_there_is_no_room() -> None:
    assert wrap("Draft customer update", 60, 3) == ["Draft", "customer", "update"]
    assert all(width(line) <= 60 for line in wrap("Donaudampfschifffahrtsgesellschaft", 60, 9))
    cut = wrap("one two three four five six seven", 40, 2)
    assert (len(cut), cut[-1][-1]) == (2, "…")
    assert width("审批客户") == pytest.approx(48)
    assert wrap("", 50, 2) == []
    assert wrap("post-mortem_of_the_day", 70, 5)[0] == "post-"


def test_labels_keep_clear_of_nodes_and_of_each_other() -> None:
    labels = Labels()
    boxes = [Box(0, 0, 36, 36), Box(60, 0, 36, 36), Box(-40, 40, 120, 60)]
    for box in boxes:
        labels.put_down(box, 10)
    labels.put_down_line([(18, 0), (18, -60)])
    first = labels.beside("Alert fired", boxes[0]).box
    second = labels.beside("Alert fired again", boxes[1]).box
    assert not any(label.meets(box) for label in (first, second) for box in boxes)
    assert not first.meets(second)
    assert not first.holds((18, -10))


def test_the_names_of_flows_on_one_way_stand_beside_each_other() -> None:
    labels, way = Labels(), [(0.0, 0.0), (200.0, 0.0)]
    placed = [labels.along(["approved"], way).box for _ in range(3)]
    assert not any(one.meets(other) for one, other in combinations(placed, 2))


def test_a_row_of_lanes_draws_lines_forks_and_joins() -> None:
    lines = (Line(0, True, True), Line(1, True, False), Line(2, False, True), Line(3, True, True, waits=True))
    crossing = Crossing(0, lines, forks=(4,), joins=(5,))
    root = ElementTree.fromstring(draw_crossing(crossing, 6, "D2"))
    assert [line.get("y2") for line in root.findall("line")] == ["100%", "17", "100%", "100%"]
    assert len(root.findall("g/path")) == 1
    assert len({draw_crossing(crossing, 6, kind) for kind in ("D1", "D2", "D3", "person", "activity")}) == 5


def test_bends_are_rounded_and_numbers_short() -> None:
    assert line_through([(0, 0), (10, 0), (10, 20)], 4) == "M0,0L6,0Q10,0 10,4L10,20"
    assert line_through([(0, 0), (0.04, 3.14159)]) == "M0,0L0,3.1"


def test_steps_of_axes_are_round() -> None:
    assert steps(102_589) == [0, 25_000, 50_000, 75_000, 100_000, 125_000]
    assert steps(0) == [0.0, 1.0]
    assert [brief(value) for value in (0, 250, 25_000, 1_500_000)] == ["0", "250", "25k", "1.5M"]


def test_boxes() -> None:
    box = Box(0, 0, 100, 80)
    assert box.border((200, 40)) == (100, 40)
    assert box.border((50, 500)) == (50, 80)
    assert around([], []) == Box(0, 0, 0, 0)
    assert around([box], [(200, -10)], 5) == Box(-5, -15, 210, 100)
