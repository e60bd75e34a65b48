"""The decisions that activities ask for: how they are written, and the models kept with the definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpmn.codec import definition_hash, from_json, to_json
from bpmn.definition import CalledDecision
from bpmn.dmn.attaching import decisions_of
from bpmn.dmn.errors import NotDmn
from bpmn.load import load
from tests.bpmn.dmn.models import DMN, data, decision, definitions, literal, table
from tests.bpmn.files import chain, definition, element, finding, loaded, policy, rules

FLOWABLE = (
    '<flowable:field xmlns:flowable="http://flowable.org/bpmn" name="decisionTableReferenceKey">'
    "<flowable:string><![CDATA[risk]]></flowable:string></flowable:field>"
)
SPIFF = '<s:calledDecisionId xmlns:s="http://spiffworkflow.org/bpmn/schema/1.0/core">risk</s:calledDecisionId>'


@pytest.mark.parametrize(
    ("attributes", "inside", "called"),
    [
        ('gov:decision="risk"', "", CalledDecision(name="risk", mapping="entries")),
        ('gov:decision="risk" gov:resultVariable="r"', "", CalledDecision(name="risk", result="r")),
        (
            'gov:decision="risk" gov:resultVariable="r" gov:mapDecisionResult="singleEntry"',
            "",
            CalledDecision(name="risk", result="r", mapping="singleEntry"),
        ),
        (
            'camunda:decisionRef="risk" camunda:decisionRefBinding="latest" camunda:resultVariable="r" '
            'camunda:mapDecisionResult="collectEntries"',
            "",
            CalledDecision(name="risk", result="r", mapping="collectEntries"),
        ),
        ('camunda:decisionRef="${x}"', "", CalledDecision(name="${x}", result="decisionResult", mapping="resultList")),
        (
            'xmlns:operaton="http://operaton.org/schema/1.0/bpmn" operaton:decisionRef="risk"',
            "",
            CalledDecision(name="risk", result="decisionResult", mapping="resultList"),
        ),
        ("", '<zeebe:calledDecision decisionId="risk" resultVariable="r"/>', CalledDecision(name="risk", result="r")),
        ('xmlns:f="http://flowable.org/bpmn" f:type="dmn"', FLOWABLE, CalledDecision(name="risk", mapping="entries")),
        ("", SPIFF, CalledDecision(name="risk", mapping="entries")),
        ("", "", None),
    ],
)
def test_dialects(attributes: str, inside: str, called: CalledDecision | None) -> None:
    source = chain(f'<businessRuleTask id="a" {attributes}>{policy(inside)}</businessRuleTask>')
    assert element(source, "a").decision == called
    if called is not None:
        assert not {"ignored", "no-job-type"} & rules(loaded(source).findings)


@pytest.mark.parametrize(
    ("task", "says"),
    [
        ('<businessRuleTask id="a" gov:decision="x" camunda:decisionRef="y"/>', "two decisions disagree"),
        ('<businessRuleTask id="a" gov:decision="x" gov:jobType="y"/>', "a decision and a job type"),
        ('<userTask id="a" camunda:decisionRef="x"/>', "no decision does this kind of activity"),
        ('<businessRuleTask id="a" gov:decision="x" gov:mapDecisionResult="best"/>', "there is no such mapping"),
    ],
)
def test_what_is_wrong_is_told(task: str, says: str) -> None:
    assert says in str(finding(chain(task), "called-decision"))


ASKING = chain('<businessRuleTask id="a" gov:decision="risk"/>')
ROWS = ['> 1 => "high"', '- => "low"']
RISK = definitions(data("n"), decision("risk", table(["n"], ["r"], ROWS, policy="FIRST"), ["n"]))


def put(folder: Path, **files: bytes) -> Path:
    for name, content in {"process.bpmn": ASKING, **{f"{key}.dmn": value for key, value in files.items()}}.items():
        (folder / name).write_bytes(content)
    return folder / "process.bpmn"


def test_models_beside_the_file_are_kept_with_the_definition(tmp_path: Path) -> None:
    other = definitions(decision("other", literal("1")), namespace="urn:other")
    found = load(put(tmp_path, risk=RISK, other=other)).definition
    assert list(found.decisions) == ["risk.dmn"]
    restored = from_json(to_json(found))
    assert restored == found
    decisions = decisions_of(restored)
    assert decisions.decide(decisions.find("risk", file=""), {"n": 2}).json == "high"
    changed = load(put(tmp_path, risk=RISK.replace(b"high", b"top"))).definition
    assert definition_hash(changed) != definition_hash(found)


def test_a_definition_that_asks_nothing_keeps_nothing(tmp_path: Path) -> None:
    put(tmp_path, risk=RISK)
    (tmp_path / "process.bpmn").write_bytes(chain('<task id="a"/>'))
    alone = load(tmp_path / "process.bpmn").definition
    assert not alone.decisions
    assert definition_hash(alone) == definition_hash(definition(chain('<task id="a"/>')))


def test_models_are_given_and_their_imports_kept_too(tmp_path: Path) -> None:
    base = definitions(decision("base", literal("20")), namespace="urn:base")
    imported = f'<import name="b" namespace="urn:base" importType="{DMN}"/>'
    using = definitions(imported, decision("risk", literal("b.base + 1"), ["!urn:base#base"]))
    for name, content in (("using.dmn", using), ("base.dmn", base)):
        (tmp_path / name).write_bytes(content)
    found = load(ASKING, decisions=[tmp_path / "using.dmn", tmp_path / "base.dmn"])
    assert sorted(found.definition.decisions) == ["base.dmn", "using.dmn"]
    assert not found.errors
    [error] = load(ASKING, decisions=[tmp_path / "using.dmn"]).errors[:1]
    assert error.rule in ("decision", "decision-import")


def test_errors_in_what_is_asked_for_are_errors_and_elsewhere_warnings(tmp_path: Path) -> None:
    wrong = definitions(
        decision("risk", literal("helper"), ["!helper"]), decision("helper", literal("1 +")),
        decision("unused", literal("2 +")),
    )  # fmt: skip
    found = load(put(tmp_path, risk=wrong)).findings
    told = {(each.severity, each.element, each.file) for each in found if each.rule == "decision-expression"}
    assert told == {("error", "helper", "risk.dmn"), ("warning", "unused", "risk.dmn")}


def test_what_is_beside_and_no_dmn_is_a_warning_and_what_is_given_an_error(tmp_path: Path) -> None:
    file = put(tmp_path, risk=RISK, broken=b"<x/>")
    [warning] = [each for each in load(file).findings if each.rule == "decision-file"]
    assert "broken.dmn" in str(warning)
    with pytest.raises(NotDmn):
        load(file, decisions=[tmp_path / "broken.dmn"])


def test_a_decision_in_several_files_is_an_error(tmp_path: Path) -> None:
    file = put(tmp_path, risk=RISK, other=RISK.replace(b"urn:rules", b"urn:other"))
    [error] = load(file).errors
    assert "several files have a decision risk" in str(error)
    assert loaded(ASKING).errors == ()
