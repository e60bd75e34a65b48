"""Business rule tasks: the decision is asked, and its result becomes variables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.activities.choose import activity_handlers
from engine.activities.errors import MissingDecision
from engine.events import EventType
from engine.launch import deploy
from engine.status import Status
from tests.bpmn.dmn.models import data, decision, definitions, literal, table
from tests.engine.models import edges, end, model, start, user
from tests.engine.running import Run

ROWS = ["< 10 => 1 | n + 1", "< 20 => 2 | n + 2"]
MODELS = definitions(
    data("n", "number"),
    decision("one", table(["n"], ["a"], ["< 10 => 1", "- => null"], policy="FIRST"), ["n"], type="number"),
    decision("two", table(["n"], ["a", "b"], ROWS, policy="FIRST"), ["n"]),
    decision("rows", table(["n"], ["a", "b"], ROWS, policy="COLLECT"), ["n"]),
    decision("list", table(["n"], [""], ["< 10 => 1", "< 20 => 2"], policy="RULE ORDER"), ["n"]),
    decision("sum", literal("n + 0.1"), ["n"]),
    decision("clock", literal("string(today())")),
    decision("endless", literal("count(for i in 1..100000, j in 1..100000 return 1)")),
)


def asking(attributes: str, inside: str = "") -> bytes:
    return model(
        start(), f'<businessRuleTask id="d" {attributes}>{inside}</businessRuleTask>', user("u"), end(),
        edges("s > d > u > e"),
    )  # fmt: skip


def mapped(name: str, mapping: str) -> str:
    return f'camunda:decisionRef="{name}" camunda:mapDecisionResult="{mapping}" camunda:resultVariable="r"'


def run(tmp_path: Path, source: bytes, **variables: Any) -> Run:
    (tmp_path / "models.dmn").write_bytes(MODELS)
    file = tmp_path / "process.bpmn"
    file.write_bytes(source)
    found = load(file, file="t.bpmn")
    assert not found.errors, found.errors
    handlers = activity_handlers()
    handlers.require(found.definition)
    deployed = deploy(found.definition, "hash", "p")
    by_element = {"d": handlers.handler_for(deployed.index.elements["d"])}
    return Run(source, variables, handlers=by_element, deployed=deployed)


@pytest.mark.parametrize(
    ("attributes", "n", "outputs"),
    [
        ('gov:decision="one"', 5, {"a": 1}),
        ('gov:decision="one" gov:resultVariable="r"', 5, {"r": 1}),
        ('gov:decision="two"', 5, {"a": 1, "b": 6}),
        ('gov:decision="two" gov:resultVariable="r"', 5, {"r": {"a": 1, "b": 6}}),
        ('gov:decision="rows"', 5, {"a": [{"a": 1, "b": 6}, {"a": 2, "b": 7}]}),
        ('gov:decision="sum"', 5, {"sum": 5.1}),
        ('gov:decision="list"', 5, {"list": [1, 2]}),
        ('gov:decision="clock"', 5, {"clock": "2026-01-01"}),
        ('camunda:decisionRef="one"', 5, {"decisionResult": [{"a": 1}]}),
        (mapped("one", "singleEntry"), 5, {"r": 1}),
        (mapped("two", "singleResult"), 5, {"r": {"a": 1, "b": 6}}),
        (mapped("two", "singleResult"), 50, {"r": None}),
        (mapped("list", "collectEntries"), 5, {"r": [1, 2]}),
        (mapped("list", "collectEntries"), 50, {"r": []}),
        (mapped("list", "resultList"), 5, {"r": [{"list": 1}, {"list": 2}]}),
        ('camunda:decisionRef="rows" camunda:resultVariable="r"', 15, {"r": [{"a": 2, "b": 17}]}),
        ('gov:decision="= &quot;o&quot; + &quot;ne&quot;"', 5, {"a": 1}),
    ],
)
def test_results(tmp_path: Path, attributes: str, n: int, outputs: Mapping[str, Any]) -> None:
    assert run(tmp_path, asking(attributes), n=n).variables == {"n": n, **outputs}


def test_zeebes_result_variable(tmp_path: Path) -> None:
    inside = '<extensionElements><zeebe:calledDecision decisionId="two" resultVariable="r"/></extensionElements>'
    assert run(tmp_path, asking("", inside), n=5).variables["r"] == {"a": 1, "b": 6}


def test_why_a_result_is_null_stands_in_the_record(tmp_path: Path) -> None:
    ended = run(tmp_path, asking('gov:decision="one"'), n="many")
    assert ended.variables["a"] is None
    [done] = [each for each in ended.events(EventType.ACTIVITY_COMPLETED) if each.element == "d"]
    assert "one: null, because models.dmn" in str(done.data)
    assert "a value of type number" in str(done.data)


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        (mapped("list", "singleEntry"), "singleEntry takes one, and the decision gave 2 rows"),
        (mapped("two", "singleEntry"), "singleEntry takes one, and the decision gave the outputs a, b"),
        ('gov:decision="endless"', "more than 100000 items"),
        ('gov:decision="${x}"', "there is no variable x"),
        ('gov:decision="= n"', "there is no decision 5"),
    ],
)
def test_what_fails_is_an_incident(tmp_path: Path, attributes: str, says: str) -> None:
    failed = run(tmp_path, asking(attributes), n=5)
    assert failed.status is Status.FAILED
    [incident] = failed.events(EventType.INCIDENT)
    assert says in str(incident.data)


def test_an_instance_goes_on_with_the_models_it_began_with(tmp_path: Path) -> None:
    twice = model(
        start(), '<businessRuleTask id="a" gov:decision="one"/>', user("u"),
        '<businessRuleTask id="d" gov:decision="two"/>', end(), edges("s > a > u > d > e"),
    )  # fmt: skip
    begun = run(tmp_path, twice, n=5)
    (tmp_path / "models.dmn").unlink()
    begun.do("u", {})
    assert begun.variables["b"] == 6


def test_a_decision_that_is_not_there_keeps_a_run_from_starting(tmp_path: Path) -> None:
    with pytest.raises(MissingDecision) as caught:
        run(tmp_path, asking('gov:decision="tow"'))
    assert str(caught.value).startswith("t.bpmn:")
    assert "d: there is no decision tow; did you mean two?; known decisions: clock" in str(caught.value)
    assert "--decisions" in str(caught.value)


def test_a_simulation_decides_too_and_passes_over_what_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "models.dmn").write_bytes(MODELS)
    handlers = activity_handlers(simulated=True)
    for name, outputs in (("one", {"n": 5, "a": 1}), ("nothing", {"n": 5})):
        file = tmp_path / "process.bpmn"
        file.write_bytes(asking(f'gov:decision="{name}"'))
        deployed = deploy(load(file).definition, name, "p")
        handlers.require(deployed.index.definition)
        does = {"d": handlers.handler_for(deployed.index.elements["d"])}
        assert Run(b"", {"n": 5}, handlers=does, deployed=deployed).variables == outputs
