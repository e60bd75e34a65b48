"""Each rule finds what it is for, names the element, and leaves models alone that are right."""

from __future__ import annotations

import pytest

from bpmn.check.catalogue import RULES
from tests.bpmn.files import chain, finding, flow, loaded, policy, process, rules
from tests.bpmn.rule_models import RIGHT, WRONG
from tests.bpmn.rule_shapes import END, MESSAGE, START, approving, decision, merging


@pytest.mark.parametrize(("rule", "data", "element", "found"), WRONG)
def test_a_rule_finds(rule: str, data: bytes, element: str, found: str | None) -> None:
    problem = finding(data, rule)
    assert (problem.element, problem.found) == (element, found)
    assert problem.line is not None
    assert problem.severity == {one.code: one.severity for one in RULES}[rule]


@pytest.mark.parametrize(("rule", "data"), RIGHT)
def test_a_rule_leaves_alone_what_is_right(rule: str, data: bytes) -> None:
    assert rule not in rules(loaded(data, rules=(rule,)).findings)


def test_every_rule_is_tested_both_ways() -> None:
    codes = [rule.code for rule in RULES]
    assert len(set(codes)) == len(codes)
    assert set(codes) == {rule for rule, *_ in WRONG} == {rule for rule, _ in RIGHT}


def test_missing_conditions_are_named_flow_by_flow() -> None:
    found = loaded(decision(flow("g1", "g", "x"), flow("g2", "g", "y"))).findings
    assert [one.element for one in found if one.rule == "missing-condition"] == ["g1", "g2"]
    data = decision(flow("g1", "g", "x"), flow("g2", "g", "y"), default="g2")
    assert finding(data, "missing-condition").element == "g1"


def test_a_wrong_script_is_shown_where_it_stands() -> None:
    data = chain('<scriptTask id="a">\n<script>\n\nx = 1\ny = (\n</script></scriptTask>')
    problem = finding(data, "script")
    assert problem.line == 8


def test_a_retained_key_misspelt_gets_the_near_match() -> None:
    data = chain('<task id="a" gov:retainKeys="clame"/>', '<scriptTask id="b"><script>claim = 1</script></scriptTask>')
    problem = finding(data, "retain-key")
    assert "did you mean claim?" in problem.message
    assert problem.severity == "warning"


def test_a_time_that_is_missing_is_told_once_where_it_is_written() -> None:
    asked = policy(approving('escalateTo="boss"'))
    tasks = '<task id="a"/><task id="b"/>'
    data = process(f"{asked}{START}{tasks}{END}" + flow("f", "s", "a") + flow("g", "a", "b") + flow("h", "b", "e"))
    problem = finding(data, "approval-default")
    assert (problem.element, problem.line, problem.found) == ("p", 3, "escalateTo=boss")
    assert "no time is given" in problem.message


@pytest.mark.parametrize(
    ("where", "is_told"), [("t", False), ("a", True), ("c", True), ("k", True), ("v", False), ("z", True)]
)
def test_a_strategy_counts_between_a_join_and_its_split(where: str, is_told: bool) -> None:
    """t | g | a | k: h | c v: b(boundary of a) -> z | j; v stands behind the join."""
    kinds = {"t": "task", "a": "task", "c": "task", "d": "task", "v": "task", "z": "task", "k": "subProcess"}
    written = "".join(
        f'<{kind} id="{name}">{policy(merging("HUMAN")) if name == where else ""}</{kind}>'.replace(
            "</subProcess>", '<startEvent id="ks"/></subProcess>'
        )
        for name, kind in kinds.items()
    )
    gateways = "".join(f'<parallelGateway id="{name}"/>' for name in "ghj")
    late = '<boundaryEvent id="l" attachedToRef="a" cancelActivity="false"><errorEventDefinition/></boundaryEvent>'
    ways = ("st", "tg", "ga", "aj", "gk", "kh", "hc", "hd", "cj", "dj", "lz", "zj", "jv", "ve")
    data = process(f"{START}{written}{gateways}{late}{END}" + "".join(flow(way, *way) for way in ways))
    told = [one.element for one in loaded(data).findings if one.rule == "branch-strategy"]
    assert told == ([where] if is_told else [])


def test_a_sub_process_has_its_strategy_for_what_is_joined_inside() -> None:
    def model(inside: str) -> bytes:
        held = f'<subProcess id="a">{policy(merging("HUMAN"))}{inside}</subProcess>'
        body = f'{START}<parallelGateway id="g"/>{held}<task id="b"/><parallelGateway id="j"/>{END}'
        return process(body + "".join(flow(f"{x}{y}", x, y) for x, y in ("sg", "ga", "gb", "aj", "bj", "je")))

    joined = '<startEvent id="u"/><parallelGateway id="v"/><parallelGateway id="w"/><endEvent id="x"/>' + "".join(
        flow(name, *ends) for name, ends in {"u1": "uv", "v1": "vw", "v2": "vw", "w1": "wx"}.items()
    )
    assert "branch-strategy" not in rules(loaded(model(joined)).findings)
    assert finding(model('<startEvent id="u"/>'), "branch-strategy").element == "a"


def test_an_event_behind_two_ways_in() -> None:
    data = process(
        f'{START}<parallelGateway id="k"/><eventBasedGateway id="g"/><receiveTask id="a" messageRef="m"/>'
        '<receiveTask id="t" messageRef="m"/>'
        + flow("f", "s", "k")
        + flow("k1", "k", "g")
        + flow("k2", "k", "a")
        + flow("g1", "g", "a")
        + flow("g2", "g", "t"),
        beside=MESSAGE,
    )
    assert finding(data, "event-gateway").element == "a"
