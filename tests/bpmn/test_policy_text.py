"""Resolved fields as text, and how two versions differ."""

from __future__ import annotations

import pytest

from bpmn.designer.shown import shown
from bpmn.load import load
from bpmn.policies.compare import Change, changes
from bpmn.policies.fields import FIELDS
from bpmn.policies.text import as_text
from bpmn.writer.policy import with_policy
from governance.policy import Policy
from tests.bpmn.files import chain, document, flow, policy

_TEXTS = {
    "workingThreshold": ["7", "12000"],
    "retainKeys": ["a", "claim.id, b*", '["a, b", "c"]'],
    "compressStrategy": ["ARCHIVE"],
    "interactionLevel": ["AUTO_DENY"],
    "knowledgeRequirements": [
        "sop|2|how to", "sop|3|a\nlaw|1|b | c",
        '[{"type": "sop", "query": "q", "count": 2, "minConfidence": 0.9}]',
    ],
    "branchStrategy.split": ["ISOLATED"],
    "branchStrategy.merge": ["SUM"],
    "branchStrategy.keys": ["a=SUM, b.c=HUMAN", '{"a=b": "SUM", "c,d": "MAX"}'],
    "approval": ['{"roles": ["lead"], "fourEyes": true, "due": "PT4H"}'],
    "windowTokens": ["9000"],
    "personalKeys": ["customer.name, iban"],
    "budget": ["tokens=5", "tokens=5, cost=0.25, instance.minutes=10.5"],
    "qtsPreset": ["code"],
    "zones": ["off"],
    "accountable": ["Ada Lovelace, head of claims"],
    "riskClass": ["high"],
    "informed": ["ann, clerks"],
    "sla": ["PT4H"],
    "retention": ["P1Y6M", "P90D"],
}  # fmt: skip
TEXTS = {field: texts for field, texts in _TEXTS.items() if field in FIELDS}


@pytest.mark.parametrize(("field", "text"), [(field, text) for field, texts in TEXTS.items() for text in texts])
def test_a_field_s_text_says_the_same_again(field: str, text: str) -> None:
    def resolved(said: str) -> Policy:
        data = with_policy(chain('<userTask id="t"/>'), "a.bpmn", "t", {field: said})
        return load(data, file="a.bpmn").definition.processes["p"].scope.elements["t"].resolved.policy

    policy = resolved(text)
    assert resolved(as_text(field, policy)) == policy
    assert as_text(field, policy) == text


def test_every_field_is_tried() -> None:
    assert TEXTS.keys() == FIELDS.keys()
    assert all(isinstance(as_text(field, Policy()), str) for field in FIELDS)


_ON_TASK = '<camunda:properties><camunda:property name="gov:interactionLevel" value="AUTO_DENY"/></camunda:properties>'
LANES = document(
    "".join(
        (
            '<process id="p" isExecutable="true">',
            policy('<gov:policy workingThreshold="900"/>'),
            '<laneSet id="ls"><lane id="l" name="Clerk">',
            policy('<gov:policy compressStrategy="ARCHIVE"/>'),
            "<flowNodeRef>t</flowNodeRef></lane></laneSet>",
            f'<startEvent id="s"/><task id="t" camunda:topic="x">{policy(_ON_TASK)}</task><endEvent id="e"/>',
            flow("f", "s", "t"),
            flow("g", "t", "e"),
            "</process>",
        )
    )
)


def test_what_holds_is_told_with_its_origin_and_form() -> None:
    told = shown(LANES, "a.bpmn")
    holds = {id: told["policies"][number] for id, number in told["holds"].items()}
    assert holds["t"]["workingThreshold"] == {"value": "900", "origin": {"kind": "process", "element": "p", "line": 2}}
    assert holds["t"]["compressStrategy"]["origin"]["element"] == "l"
    assert holds["l"]["compressStrategy"]["value"] == "ARCHIVE"
    assert holds["l"]["workingThreshold"]["origin"]["kind"] == "process"
    assert holds["s"]["qtsPreset"] == {"value": "default", "origin": None}
    assert told["foreign"] == {"t": {"interactionLevel": "camunda:property"}}


def test_versions_differ_field_by_field_and_say_where_it_is_written() -> None:
    newer = with_policy(LANES, "a.bpmn", "p", {"workingThreshold": "800"})
    newer = with_policy(newer, "a.bpmn", "t", {"budget": "tokens=3"})
    old, new = (load(data, file="a.bpmn").definition for data in (LANES, newer))
    found = {(each.element, each.field): each for each in changes(old, new)}
    assert found.keys() == {(id, "workingThreshold") for id in "pste"} | {("t", "budget")}
    assert found["p", "workingThreshold"].kind == "written here"
    assert found["t", "workingThreshold"].kind == "inherited"
    assert found["t", "budget"] == Change(
        element="t", name=None, field="budget", before="", after="tokens=3", kind="written here"
    )
    assert list(changes(old, old)) == []


def test_an_element_that_one_version_has_tells_what_is_written_on_it() -> None:
    two = load(chain('<task id="t"/>', '<task id="u" gov:workingThreshold="5"/>'), file="a.bpmn").definition
    one = load(chain('<task id="t"/>'), file="a.bpmn").definition
    [gone] = changes(two, one)
    [come] = changes(one, two)
    assert (gone.element, gone.before, gone.after) == ("u", "5", None)
    assert (come.element, come.before, come.after) == ("u", None, "5")
