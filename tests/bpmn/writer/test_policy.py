"""A policy is written back, and the rest of the file stays as it is, byte for byte."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpmn.load import load
from bpmn.writer.policy import PolicyNotWritten, with_policy
from governance.policy import Policy
from governance.vocabulary import CompressStrategy, InteractionLevel, MergeStrategy, SplitStrategy
from tests.bpmn.files import chain, policy

PLAIN = b"""<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
  <!-- a comment with <bpmn:task id="u"/> in it -->
  <bpmn:process id="p" isExecutable="true">
    <bpmn:startEvent id="s"/>
    <bpmn:task id="t" name="Weigh &gt; it" >
      <bpmn:documentation>Text</bpmn:documentation>
      <bpmn:incoming>f</bpmn:incoming>
    </bpmn:task>
    <bpmn:task id="bare"/>
    <bpmn:sequenceFlow id="f" sourceRef="s" targetRef="t"/>
  </bpmn:process>
</bpmn:definitions>
"""
OWN = """<gov:policy workingThreshold="5000"
    compressStrategy='AGGRESSIVE'>
  <gov:retainKey name="a"/>
  <gov:retainKey name="b"/>
  <gov:branchStrategy split="ISOLATED" merge="HUMAN"/>
</gov:policy>"""


def policy_of(data: bytes, element: str) -> Policy:
    definition = load(data, file="a.bpmn").definition
    found = [each for process in definition.processes.values() for each in process.scope.elements.values()]
    return next(each for each in found if each.id == element).resolved.policy


def changed_lines(before: bytes, after: bytes) -> list[str]:
    lines = difflib.ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [line for line in lines if line[:1] in "+-"]


def test_a_policy_is_added_where_there_was_none_and_nothing_else_changes() -> None:
    after = with_policy(PLAIN, "a.bpmn", "t", {"workingThreshold": "4000", "interactionLevel": "DIFF_PREVIEW"})
    assert changed_lines(PLAIN, after) == [
        "+       <bpmn:extensionElements>",
        '+         <gov:policy xmlns:gov="urn:bpmn-governor:governance:1.0" workingThreshold="4000" '
        'interactionLevel="DIFF_PREVIEW"/>',
        "+       </bpmn:extensionElements>",
    ]
    found = policy_of(after, "t")
    assert (found.working_threshold, found.interaction_level) == (4000, InteractionLevel.DIFF_PREVIEW)


def test_an_element_that_closes_itself_is_opened() -> None:
    after = with_policy(PLAIN, "a.bpmn", "bare", {"retainKeys": "a, b.*"})
    assert policy_of(after, "bare").retain_keys == ("a", "b.*")
    assert len([line for line in changed_lines(PLAIN, after) if line[0] == "-"]) == 1


def test_a_field_is_changed_in_its_place() -> None:
    before = chain(f'<task id="t">{policy(OWN)}</task>')
    after = with_policy(before, "a.bpmn", "t", {"workingThreshold": "9000"})
    found = policy_of(after, "t")
    assert (found.working_threshold, found.compress_strategy) == (9000, CompressStrategy.AGGRESSIVE)
    assert found.retain_keys == ("a", "b")
    assert before.count(b"\n") == after.count(b"\n")


def test_a_list_is_written_anew() -> None:
    before = chain(f'<task id="t">{policy(OWN)}</task>')
    after = with_policy(before, "a.bpmn", "t", {"retainKeys": "c"})
    assert policy_of(after, "t").retain_keys == ("c",)
    assert after.count(b"<gov:retainKey") == 1


def test_one_half_of_the_branch_strategy_leaves_the_other_alone() -> None:
    before = chain(f'<task id="t">{policy(OWN)}</task>')
    after = with_policy(before, "a.bpmn", "t", {"branchStrategy.merge": "LAST_WRITE"})
    found = policy_of(after, "t")
    assert (found.split, found.merge) == (SplitStrategy.ISOLATED, MergeStrategy.LAST_WRITE)
    without = policy_of(with_policy(before, "a.bpmn", "t", {"branchStrategy.merge": ""}), "t")
    assert (without.split, without.merge) == (SplitStrategy.ISOLATED, None)


def test_a_blank_takes_a_field_away() -> None:
    before = chain(f'<task id="t">{policy(OWN)}</task>')
    after = with_policy(before, "a.bpmn", "t", {"workingThreshold": "", "retainKeys": ""})
    found = policy_of(after, "t")
    assert (found.working_threshold, found.retain_keys) == (Policy().working_threshold, ())
    assert found.compress_strategy is CompressStrategy.AGGRESSIVE


def test_every_field_can_be_written_and_is_read_back() -> None:
    fields = {
        "workingThreshold": "4000",
        "retainKeys": "a.b, c*",
        "compressStrategy": "ARCHIVE",
        "interactionLevel": "EXPLICIT_APPROVAL",
        "knowledgeRequirements": 'sop|2|refund "rules" & more\nfaq|1|returns',
        "branchStrategy.split": "ISOLATED",
        "branchStrategy.merge": "HUMAN",
        "branchStrategy.keys": "risk=MAX, notes=APPEND",
        "approval": '{"roles": ["boss", "clerk"], "fourEyes": true, "due": "P1D", "default": "deny"}',
        "windowTokens": "16000",
    }
    found = policy_of(with_policy(PLAIN, "a.bpmn", "t", fields), "t")
    assert found.retain_keys == ("a.b", "c*")
    assert [(each.type, each.count, each.query) for each in found.knowledge_requirements] == [
        ("sop", 2, 'refund "rules" & more'),
        ("faq", 1, "returns"),
    ]
    assert dict(found.merge_keys) == {"risk": MergeStrategy.MAX, "notes": MergeStrategy.APPEND}
    assert (found.approval.roles, found.approval.four_eyes, found.approval.default) == (("boss", "clerk"), True, "deny")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "windows-1252", "iso-8859-1"])
def test_encodings_byte_order_marks_and_line_ends_stay(encoding: str) -> None:
    text = PLAIN.decode().replace("UTF-8", encoding).replace("Text", "Prüfung").replace("\n", "\r\n")
    before = text.encode(encoding)
    after = with_policy(before, "a.bpmn", "t", {"workingThreshold": "4000"})
    assert policy_of(after, "t").working_threshold == 4000
    assert after.decode(encoding).replace("\r\n", "").count("\n") == 0
    undone = with_policy(after, "a.bpmn", "t", {"workingThreshold": ""})
    assert "Prüfung" in undone.decode(encoding)


def test_another_prefix_for_the_namespace_is_used() -> None:
    before = PLAIN.replace(b'targetNamespace="t"', b'xmlns:g="urn:bpmn-governor:governance:1.0" targetNamespace="t"')
    after = with_policy(before, "a.bpmn", "t", {"workingThreshold": "4000"})
    assert b'<g:policy workingThreshold="4000"/>' in after


@pytest.mark.parametrize(
    ("element", "fields", "found"),
    [
        ("nobody", {"workingThreshold": "1"}, "there is no such element"),
        ("t", {"workingTreshold": "1"}, "did you mean workingThreshold"),
        ("t", {"workingThreshold": "many"}, "found many"),
        ("t", {"interactionLevel": "NEVER"}, "AUTO_ALLOW"),
    ],
)
def test_what_cannot_be_written_is_refused_by_name(element: str, fields: dict[str, str], found: str) -> None:
    with pytest.raises(PolicyNotWritten, match=found):
        with_policy(PLAIN, "a.bpmn", element, fields)


@pytest.mark.parametrize("body", ["/>", "></task>", "><documentation>d</documentation></task>"])
@pytest.mark.parametrize("more", ["", ' gov:interactionLevel="AUTO_DENY"'])
def test_what_an_attribute_of_the_element_says_is_changed(body: str, more: str) -> None:
    before = chain(f'<task id="t" gov:workingThreshold="3000"{more}{body}')
    after = with_policy(before, "a.bpmn", "t", {"workingThreshold": "4000"})
    assert policy_of(after, "t").working_threshold == 4000
    assert policy_of(after, "t").interaction_level is policy_of(before, "t").interaction_level
    assert b"3000" not in after
    without = with_policy(before, "a.bpmn", "t", {"workingThreshold": ""})
    assert policy_of(without, "t").working_threshold == Policy().working_threshold
    assert without == before.replace(b' gov:workingThreshold="3000"', b"")


def test_a_field_that_a_property_of_a_vendor_says_is_a_conflict() -> None:
    said = '<camunda:property name="gov:workingThreshold" value="3000"/>'
    inside = f"<extensionElements><camunda:properties>{said}</camunda:properties></extensionElements>"
    before = chain(f'<task id="t" xmlns:camunda="http://camunda.org/schema/1.0/bpmn">{inside}</task>')
    assert policy_of(before, "t").working_threshold == 3000
    with pytest.raises(PolicyNotWritten, match="workingThreshold"):
        with_policy(before, "a.bpmn", "t", {"workingThreshold": "4000"})


@given(st.integers(1, 10**9), st.sampled_from(list(InteractionLevel)), st.booleans())
def test_writing_and_taking_away_comes_back_to_the_same_policy(size: int, level: InteractionLevel, own: bool) -> None:
    before = chain(f'<task id="t">{policy(OWN)}</task>') if own else PLAIN
    fields = {"windowTokens": str(size), "interactionLevel": level.value}
    after = with_policy(before, "a.bpmn", "t", fields)
    found = policy_of(after, "t")
    assert (found.window_tokens, found.interaction_level) == (size, level)
    assert with_policy(after, "a.bpmn", "t", fields) == after
    assert policy_of(with_policy(after, "a.bpmn", "t", dict.fromkeys(fields, "")), "t") == policy_of(before, "t")
