"""Planes: what is drawn where, from the file's own layout or from ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from bpmn.definition import Definition
from bpmn.load import load
from engine.names import Names
from engine.report.model.activities import Tally
from engine.report.model.diagram import Plane, Traces, planes
from engine.report.model.path import Path
from engine.report.model.policies import Policies
from tests.bpmn.files import document, policy
from tests.engine.models import boundary, edges, end, gateway, message, model, script, start, sub, user

NAMESPACES = (
    'xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" '
    'xmlns:w="http://www.omg.org/spec/DD/20100524/DI"'
)


def shape(id: str, x: float, y: float, width: float = 100, height: float = 80) -> str:
    bounds = f'<dc:Bounds x="{x}" y="{y}" width="{width}" height="{height}"/>'
    return f'<di:BPMNShape id="shape_{id}" bpmnElement="{id}">{bounds}</di:BPMNShape>'


def drawn(*shapes: str) -> str:
    plane = f'<di:BPMNPlane id="plane" bpmnElement="p">{"".join(shapes)}</di:BPMNPlane>'
    return f'<di:BPMNDiagram {NAMESPACES} id="diagram">{plane}</di:BPMNDiagram>'


def definition_of(source: bytes) -> Definition:
    return load(source, file="m.bpmn", process="p").definition


def planes_of(
    definition: Definition, *, entered: tuple[str, ...] = (), tallies: Mapping[str, Tally] | None = None
) -> list[Plane]:
    path = Path(Counter(), Counter(entered), {})
    traces = Traces(path=path, tallies=tallies or {})
    return planes(definition, "p", traces, Policies(definition, Names(definition)))


def ids(plane: Plane) -> list[str]:
    return [node.element.id for node in plane.nodes]


def test_a_file_is_drawn_as_it_is_laid_out() -> None:
    shapes = drawn(shape("s", 0, 20, 36, 36), shape("t", 100, 0), shape("e", 300, 20, 36, 36))
    [plane] = planes_of(definition_of(model(start(), script("t", "x = 1"), end(), edges("s > t > e"), beside=shapes)))
    assert plane.is_own
    assert {node.element.id: node.box[:2] for node in plane.nodes} == {"s": (0, 20), "t": (100, 0), "e": (300, 20)}
    (x, _), (to_x, _) = plane.edges[0].points
    assert (x, to_x) == (36, 100)


def test_a_file_without_layout_is_laid_out() -> None:
    [plane] = planes_of(definition_of(model(start(), script("t", "x = 1"), end(), edges("s > t > e"))))
    assert not plane.is_own
    assert ids(plane) == ["s", "t", "e"]
    assert len(plane.edges) == 2


def test_a_layout_that_is_no_drawing_is_none() -> None:
    shapes = drawn(shape("s", 1e300, 0), shape("t", 0, 0, 0, 80), shape("e", 0, 0, -5, 5))
    [plane] = planes_of(definition_of(model(start(), script("t", "x = 1"), end(), edges("s > t > e"), beside=shapes)))
    assert not plane.is_own


def test_what_a_sub_process_holds_is_drawn_in_it_where_it_has_room() -> None:
    inner = sub("box", start("s2"), user("u"), end("e2"), edges("s2 > u > e2"))
    places = (shape("box", 100, 0, 400, 200), shape("s2", 120, 80, 36, 36), shape("u", 200, 60))
    source = model(start(), inner, end(), edges("s > box > e"), beside=drawn(shape("s", 0, 80, 36, 36), *places))
    [plane] = planes_of(definition_of(source))
    assert [node.element.id for node in plane.nodes if node.is_open] == ["box"]
    assert "u" in ids(plane)


def test_what_a_closed_sub_process_holds_is_drawn_apart_once_it_was_entered() -> None:
    inner = sub("box", start("s2"), user("u"), end("e2"), edges("s2 > u > e2"))
    source = model(start(), inner, end(), edges("s > box > e"), beside=drawn(shape("s", 0, 0), shape("box", 150, 0)))
    definition = definition_of(source)
    assert [plane.name for plane in planes_of(definition)] == ["p"]
    outer, apart = planes_of(definition, entered=("s2",))
    assert (ids(outer), ids(apart)) == (["s", "box"], ["s2", "u", "e2"])
    assert (outer.is_own, apart.is_own) == (True, False)


def test_a_called_process_is_drawn_once_it_was_entered() -> None:
    called = f'<process id="q" isExecutable="true" name="Called">{start("s2")}{end("e2")}{edges("s2 > e2")}</process>'
    source = model(start(), '<callActivity id="c" calledElement="q"/>', end(), edges("s > c > e"), beside=called)
    definition = definition_of(source)
    assert len(planes_of(definition)) == 1
    assert [plane.name for plane in planes_of(definition, entered=("s2",))] == ["p", "Called"]


def test_pools_that_cover_each_other_stand_on_planes_of_their_own() -> None:
    processes = "".join(
        f'<process id="{id}" isExecutable="{str(id == "p").lower()}" name="{id}">'
        f'{start(f"s_{id}")}{end(f"e_{id}")}{edges(f"s_{id} > e_{id}")}</process>'
        for id in ("p", "q", "r")
    )
    pools = "".join(f'<participant id="pool_{id}" name="Pool {id}" processRef="{id}"/>' for id in ("p", "q", "r"))
    flow = '<messageFlow id="m" sourceRef="s_p" targetRef="s_q"/>'
    places = [shape("pool_p", 0, 0, 600, 200), shape("pool_q", 0, 300, 600, 200), shape("pool_r", 10, 10, 600, 200)]
    places += [shape(f"s_{id}", 50, y, 36, 36) for id, y in (("p", 50), ("q", 350), ("r", 60))]
    way = '<w:waypoint x="60" y="80"/><w:waypoint x="60" y="350"/>'
    drawing = drawn(*places, f'<di:BPMNEdge id="edge" bpmnElement="m">{way}</di:BPMNEdge>')
    source = document(f'<collaboration id="c">{pools}{flow}</collaboration>{processes}{drawing}')
    together, apart = planes_of(definition_of(source), entered=("s_r",))
    assert [band.name for band in together.bands] == ["Pool p", "Pool q"]
    assert [edge.kind for edge in together.edges if edge.id == "m"] == ["message"]
    assert [band.name for band in apart.bands] == ["Pool r"]


def test_a_node_has_what_happened_there() -> None:
    source = model(start(), script("t", "x = 1"), end(), edges("s > t > e"))
    tallies = {"t": Tally("t", completed=3, score=0.4, open_incidents=1)}
    [plane] = planes_of(definition_of(source), entered=("s",), tallies=tallies)
    node = next(node for node in plane.nodes if node.element.id == "t")
    assert (node.visits, node.score, node.failed) == (3, 0.4, True)
    assert {each.element.id: each.visits for each in plane.nodes} == {"s": 1, "t": 3, "e": 0}


def test_policies_say_what_is_their_own_and_what_is_inherited() -> None:
    own = policy('<gov:policy workingThreshold="900"/>')
    source = model(
        policy('<gov:policy workingThreshold="5000" compressStrategy="ARCHIVE"/>'),
        start(),
        f'<task id="t">{own}</task>',
        user("u"),
        end(),
        edges("s > t > u > e"),
    )
    [plane] = planes_of(definition_of(source))
    views = {node.element.id: node.policy for node in plane.nodes}
    assert views["t"] is not None
    assert views["u"] is not None
    assert (views["t"].badge, views["u"].badge) == ("own", "inherited")
    told = {field.name: (field.value, field.origin) for field in views["t"].fields}
    assert told["Working threshold"][0] == "900 characters"
    assert told["Working threshold"][1].startswith("written here, line")
    assert told["Compression"][0] == "ARCHIVE"
    assert told["Compression"][1].startswith("process p, line")


def test_default_and_conditional_flows_are_told_apart() -> None:
    content = (gateway("x", "exclusive", default="no"), script("t", "x = 1"), end(), end("e2"))
    source = model(start(), *content, edges("s > x", "x -a > 1-> e", "x =no=> t > e2"))
    [plane] = planes_of(definition_of(source))
    assert [edge.id for edge in plane.edges if edge.is_default] == ["no"]
    assert not any(edge.is_conditional for edge in plane.edges)


def test_a_boundary_event_is_drawn() -> None:
    content = (user("u"), boundary("b", "u", message()), end(), end("e2"))
    source = model(start(), *content, edges("s > u > e", "b > e2"), beside='<message id="m" name="m"/>')
    [plane] = planes_of(definition_of(source))
    assert "b" in ids(plane)
