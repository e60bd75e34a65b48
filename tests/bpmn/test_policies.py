"""Policies as they are written in a file, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.findings import Finding
from bpmn.policies.collect import Collector
from bpmn.policies.own import read_elements
from bpmn.policies.setting import Setting
from bpmn.reader.read import read
from bpmn.reader.source import Limits
from bpmn.reader.xml import Xml
from governance.policy import ActivityExtensionConfig, Approval, BranchStrategy, KnowledgeRequirement
from tests.bpmn.files import FILE, chain, finding, loaded, policy, process, rules


def written(inside: str, attributes: str = "") -> ActivityExtensionConfig | None:
    """What is written on the task `a`, which must be right."""
    found = read(chain(f'<task id="a" {attributes}>{policy(inside)}</task>'), FILE, Limits())
    collector = Collector(FILE)
    collected = collector.collect(found.root)
    assert collector.findings == []
    return collected["a"].config if "a" in collected else None


FULL = """
<gov:policy workingThreshold="8000" compressStrategy="ARCHIVE" interactionLevel="DIFF_PREVIEW" windowTokens="4000">
  <gov:retainKey name="claim.id"/><gov:retainKey name="order*"/>
  <gov:knowledgeRequirement type="sop" query="refund rules" count="5" minConfidence="0.7"/>
  <gov:knowledgeRequirement type="law">fair use</gov:knowledgeRequirement>
  <gov:branchStrategy split="ISOLATED" merge="HIGHEST_CONFIDENCE"/>
  <gov:mergeKey name="risk" strategy="MAX"/><gov:mergeKey name="notes" strategy="APPEND"/>
  <gov:approval roles="boss, auditor" fourEyes="true" due="P1D" default="deny" escalateTo="director"/>
</gov:policy>
"""
FULL_CONFIG = ActivityExtensionConfig.model_validate(
    {
        "working_threshold": 8000,
        "compress_strategy": "ARCHIVE",
        "interaction_level": "DIFF_PREVIEW",
        "window_tokens": 4000,
        "retain_keys": ["claim.id", "order*"],
        "knowledge_requirements": [
            {"type": "sop", "query": "refund rules", "count": 5, "min_confidence": 0.7},
            {"type": "law", "query": "fair use"},
        ],
        "branch_strategy": {
            "split": "ISOLATED",
            "merge": "HIGHEST_CONFIDENCE",
            "keys": {"risk": "MAX", "notes": "APPEND"},
        },
        "approval": {
            "roles": ["boss", "auditor"],
            "four_eyes": True,
            "due": "P1D",
            "default": "deny",
            "escalate_to": "director",
        },
    }
)


def test_every_field_in_its_own_form() -> None:
    assert written(FULL) == FULL_CONFIG


def test_every_field_as_a_setting() -> None:
    settings = {
        "workingThreshold": "8000",
        "compressStrategy": "ARCHIVE",
        "interactionLevel": "DIFF_PREVIEW",
        "windowTokens": "4000",
        "retainKeys": "claim.id, order*",
        "knowledgeRequirements": "sop|5|refund rules&#10;law|fair use",
        "branchStrategy.split": "ISOLATED",
        "branchStrategy.merge": "HIGHEST_CONFIDENCE",
        "branchStrategy.keys": "risk=MAX, notes=APPEND",
        "approval": "{&quot;roles&quot;: [&quot;boss&quot;]}",
    }
    children = "".join(f'<gov:setting name="{name}" value="{value}"/>' for name, value in settings.items())
    expected = FULL_CONFIG.model_copy(
        update={
            "approval": Approval(roles=("boss",)),
            "knowledge_requirements": (
                KnowledgeRequirement(type="sop", query="refund rules", count=5),
                KnowledgeRequirement(type="law", query="fair use"),
            ),
        }
    )
    assert written(children) == expected
    assert written(f"<gov:policy>{children}</gov:policy>") == expected


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ('gov:workingThreshold=" 700 "', {"working_threshold": 700}),
        ('gov:retainKeys=\'["a,b", "c"]\'', {"retain_keys": ("a,b", "c")}),
        (
            'gov:branchStrategy.split="ISOLATED"',
            {"branch_strategy": BranchStrategy.model_validate({"split": "ISOLATED"})},
        ),
        (
            'gov:branchStrategy.keys=\'{"a": "SUM"}\'',
            {"branch_strategy": BranchStrategy.model_validate({"keys": {"a": "SUM"}})},
        ),
        (
            'gov:knowledgeRequirements=\'[{"type": "sop", "minConfidence": 0.1}]\'',
            {"knowledge_requirements": (KnowledgeRequirement(type="sop", min_confidence=0.1),)},
        ),
    ],
)
def test_attributes_of_the_element(attribute: str, expected: dict[str, Any]) -> None:
    assert written("", attribute) == ActivityExtensionConfig().model_copy(update=expected)


@pytest.mark.parametrize(
    ("inside", "attributes"),
    [
        ("", ""),
        ("<gov:policy/>", ""),
        ('<gov:policy workingThreshold=" " interactionLevel="" retainKeys=","/>', 'gov:compressStrategy=""'),
        ('<gov:policy><gov:retainKey name=""/><gov:knowledgeRequirement type="" query=""/></gov:policy>', ""),
        ('<gov:policy><gov:branchStrategy split="" merge=""/><gov:mergeKey name="a" strategy=""/></gov:policy>', ""),
        ('<gov:policy><gov:approval roles="" due=""/></gov:policy><gov:setting name="windowTokens" value=""/>', ""),
        ("<vendor:x xmlns:vendor='urn:v'><gov:policy xmlns:gov='urn:g' workingThreshold='5'/></vendor:x>", ""),
    ],
)
def test_blank_means_inherit(inside: str, attributes: str) -> None:
    assert written(inside, attributes) is None


def wrong(inside: str, rule: str, attributes: str = "") -> Finding:
    """What is found wrong on the task `a`."""
    return finding(chain(f'<task id="a" {attributes}>\n{policy(inside)}</task>'), rule)


@pytest.mark.parametrize(
    ("inside", "found", "allowed"),
    [
        ('<gov:policy workingThreshold="0"/>', "0", "greater than 0"),
        ('<gov:policy workingThreshold="-1"/>', "-1", "greater than 0"),
        ('<gov:policy workingThreshold="many"/>', "many", "a valid integer"),
        ('<gov:policy workingThreshold="8.5"/>', "8.5", "a valid integer"),
        ('<gov:policy windowTokens="0"/>', "0", "greater than 0"),
        ('<gov:policy interactionLevel="AUTO"/>', "AUTO", "AUTO_DENY"),
        ('<gov:policy interactionLevel="auto_deny"/>', "auto_deny", "AUTO_DENY"),
        ('<gov:policy compressStrategy="SUMARY"/>', "SUMARY", "SUMMARY"),
        ('<gov:policy><gov:branchStrategy split="MERGE"/></gov:policy>', "MERGE", "INHERIT_ALL"),
        ('<gov:policy><gov:branchStrategy merge="MOST"/></gov:policy>', "MOST", "LAST_WRITE"),
        ('<gov:policy><gov:mergeKey name="a" strategy="ADD"/></gov:policy>', "ADD", "SUM"),
        ('<gov:policy><gov:knowledgeRequirement type="a" count="0"/></gov:policy>', "0", "greater than or equal to 1"),
        (
            '<gov:policy><gov:knowledgeRequirement type="a" minConfidence="2"/></gov:policy>',
            "2",
            "less than or equal to 1",
        ),
        ('<gov:policy><gov:knowledgeRequirement query="a"/></gov:policy>', None, "lines type|count|query"),
        ('<gov:policy><gov:approval default="maybe"/></gov:policy>', "maybe", "approve"),
        ('<gov:policy><gov:approval fourEyes="perhaps"/></gov:policy>', "perhaps", "a valid boolean"),
        ('<gov:setting name="approval" value="boss"/>', "boss", None),
        ('<gov:setting name="retainKeys" value="["/>', "[", "a JSON list"),
        ('<gov:setting name="branchStrategy.keys" value="risk"/>', "risk", "SUM"),
        ('<gov:setting name="knowledgeRequirements" value="[1]"/>', "[1]", None),
    ],
)
def test_wrong_values(inside: str, found: str | None, allowed: str | None) -> None:
    problem = wrong(inside, "policy-value")
    assert (problem.severity, problem.file, problem.element, problem.line) == ("error", FILE, "a", 5)
    assert problem.found == found
    assert problem.allowed
    if allowed is not None:
        assert allowed in problem.allowed


@pytest.mark.parametrize(
    ("inside", "found", "near"),
    [
        ('<gov:policy workingTreshold="5"/>', "workingTreshold", "workingThreshold"),
        ('<gov:policy threshold="5"/>', "threshold", "workingThreshold"),
        ('<gov:policy><gov:retainKeys name="a"/></gov:policy>', "<retainKeys>", "<retainKey>"),
        ('<gov:policy><gov:mergekey name="a"/></gov:policy>', "<mergekey>", "<mergeKey>"),
        ('<gov:policy><gov:branchStrategy spilt="x"/></gov:policy>', "branchStrategy.spilt", "branchStrategy.split"),
        ('<gov:policy><gov:retainKey key="a"/></gov:policy>', "retainKey.key", None),
        ('<gov:policy><gov:mergeKey name="a" stratgy="SUM"/></gov:policy>', "mergeKey.stratgy", "mergeKey.strategy"),
        ('<gov:policy><gov:knowledgeRequirement type="a" qurey="b"/></gov:policy>', "qurey", "query"),
        (
            '<gov:policy><gov:knowledgeRequirement type="a" query="b">c</gov:knowledgeRequirement></gov:policy>',
            "text",
            None,
        ),
        ('<gov:policy><gov:approval rolls="a"/></gov:policy>', "rolls", "roles"),
        ('<gov:setting name="windowToken" value="5"/>', "windowToken", "windowTokens"),
        ("<gov:policy><x:y xmlns:x='urn:x'/></gov:policy>", "<y>", None),
    ],
)
def test_unknown_fields(inside: str, found: str, near: str | None) -> None:
    problem = wrong(inside, "policy-field")
    assert (problem.severity, problem.element, problem.line, problem.found) == ("error", "a", 5, found)
    assert problem.allowed
    if near is not None:
        assert f"did you mean {near}?" in problem.message


def test_an_unknown_attribute_of_the_element() -> None:
    problem = wrong("", "policy-field", 'gov:interactionLevl="AUTO_DENY"')
    assert (problem.line, problem.found) == (4, "interactionLevl")
    assert "did you mean interactionLevel?" in problem.message


@pytest.mark.parametrize(
    ("inside", "attributes", "field"),
    [
        ('<gov:policy workingThreshold="5"/><gov:policy workingThreshold="6"/>', "", "workingThreshold"),
        ('<gov:policy workingThreshold="5"/>', 'gov:workingThreshold="6"', "workingThreshold"),
        ('<gov:policy retainKeys="a"><gov:retainKey name="b"/></gov:policy>', "", "retainKeys"),
        (
            '<gov:setting name="branchStrategy.split" value="ISOLATED"/>',
            'gov:branchStrategy.split="INHERIT_ALL"',
            "branchStrategy.split",
        ),
        (
            '<gov:policy><gov:mergeKey name="a" strategy="SUM"/><gov:mergeKey name="a" strategy="MAX"/></gov:policy>',
            "",
            "branchStrategy.keys.a",
        ),
        ('<gov:policy><gov:approval due="P1D"/><gov:approval due="P2D"/></gov:policy>', "", "approval"),
    ],
)
def test_sources_that_disagree(inside: str, attributes: str, field: str) -> None:
    problem = wrong(inside, "policy-conflict", attributes)
    assert (problem.severity, problem.element) == ("error", "a")
    assert problem.message == f"two values for {field}"
    assert " and " in (problem.found or "")


def test_sources_that_agree_or_complete_each_other() -> None:
    config = written(
        '<gov:policy workingThreshold="5" interactionLevel=""><gov:mergeKey name="a" strategy="SUM"/></gov:policy>'
        '<gov:setting name="branchStrategy.keys" value="b=MAX"/>',
        'gov:workingThreshold="5" gov:interactionLevel="AUTO_DENY"',
    )
    assert config == ActivityExtensionConfig.model_validate(
        {
            "working_threshold": 5,
            "interaction_level": "AUTO_DENY",
            "branch_strategy": {"keys": {"a": "SUM", "b": "MAX"}},
        }
    )


THRESHOLD = '<gov:policy workingThreshold="5"/>'
VENDOR = f'<x:y xmlns:x="urn:x">{THRESHOLD}</x:y>'


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (chain(f'<task id="a">{THRESHOLD}</task>'), "gov:policy"),
        (chain(f'<task id="a">{policy(VENDOR)}</task>'), "gov:policy"),
        (chain(f'<task id="a">{policy("<gov:polcy/>")}</task>'), "gov:polcy"),
        (process(f'<startEvent id="s">{policy("<gov:agent/>")}</startEvent>'), "gov:agent on startEvent"),
        (chain('<task id="a" gov:assignee="x"/>'), "gov:assignee on task"),
        (process('<startEvent id="s" gov:jobType="x"/>'), "gov:jobType on startEvent"),
        (chain(beside=f'<message id="m">{policy(THRESHOLD)}</message>'), "a policy on message"),
        (
            chain(
                beside=f'<collaboration id="c"><participant id="x" processRef="p">{policy(THRESHOLD)}</participant>'
                "</collaboration>"
            ),
            "a policy on participant",
        ),
    ],
)
def test_policies_that_nobody_would_read(data: bytes, found: str) -> None:
    problem = finding(data, "policy-misplaced")
    assert (problem.severity, problem.found) == ("error", found)
    assert problem.allowed


def test_a_policy_is_its_own_elements_alone() -> None:
    """A sub-process has nothing of what is written on the tasks inside."""
    inner = (
        f'<startEvent id="i"/><task id="t">{policy(THRESHOLD)}</task><sequenceFlow id="x" sourceRef="i" targetRef="t"/>'
    )
    data = chain(f'<subProcess id="a">{inner}</subProcess>')
    collected = Collector(FILE).collect(read(data, FILE, Limits()).root)
    assert set(collected) == {"t"}


def test_a_dialect_plugs_in() -> None:
    def camunda(node: Xml) -> list[Setting]:
        value = node.get("{http://camunda.org/schema/1.0/bpmn}threshold")
        return [Setting(name="workingThreshold", value=value, source="camunda", line=1)] if value else []

    root = read(chain(f'<task id="a" camunda:threshold="6">{policy(THRESHOLD)}</task>'), FILE, Limits()).root
    alone = Collector(FILE, dialects=(camunda,))
    assert alone.collect(root)["a"].config.working_threshold == 6
    both = Collector(FILE, dialects=(read_elements, camunda))
    both.collect(root)
    assert rules(both.findings) == {"policy-conflict"}


def test_a_wrong_policy_makes_a_file_un_runnable() -> None:
    wrong_policy = policy('<gov:policy workingThreshold="x"/>')
    assert loaded(chain(f'<task id="a">{wrong_policy}</task>')).errors
