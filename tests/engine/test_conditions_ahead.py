"""The variables that conditions read which a token can still come to."""

from __future__ import annotations

import pytest

from bpmn.load import load
from engine.process_index import ProcessIndex
from tests.bpmn.files import flow, process

LOOPED = (
    '<subProcess id="sub"><standardLoopCharacteristics><loopCondition>again</loopCondition>'
    "</standardLoopCharacteristics>"
    '<startEvent id="in"/><exclusiveGateway id="x" default="d"/><task id="t"/><task id="u"/><endEvent id="out"/>'
    f'{flow("i", "in", "x")}{flow("c", "x", "t", "inner > 1")}{flow("d", "x", "u")}'
    f'{flow("k", "t", "out")}{flow("l", "u", "out")}</subProcess>'
)


def index(data: bytes) -> ProcessIndex:
    definition = load(data, file="a.bpmn").definition
    assert definition.main is not None
    return ProcessIndex(definition, definition.main)


@pytest.fixture
def looped() -> ProcessIndex:
    """A task, a sub-process that loops, a gateway behind it, and one way back to the sub-process."""
    nodes = (
        f'<startEvent id="s"/><task id="a"/>{LOOPED}<exclusiveGateway id="y" default="z"/><endEvent id="e"/>'
        f'{flow("f", "s", "a")}{flow("g", "a", "sub")}{flow("h", "sub", "y")}{flow("z", "y", "e")}'
        f'{flow("b", "y", "sub", "outer > 1")}'
    )
    return index(process(nodes.replace(" > ", " &gt; ")))


@pytest.mark.parametrize("element", ["s", "a", "t", "sub", "y"])
def test_names_are_those_ahead_on_every_way(looped: ProcessIndex, element: str) -> None:
    assert looped.names_read_after(element) == {"again", "inner", "outer"}


def test_what_lies_behind_does_not_count() -> None:
    nodes = (
        '<startEvent id="s"/><exclusiveGateway id="x" default="d"/><task id="t"/><task id="u"/><endEvent id="e"/>'
        f'{flow("i", "s", "x")}{flow("c", "x", "t", "n &gt; 1")}{flow("d", "x", "u")}'
        f'{flow("k", "t", "e")}{flow("l", "u", "e")}'
    )
    found = index(process(nodes))
    assert found.names_read_after("s") == {"n"}
    assert found.names_read_after("x") == {"n"}
    assert found.names_read_after("t") == frozenset()
