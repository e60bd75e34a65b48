"""What the reader makes of elements, flows, lanes, pools and drawings."""

from __future__ import annotations

import pytest

from bpmn.definition import Expression, Lane, Participant, Shape
from tests.bpmn.files import chain, definition, document, element, finding, flow, flows, loaded, process, rules
from tests.bpmn.rule_shapes import standard, undone

SECOND = '<task id="h2" isForCompensation="true"/><association id="x2" sourceRef="b" targetRef="h2"/>'
ENDS = '<startEvent id="s"/><endEvent id="e"/>'
DI = (
    'xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"'
    ' xmlns:di="http://www.omg.org/spec/DD/20100524/DI"'
)


def beside_task(artifact: str) -> bytes:
    return process(ENDS + artifact + flow("f", "s", "e"))


def test_elements_and_flows_in_file_order() -> None:
    data = process(
        flow("f2", "a", "e")
        + '<endEvent id="e"/>'
        + flow("f1", "s", "a")
        + '<task id="a" name="Do it"><documentation>One.</documentation><documentation>Two.</documentation></task>'
        + '<startEvent id="s"/>'
    )
    scope = definition(data).processes["p"].scope
    assert list(scope.elements) == ["e", "a", "s"]
    assert list(scope.flows) == ["f2", "f1"]
    assert (scope.elements["a"].name, scope.elements["a"].documentation) == ("Do it", "One.\n\nTwo.")
    assert (scope.elements["a"].incoming, scope.elements["a"].outgoing) == (("f1",), ("f2",))
    assert (scope.flows["f1"].source, scope.flows["f1"].target) == ("s", "a")


def test_flows_count_not_the_redundant_references() -> None:
    """`incoming` and `outgoing` children may be left out, all or some."""
    assert element(chain('<task id="a"><incoming>f0</incoming></task>')).outgoing == ("f1",)


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("<incoming>f1</incoming>", "the flow's targetRef is e"),
        ("<outgoing>zzz</outgoing>", "there is no such flow"),
    ],
)
def test_redundant_references_may_not_say_otherwise(reference: str, told: str) -> None:
    found = finding(chain(f'<task id="a">{reference}</task>'), "sequence-flow")
    assert (found.element, found.severity) == ("a", "error")
    assert told in found.message


@pytest.mark.parametrize(
    ("data", "rule", "element_id"),
    [
        (standard(process(ENDS + '<sequenceFlow id="f" sourceRef="s" targetRef="e" isImmediate="false"/>')),
         "sequence-flow", "f"),
        (standard(process(ENDS + flow("f", "s", "e", "x > 1"))), "sequence-flow", "f"),
        (beside_task('<dataObjectReference id="x" dataObjectRef="no"/>'), "dangling-reference", "x"),
        (chain('<serviceTask id="a" operationRef="no"/>'), "dangling-reference", "a"),
        (beside_task('<dataStoreReference id="x" dataStoreRef="s"/>'), "dangling-reference", "x"),
        (beside_task('<group id="x" categoryValueRef="no"/>'), "dangling-reference", "x"),
        (beside_task('<association id="x" sourceRef="s" targetRef="no"/>'), "dangling-reference", "x"),
        (process(ENDS + flow("f", "s", "e"), attributes='definitionalCollaborationRef="no"'),
         "dangling-reference", "p"),
        (undone(more=SECOND), "several-handlers", "b"),
        (chain('<subProcess id="a"><ioSpecification><inputSet/><outputSet/></ioSpecification><task id="t"/>'
               "</subProcess>"), "data", "a"),
        (chain('<task id="a"/>', beside='<property id="x"/>'), "data", "x"),
        (chain('<task id="a"><ioSpecification><dataInput id="i"/><inputSet><dataInputRefs>s</dataInputRefs></inputSet>'
               "</ioSpecification></task>"), "dangling-reference", "a"),
        (chain('<task id="a"><dataOutputAssociation><sourceRef>s</sourceRef></dataOutputAssociation></task>'),
         "dangling-reference", "a"),
        (chain('<task id="a"/>', beside='<message id="m" itemRef="s"/>'), "dangling-reference", "m"),
    ],
)  # fmt: skip
def test_what_refers_to_the_wrong_kind_of_thing(data: bytes, rule: str, element_id: str) -> None:
    found = finding(data, rule)
    assert (found.element, found.severity) == (element_id, "error")


@pytest.mark.parametrize(
    "flows", ['<sequenceFlow id="f" sourceRef="s" targetRef="e" isImmediate="false"/>', flow("f", "s", "e", "x > 1")]
)
def test_what_engines_run_all_the_same_is_told_in_their_files(flows: str) -> None:
    assert [each.severity for each in loaded(process(ENDS + flows)).findings] == ["warning"]


def test_what_is_not_marked_as_executable_need_not_be_immediate() -> None:
    slow = '<sequenceFlow id="f" sourceRef="s" targetRef="e" isImmediate="false"/>'
    found = loaded(standard(process(ENDS + slow, attributes="")))
    assert [each.severity for each in found.findings if each.rule == "sequence-flow"] == ["warning"]


def test_what_is_imported_may_be_referred_to() -> None:
    task = '<serviceTask id="a" xmlns:other="urn:other" operationRef="other:ask" gov:jobType="x"/>'
    assert not loaded(chain(task)).errors


def test_lines() -> None:
    data = process('<startEvent id="s"/>\n\n<task id="a"/>\n' + flow("f", "s", "a"))
    assert element(data).line == 5
    assert flows(data)["f"].line == 6


def test_lines_beyond_65535() -> None:
    data = process('<startEvent id="s"/>' + "\n" * 70_000 + '<task id="a"/>' + flow("f", "s", "a"))
    line = element(data).line
    assert line is not None
    assert abs(line - 70_003) <= 1  # Beyond that line the parser knows it by what stands around the element.


def test_conditions_keep_their_language_and_line() -> None:
    data = process(
        '<startEvent id="s"/><exclusiveGateway id="g" default="f2"/><endEvent id="e"/>'
        + flow("f0", "s", "g")
        + flow("f1", "g", "e", "\n  x &gt; 1  ")
        + flow("f2", "g", "e", " ")
        + '<sequenceFlow id="f3" sourceRef="g" targetRef="e">'
        '<conditionExpression language="python">y</conditionExpression></sequenceFlow>'
    )
    found = flows(data)
    assert found["f1"].condition == Expression(text="x > 1", line=4)
    assert found["f2"].condition is None
    assert found["f2"].is_default
    assert found["f3"].condition == Expression(text="y", language="python", line=4)


def test_the_language_of_the_whole_file() -> None:
    content = (
        '<process id="p"><startEvent id="s"/><exclusiveGateway id="g"/><endEvent id="e"/>'
        + flow("f0", "s", "g")
        + flow("f1", "g", "e", "x")
        + "</process>"
    )
    declared = loaded(document(content, attributes='expressionLanguage="urn:python"')).definition
    assert declared.processes["p"].scope.flows["f1"].condition == Expression(text="x", language="urn:python", line=2)
    default = document(content, attributes='expressionLanguage="http://www.w3.org/1999/XPath"')
    assert flows(default)["f1"].condition == Expression(text="x", line=2)


def test_scripts_are_not_indented() -> None:
    script = "<script>\n\n      if x:\n        y = 1\n      </script>"
    found = element(chain(f'<scriptTask id="a" scriptFormat="python">{script}</scriptTask>')).script
    assert found is not None
    assert (found.text, found.language, found.line) == ("if x:\n  y = 1", "python", 6)


def test_sub_processes_nest() -> None:
    data = chain(f'<subProcess id="a"><startEvent id="i"/><task id="t"/>{flow("x", "i", "t")}</subProcess>')
    scope = element(data).scope
    assert scope is not None
    assert list(scope.elements) == ["i", "t", "t_end"]
    assert element(chain('<task id="a"/>')).scope is None


def test_ids_are_made_up_where_they_are_missing() -> None:
    data = process('<startEvent id="s"/><task id="task_1"/><sequenceFlow sourceRef="s" targetRef="task_1"/><task/>')
    scope = loaded(data).definition.processes["p"].scope
    assert scope.elements["s"].outgoing == ("sequenceFlow_1",)
    assert [identifier for identifier in scope.elements if identifier.startswith("task_")] == [
        "task_1",
        "task_1_end",
        "task_2",
        "task_2_end",
    ]


def test_white_space_around_ids_is_no_part_of_them() -> None:
    data = process('<startEvent id=" s "/><task id="a "/><sequenceFlow id="f" sourceRef="s" targetRef=" a"/>')
    assert element(data).incoming == ("f",)


def test_ids_and_names_in_any_script() -> None:
    data = chain('<task id="έλεγχος" name="审批 🚀&#10;two"/>')
    assert element(data, "έλεγχος").name == "审批 🚀\ntwo"


def test_lanes() -> None:
    data = process(
        '<laneSet><lane id="l1" name="Sales"><flowNodeRef>s</flowNodeRef><flowNodeRef>a</flowNodeRef><childLaneSet>'
        '<lane id="l2"><flowNodeRef>a</flowNodeRef></lane></childLaneSet></lane></laneSet>'
        '<startEvent id="s"/><userTask id="a"/>' + flow("f", "s", "a")
    )
    lanes = definition(data).processes["p"].lanes
    assert lanes["l1"] == Lane(id="l1", name="Sales", elements=("s", "a"), line=3)
    assert lanes["l2"] == Lane(id="l2", parent="l1", elements=("a",), line=3)
    assert (element(data, "s").lane, element(data, "a").lane) == ("l1", "l2")


def test_pools_and_message_flows() -> None:
    data = chain(
        '<task id="a"/>',
        beside='<collaboration id="c"><participant id="x" name="We" processRef="t:p"/><participant id="y"/>'
        '<messageFlow id="m" sourceRef="y" targetRef="a"/></collaboration>',
    )
    found = definition(data)
    assert found.participants == {
        "x": Participant(id="x", name="We", process="p"),
        "y": Participant(id="y"),
    }
    assert (found.message_flows["m"].source, found.message_flows["m"].target) == ("y", "a")


def test_the_drawing_is_kept_and_what_is_wrong_in_it_is_left_out() -> None:
    drawing = (
        f"<bpmndi:BPMNDiagram {DI}><bpmndi:BPMNPlane>"
        '<bpmndi:BPMNShape bpmnElement="a"><dc:Bounds x="1" y="2.5" width="100" height="80"/></bpmndi:BPMNShape>'
        '<bpmndi:BPMNShape bpmnElement="a"><dc:Bounds x="9" y="9" width="9" height="9"/></bpmndi:BPMNShape>'
        '<bpmndi:BPMNShape bpmnElement="s"><dc:Bounds x="NaN" y="1" width="1" height="1"/></bpmndi:BPMNShape>'
        '<bpmndi:BPMNShape bpmnElement="e"><dc:Bounds x="left" y="1"/></bpmndi:BPMNShape>'
        '<bpmndi:BPMNEdge bpmnElement="f0"><di:waypoint x="1" y="2"/><di:waypoint x="3" y="4"/></bpmndi:BPMNEdge>'
        "</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>"
    )
    assert definition(chain('<task id="a"/>', beside=drawing)).layout == {
        "a": Shape(bounds=(1, 2.5, 100, 80)),
        "f0": Shape(waypoints=((1, 2), (3, 4))),
    }


def test_duplicate_ids() -> None:
    data = process('<startEvent id="s"/>\n<task id="a"/>\n<userTask id="a"/>' + flow("f", "s", "a"))
    found = finding(data, "duplicate-id")
    assert (found.severity, found.element, found.line) == ("error", "a", 5)
    assert found.found == "a second userTask, after the task on line 4"


def test_an_id_is_used_once_in_the_whole_file() -> None:
    other = '<process id="q"><startEvent id="s"/></process>'
    assert "duplicate-id" in rules(loaded(chain(beside=other)).findings)
    assert "duplicate-id" in rules(loaded(chain(beside='<message id="s"/>')).findings)
    assert "duplicate-id" not in rules(loaded(chain(beside='<textAnnotation id="s"/>')).findings)


def test_elements_of_other_namespaces_are_no_flow_nodes() -> None:
    data = process('<startEvent id="s"/><zeebe:task id="z"/><endEvent id="e"/>' + flow("f", "s", "e"))
    assert set(definition(data).processes["p"].scope.elements) == {"s", "e"}
