"""The passes: what people draw becomes what the engine runs, with all ids kept."""

from __future__ import annotations

from bpmn.definition import Element, EventDefinition, Flow
from bpmn.rewrite.run import rewrite
from tests.bpmn.files import chain, definition, element, flow, flows, loaded, process

START, END = '<startEvent id="s"/>', '<endEvent id="e"/>'


def notes(data: bytes) -> list[tuple[str, str]]:
    """What the passes did."""
    return [(note.rewrite, note.element) for note in loaded(data).notes]


def test_a_file_in_order_is_left_alone() -> None:
    assert loaded(chain('<task id="a"/>')).notes == ()


def test_missing_ends_become_end_events() -> None:
    data = process(f'{START}<task id="a"/>' + flow("f", "s", "a"))
    scope = definition(data).processes["p"].scope
    end = scope.elements["a_end"]
    assert (end.kind, end.event, end.incoming) == ("endEvent", EventDefinition(kind="none"), ("a_to_end",))
    assert scope.flows["a_to_end"] == Flow(id="a_to_end", source="a", target="a_end", line=3)
    assert scope.elements["a"].outgoing == ("a_to_end",)
    assert notes(data) == [("missing-end", "a")]


def test_ends_are_put_into_sub_processes_too_but_not_into_tool_boxes() -> None:
    inner = f'<startEvent id="i"/><task id="t"/>{flow("x", "i", "t")}'
    assert notes(chain(f'<subProcess id="a">{inner}</subProcess>')) == [("missing-end", "t")]
    assert notes(chain('<adHocSubProcess id="a"><task id="t"/></adHocSubProcess>')) == []


def test_an_event_sub_process_leads_nowhere() -> None:
    data = process(f'{START}{END}<subProcess id="u" triggeredByEvent="true"><startEvent id="i"/><endEvent id="j"/>'
                   + flow("x", "i", "j") + "</subProcess>" + flow("f", "s", "e"))  # fmt: skip
    assert notes(data) == []


def test_several_flows_out_of_a_task_are_a_parallel_split() -> None:
    data = process(
        f'{START}<task id="a"/>{END}<endEvent id="e2"/>'
        + flow("f", "s", "a")
        + flow("g1", "a", "e")
        + flow("g2", "a", "e2")
    )
    scope = definition(data).processes["p"].scope
    assert scope.elements["a"].outgoing == ("a_to_split",)
    gateway = scope.elements["a_split"]
    assert (gateway.kind, gateway.incoming, gateway.outgoing) == ("parallelGateway", ("a_to_split",), ("g1", "g2"))
    assert {scope.flows[name].source for name in ("g1", "g2")} == {"a_split"}
    assert scope.flows["a_to_split"] == Flow(id="a_to_split", source="a", target="a_split", line=3)
    assert scope.elements["e"].incoming == ("g1",)
    assert notes(data) == [("implicit-split", "a")]


def test_flows_with_conditions_are_an_inclusive_split() -> None:
    data = process(
        f'{START}<task id="a" default="g2"/>{END}<endEvent id="e2"/>'
        + flow("f", "s", "a")
        + flow("g1", "a", "e", "x")
        + flow("g2", "a", "e2")
    )
    gateway = element(data, "a_split")
    assert (gateway.kind, gateway.default) == ("inclusiveGateway", "g2")
    assert element(data).default is None
    found = flows(data)
    assert found["g2"].is_default
    assert found["g1"].condition is not None


def test_a_start_event_may_split() -> None:
    data = process(f"{START}{END}<endEvent id='e2'/>" + flow("f1", "s", "e") + flow("f2", "s", "e2"))
    assert element(data, "s_split").outgoing == ("f1", "f2")


def test_several_flows_into_a_task_stay() -> None:
    data = process(
        f'{START}<parallelGateway id="g"/><task id="a"/>{END}'
        + flow("f", "s", "g")
        + flow("g1", "g", "a")
        + flow("g2", "g", "a")
        + flow("h", "a", "e")
    )
    assert element(data).incoming == ("g1", "g2")
    assert notes(data) == []


def test_the_only_flow_without_a_condition_is_the_default() -> None:
    data = process(
        f'{START}<exclusiveGateway id="g"/>{END}<endEvent id="e2"/>'
        + flow("f", "s", "g")
        + flow("g1", "g", "e")
        + flow("g2", "g", "e2", "x")
    )
    assert element(data, "g").default == "g1"
    assert flows(data)["g1"].is_default
    assert notes(data) == [("default-flow", "g")]


def test_an_inclusive_gateway_keeps_flows_that_are_always_taken() -> None:
    data = process(
        f'{START}<inclusiveGateway id="g"/>{END}<endEvent id="e2"/>'
        + flow("f", "s", "g")
        + flow("g1", "g", "e")
        + flow("g2", "g", "e2", "x")
    )
    assert element(data, "g").default is None


def test_ids_that_are_taken_are_not_taken_again() -> None:
    data = process(f'{START}<task id="a"/><task id="a_end"/>' + flow("f", "s", "a") + flow("a_to_end", "s", "a_end"))
    scope = definition(data).processes["p"].scope
    assert scope.elements["a"].outgoing == ("a_to_end_2",)
    assert scope.flows["a_to_end_2"].target == "a_end_2"
    assert scope.elements["a_end"].outgoing == ("a_end_to_end",)


def test_every_id_of_the_file_is_still_there() -> None:
    data = process(
        f'{START}<task id="a"/><subProcess id="u"><startEvent id="i"/><task id="t"/>{flow("x", "i", "t")}</subProcess>'
        + flow("f1", "s", "a")
        + flow("f2", "s", "u")
    )
    found = definition(data).processes["p"].scope
    assert {"s", "a", "u"} <= set(found.elements)
    assert {"f1", "f2"} <= set(found.flows)
    inner = found.elements["u"].scope
    assert inner is not None
    assert {"i", "t"} <= set(inner.elements)


def test_rewriting_what_was_rewritten_changes_nothing() -> None:
    data = process(f'{START}<task id="a"/><task id="b"/>' + flow("f1", "s", "a") + flow("f2", "s", "b"))
    once = definition(data)
    assert rewrite(once) == (once, ())


def test_flows_and_elements_agree_after_rewriting() -> None:
    data = process(
        f'{START}<task id="a"/><task id="b"/><exclusiveGateway id="g"/>'
        + flow("f1", "s", "a")
        + flow("f2", "s", "b", None)
        + flow("f3", "a", "g", "x")
        + flow("f4", "b", "g")
    )
    scope = loaded(data).definition.processes["p"].scope
    for found in scope.elements.values():
        assert isinstance(found, Element)
        assert found.outgoing == tuple(one.id for one in scope.flows.values() if one.source == found.id)
        assert set(found.incoming) == {one.id for one in scope.flows.values() if one.target == found.id}


def test_a_link_becomes_a_flow() -> None:
    link = '<linkEventDefinition name="l"/>'
    data = process(
        START + f'<intermediateThrowEvent id="t">{link}</intermediateThrowEvent>' + END
        + f'<intermediateCatchEvent id="c">{link}</intermediateCatchEvent>' + flow("f", "s", "t") + flow("g", "c", "e")
    )  # fmt: skip
    assert notes(data) == [("link", "t")]
    (added,) = set(flows(data)) - {"f", "g"}
    assert (flows(data)[added].source, flows(data)[added].target) == ("t", "c")
    assert loaded(data).findings == ()


def test_flows_without_a_condition_beside_a_default_are_taken_whatever_the_conditions_say() -> None:
    data = process(
        f'{START}<task id="a" default="d"/>{END}' + flow("f", "s", "a") + flow("c", "a", "e", "x") + flow("d", "a", "e")
        + flow("u", "a", "e")
    )  # fmt: skip
    scope = definition(data).processes["p"].scope
    first, second = scope.elements["a_split"], scope.elements["a_split_2"]
    assert (first.kind, first.outgoing) == ("parallelGateway", ("u", second.incoming[0]))
    assert (second.kind, second.outgoing, second.default) == ("inclusiveGateway", ("c", "d"), "d")
    assert notes(data) == [("implicit-split", "a"), ("implicit-split", "a")]
