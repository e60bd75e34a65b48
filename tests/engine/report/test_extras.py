"""What a diagram shows beside flow nodes: annotations, groups, data, names in their places, policies on flows."""

from __future__ import annotations

from bpmn.codec import from_json, to_json
from bpmn.definition import Artifact
from bpmn.load import load
from engine.names import Names
from engine.report.draw.diagram import draw_plane
from engine.report.draw.labels import Labels
from engine.report.geometry import Box, middle_of
from engine.report.model.policies import Policies
from tests.bpmn.files import document, policy
from tests.engine.models import edges, end, model, script, start
from tests.engine.report.test_diagram import definition_of, drawn, planes_of, shape

BESIDE = (
    '<textAnnotation id="note"><text>Mind the gap</text></textAnnotation><group id="g" categoryValueRef="cv"/>'
    '<dataObject id="d"/><dataObjectReference id="ref" name="Order" dataObjectRef="d"/>'
    '<association id="a" sourceRef="t" targetRef="note"/>'
)
CATEGORY = '<category id="cat"><categoryValue id="cv" value="Back office"/></category>'
LAID_OUT = (
    shape("s", 0, 20, 36, 36), shape("t", 100, 0), shape("e", 300, 20, 36, 36), shape("note", 100, 120, 90, 40),
    shape("g", -20, -20, 400, 200), shape("ref", 220, 110, 36, 50),
    '<di:BPMNEdge id="edge_a" bpmnElement="a"><w:waypoint x="150" y="80"/><w:waypoint x="150" y="120"/></di:BPMNEdge>',
)


def source(*more: str, beside: str = "") -> bytes:
    return model(start(), script("t", "x = 1"), end(), edges("s > t > e"), BESIDE, *more, beside=CATEGORY + beside)


def test_artifacts_are_read_with_their_names_and_where_they_stand() -> None:
    found = definition_of(source()).artifacts
    assert found["note"] == Artifact(id="note", kind="textAnnotation", name="Mind the gap", holder="p")
    assert found["g"] == Artifact(id="g", kind="group", name="Back office", holder="p")
    assert found["ref"] == Artifact(id="ref", kind="dataObject", name="Order", holder="p")
    assert found["a"].kind == "association"


def test_artifacts_come_back_from_json() -> None:
    definition = definition_of(source(beside=drawn(*LAID_OUT)))
    assert from_json(to_json(definition)) == definition


def test_artifacts_change_no_result_and_are_drawn_where_the_file_places_them() -> None:
    [plane] = planes_of(definition_of(source(beside=drawn(*LAID_OUT))))
    kinds = {extra.kind: extra for extra in plane.extras}
    assert set(kinds) == {"textAnnotation", "group", "dataObject", "association"}
    assert kinds["dataObject"].box == Box(220, 110, 36, 50)
    svg = draw_plane(plane, "d0", lambda _: (0, ""))
    for text in ("Mind the gap", "Back office", "Order"):
        assert text in svg
    assert 'class="extra association"' in svg


def test_what_stands_in_another_process_is_not_drawn_here() -> None:
    note = '<textAnnotation id="far"><text>far</text></textAnnotation>'
    other = f'<process id="q" isExecutable="false">{start("s2")}{note}</process>'
    [plane] = planes_of(definition_of(source(beside=other + drawn(*LAID_OUT, shape("far", 0, 0)))))
    assert "far" not in [extra.name for extra in plane.extras]


def test_an_annotation_of_a_collaboration_is_drawn_with_its_pools() -> None:
    process = f'<process id="p" isExecutable="true">{start()}{end()}{edges("s > e")}</process>'
    note = '<textAnnotation id="note"><text>Both</text></textAnnotation>'
    pools = f'<collaboration id="c"><participant id="pool" processRef="p"/>{note}</collaboration>'
    places = drawn(shape("pool", 0, 0, 500, 200), shape("s", 50, 50, 36, 36), shape("note", 60, 210))
    [plane] = planes_of(definition_of(document(pools + process + places)))
    assert [extra.name for extra in plane.extras] == ["Both"]


def test_a_name_stands_where_the_file_places_it() -> None:
    label = '<di:BPMNLabel><dc:Bounds x="400" y="70" width="50" height="14"/></di:BPMNLabel>'
    bounds = '<dc:Bounds x="300" y="20" width="36" height="36"/>'
    event = f'<di:BPMNShape id="shape_e" bpmnElement="e">{bounds}{label}</di:BPMNShape>'
    definition = definition_of(
        model(start(), script("t", "x = 1"), '<endEvent id="e" name="Over"/>', edges("s > t > e"),
              beside=drawn(*LAID_OUT[:2], event))
    )
    [plane] = planes_of(definition)
    [node] = [node for node in plane.nodes if node.element.id == "e"]
    assert node.label == Box(400, 70, 50, 14)
    assert 'x="425"' in draw_plane(plane, "d0", lambda _: (0, ""))


def test_a_place_that_covers_a_node_is_not_taken() -> None:
    labels = Labels()
    labels.put_down(Box(0, 0, 100, 80), 10.0)
    assert labels.placed(["Name"], Box(20, 20, 50, 14)) is None
    assert labels.placed(["Name"], Box(20, 100, 50, 14)) is not None


def test_a_policy_on_a_flow_has_a_badge_and_its_fields() -> None:
    split = '<gov:policy><gov:branchStrategy split="ISOLATED"/></gov:policy>'
    flow = f'<sequenceFlow id="f" sourceRef="s" targetRef="e">{policy(split)}</sequenceFlow>'
    definition = load(model(start(), end(), flow, beside=drawn(*LAID_OUT[::2])), file="m.bpmn", process="p").definition
    policies = Policies(definition, Names(definition))
    view = policies.on("f")
    assert view is not None
    assert [(field.name, field.value) for field in view.fields] == [("Branches see", "ISOLATED")]
    [plane] = planes_of(definition)
    assert plane.edges[0].policy is not None
    assert f'data-policy="{plane.edges[0].policy.number}"' in draw_plane(plane, "d0", lambda _: (0, ""))


def test_the_middle_of_a_way_is_half_its_length_along() -> None:
    assert middle_of([(0, 0), (10, 0), (10, 30)]) == (10, 10)
    assert middle_of([(5, 5), (5, 5)]) == (5, 5)
