"""Files that have no drawing get one that bpmn.io's tools understand; others are left alone."""

from __future__ import annotations

import pytest

from bpmn.load import load
from bpmn.namespaces import BPMNDI, qualified
from bpmn.reader.source import Limits
from bpmn.reader.xml import parse
from engine.server.designer.drawing import drawn
from tests.bpmn.files import chain, document, process

POOLS = (
    '<collaboration id="c"><participant id="us" processRef="p"/><participant id="them"/>'
    '<messageFlow id="m" sourceRef="them" targetRef="t"/></collaboration>'
    '<process id="p" isExecutable="true"><startEvent id="s"/><task id="t"/>'
    '<sequenceFlow id="f" sourceRef="s" targetRef="t"/></process>'
)


def drawn_elements(text: str) -> set[str]:
    root = parse(text.encode(), "a.bpmn", Limits())
    found = [*root.iter(qualified(BPMNDI, "BPMNShape")), *root.iter(qualified(BPMNDI, "BPMNEdge"))]
    return {each.get("bpmnElement", "") for each in found}


def test_all_nodes_and_flows_are_drawn() -> None:
    inner = '<subProcess id="t"><startEvent id="s1"/><task id="u"/><sequenceFlow id="f9" sourceRef="s1" targetRef="u"/>'
    text, is_new = drawn(chain(f"{inner}</subProcess>"), "a.bpmn")
    assert is_new
    assert drawn_elements(text) == {"s", "t", "e", "f0", "f1", "s1", "u", "f9"}


def test_pools_stand_around_their_processes() -> None:
    text, _ = drawn(document(POOLS), "a.bpmn")
    assert drawn_elements(text) == {"us", "them", "s", "t", "f", "m"}
    assert 'BPMNPlane id="c_plane" bpmnElement="c"' in text


def test_each_of_several_processes_has_a_diagram() -> None:
    beside = '<process id="q"><task id="v"/></process>'
    text, _ = drawn(process('<task id="t"/>', beside=beside), "a.bpmn")
    assert text.count("<bpmndi:BPMNDiagram ") == 2


def test_a_drawing_is_left_alone() -> None:
    text, _ = drawn(chain('<task id="t"/>'), "a.bpmn")
    assert drawn(text.encode(), "a.bpmn") == (text, False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_the_rest_of_the_file_is_as_it_was(encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n<!-- c -->'
    data = (head + chain('<task id="t" name="Größe"/>').decode()).encode(encoding)
    text, _ = drawn(data, "a.bpmn")
    closing = "</bpmndi:BPMNDiagram>\n"
    begin, end = text.index("<bpmndi:BPMNDiagram"), text.rindex(closing) + len(closing)
    assert (text[:begin] + text[end:]).encode(encoding) == data
    assert load(data, file="a.bpmn").definition.processes["p"].scope.elements["t"].name == "Größe"
