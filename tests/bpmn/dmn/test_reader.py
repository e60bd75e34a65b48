"""What is read, in which versions, and what is refused with its place."""

from __future__ import annotations

import pytest

from bpmn.dmn.errors import NotDmn
from bpmn.errors import LimitExceeded, NotXml, UnsafeXml
from tests.bpmn.dmn.models import DMN, data, decide, decision, definitions, literal, loaded, table

VERSIONS = [
    "http://www.omg.org/spec/DMN/20151101/dmn.xsd",
    "http://www.omg.org/spec/DMN/20180521/MODEL/",
    "https://www.omg.org/spec/DMN/20191111/MODEL/",
    "https://www.omg.org/spec/DMN/20211108/MODEL/",
    "https://www.omg.org/spec/DMN/20230324/MODEL/",
]


@pytest.mark.parametrize("version", VERSIONS)
def test_versions(version: str) -> None:
    assert decide(definitions(decision("d", literal("1")), version=version), "d") == 1


def test_prefixes_of_types_mean_what_they_are_bound_to() -> None:
    bound = ' xmlns:feel="http://www.omg.org/spec/FEEL/20140401" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
    source = definitions(
        data("a", "feel:number"), data("b", "xsd:string"), decision("d", literal("[a, b]"), ["a", "b"]), more=bound
    )
    assert decide(source, "d", a=1, b="x") == [1, "x"]
    assert decide(source, "d", a="1", b=2) == [None, None]


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (b"<definitions", NotXml),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><definitions/>', UnsafeXml),
        (b"<definitions/>", NotDmn),
        (b'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>', NotDmn),
        (f'<decision xmlns="{DMN}"/>'.encode(), NotDmn),
        (definitions(decision("d", "<list>" * 300 + "</list>" * 300)), LimitExceeded),
    ],
)
def test_what_is_no_decision_model(source: bytes, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"rules\.dmn"):
        loaded(source)


@pytest.mark.parametrize(
    ("content", "rule", "says"),
    [
        (decision("d", literal("1 +")), "decision-expression", "the end stands where a value should be"),
        (decision("d", table(["1"], [""], ["( => 1"])), "decision-expression", "stands where"),
        (decision("d", literal("1"), ["nothing"]), "decision", "it requires nothing, which no file has"),
        (decision("d", literal("1"), type="colour"), "decision", "there is no type colour"),
        (decision("d", table(["1"], ["", ""], ["1 => 2"])), "rule-width", "one entry per column"),
        (decision("d", table(["1"], [""], ["1 => 2"], policy="BEST")), "hit-policy", "there is no such hitPolicy"),
        (
            '<businessKnowledgeModel id="k" name="k"><encapsulatedLogic kind="Java"/></businessKnowledgeModel>',
            "function-kind",
            "functions of kind Java are not run",
        ),
        (
            '<businessKnowledgeModel id="k" name="k"><encapsulatedLogic kind="PMML"/></businessKnowledgeModel>',
            "function-kind",
            "functions of kind PMML are not run",
        ),
        (
            decision("d", '<literalExpression expressionLanguage="juel"><text>${a}</text></literalExpression>'),
            "decision",
            "only FEEL is run in decisions; found juel",
        ),
        ('<import name="x" namespace="u" importType="http://www.dmg.org/PMML-4_2"/>', "import", "only decision models"),
        (decision("d") + decision("d"), "duplicate-id", "the id is used twice"),
    ],
)
def test_findings(content: str, rule: str, says: str) -> None:
    found = [each for each in loaded(definitions(content)).findings() if each.rule == rule]
    assert found
    assert says in str(found[0])
    assert found[0].line == 1
    assert found[0].file == "rules.dmn"
