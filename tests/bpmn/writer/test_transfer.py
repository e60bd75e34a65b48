"""What a designer changed of governance comes over; no other byte of the file does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from bpmn.designer.shown import shown
from bpmn.policies.collect import Collector
from bpmn.reader.source import Limits
from bpmn.reader.xml import parse
from bpmn.writer.policy import with_policy
from bpmn.writer.transfer import transferred
from governance.policy import ActivityExtensionConfig
from tests.bpmn.test_policy_text import TEXTS

ORIGINAL = """<?xml version="1.0" encoding="UTF-8"?>
<!-- drawn by hand -->
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"
             targetNamespace="urn:example">
  <process id="p" isExecutable="true">
    <startEvent   id="s"/><!-- begins -->
    <task id="t" name='Weigh "it"' camunda:topic="x">
      <documentation><![CDATA[a < b]]></documentation>
    </task>
    <task id="u">
      <extensionElements>
        <camunda:properties><camunda:property name="a" value="b"/></camunda:properties>
      </extensionElements>
    </task>
    <task id="v"/>
  </process>
</definitions>
"""
UNTOUCHED = """<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:camunda="http://camunda.org/schema/1.0/bpmn" xmlns:gov="urn:bpmn-governor:governance:1.0"
  targetNamespace="urn:example">
  <bpmn:process id="p" isExecutable="true">
    <bpmn:startEvent id="s" />
    <bpmn:task id="t" name="Weigh &quot;it&quot;" camunda:topic="x">
    <bpmn:documentation>a &lt; b</bpmn:documentation>{t}</bpmn:task>
    <bpmn:task id="u"><bpmn:extensionElements>
      <camunda:properties><camunda:property name="a" value="b" /></camunda:properties>{u}
    </bpmn:extensionElements></bpmn:task>
    <bpmn:task id="v"{a}>{v}</bpmn:task>
  </bpmn:process>
</bpmn:definitions>
"""


def written(**inside: str) -> bytes:
    return UNTOUCHED.format(**{"t": "", "u": "", "v": "", "a": ""} | inside).encode()


def extended(text: str) -> str:
    return f"<bpmn:extensionElements>{text}</bpmn:extensionElements>"


def taken(edited: bytes, original: str = ORIGINAL, untouched: bytes | None = None) -> str | None:
    result = transferred(original.encode(), untouched or written(), edited, "a.bpmn")
    return None if result is None else result.decode()


def without_governance(text: str) -> str:
    text = re.sub(r"\n *<(/?)gov:(\"[^\"]*\"|'[^']*'|[^>\"'])*>", "", text)
    text = re.sub(r"\n *<extensionElements>\s*</extensionElements>", "", text)
    return re.sub(r'<task id="v">\s*</task>', '<task id="v"/>', text)


POLICY = '<gov:policy workingThreshold="8"><gov:retainKey name="a" /></gov:policy>'


@pytest.mark.parametrize(
    "edited",
    [
        written(t=extended(POLICY)),
        written(u=POLICY),
        written(v=extended(POLICY + '<gov:agent model="m" prompt="Weigh&#10;&quot;it&quot;" />')),
        written(t=extended(POLICY), u=POLICY, v=extended(POLICY)),
    ],
)
def test_policies_come_over_and_nothing_else_changes(edited: bytes) -> None:
    result = taken(edited)
    assert result is not None
    assert without_governance(result) == ORIGINAL
    own, theirs = shown(result.encode(), "a.bpmn"), shown(edited, "a.bpmn")
    assert [row["workingThreshold"]["value"] for row in own["policies"]] == [
        row["workingThreshold"]["value"] for row in theirs["policies"]
    ]


def test_what_is_as_it_was_is_not_written_anew() -> None:
    assert taken(written()) == ORIGINAL


def test_a_policy_goes_with_its_extension_elements() -> None:
    edited = written(t=extended(POLICY), u=POLICY)
    governed = taken(edited)
    assert governed is not None
    assert taken(written(), governed, edited) == ORIGINAL


def test_a_policy_is_replaced_in_the_file_s_own_layout() -> None:
    governed = taken(written(t=extended(POLICY)))
    assert governed is not None
    changed = extended('<gov:policy workingThreshold="9"><gov:branchStrategy merge="SUM" /></gov:policy>')
    result = taken(written(t=changed), governed, written(t=extended(POLICY)))
    assert result is not None
    declared = 'xmlns:gov="urn:bpmn-governor:governance:1.0"'
    policy = f'<gov:policy {declared} workingThreshold="9">'
    assert f'\n        {policy}\n          <gov:branchStrategy merge="SUM"/>\n' in result
    assert without_governance(result) == ORIGINAL


def test_attributes_of_elements_come_over() -> None:
    result = taken(written(a=' gov:workingThreshold="7" gov:jobType="weigh"'))
    assert result is not None
    assert 'gov:workingThreshold="7"' in result
    governed = written(a=' gov:workingThreshold="7" gov:jobType="weigh"')
    again = taken(written(a=' gov:jobType="weigh"'), result, governed)
    assert again is not None
    assert "workingThreshold" not in again
    assert 'gov:jobType="weigh"' in again


@pytest.mark.parametrize(
    ("before", "after"),
    [('name="Weigh ', 'name="Look at '), ("a &lt; b", "a &lt; c"), ('value="b"', 'value="c"'), ('id="s"', 'id="s2"')],
)
def test_where_more_was_changed_nothing_is_taken_over(before: str, after: str) -> None:
    edited = written(t=extended(POLICY)).decode()
    assert before in edited
    assert taken(edited.replace(before, after).encode()) is None


def test_an_element_that_the_file_does_not_have_is_not_invented() -> None:
    edited = written(v=extended(POLICY)).replace(b'<bpmn:task id="v">', b'<bpmn:task id="w">')
    assert taken(edited, untouched=written().replace(b'<bpmn:task id="v">', b'<bpmn:task id="w">')) is None


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_a_file_keeps_its_encoding(encoding: str) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    original = ORIGINAL.replace("UTF-8", declared).encode(encoding)
    result = transferred(original, written(), written(t=extended(POLICY)), "a.bpmn")
    assert result is not None
    assert without_governance(result.decode(encoding)) == ORIGINAL.replace("UTF-8", declared)


def rewritten(data: bytes) -> bytes:
    """As a designer writes a file: without comments, in its own layout."""
    return etree.tostring(etree.fromstring(data, etree.XMLParser(remove_comments=True, remove_blank_text=True)))


@given(
    element=st.sampled_from(["t", "u", "v", "p"]),
    fields=st.dictionaries(st.sampled_from(sorted(TEXTS)), st.integers(0, 5), min_size=1, max_size=5),
    before=st.dictionaries(st.sampled_from(sorted(TEXTS)), st.integers(0, 5), max_size=3),
)
@settings(max_examples=60, derandomize=True, deadline=None)
def test_any_policy_comes_over_as_it_would_be_written_here(
    element: str, fields: dict[str, int], before: dict[str, int]
) -> None:
    start = ORIGINAL.encode()
    if before:
        start = with_policy(start, "a.bpmn", element, said(before))
    wanted = with_policy(start, "a.bpmn", element, said(fields))
    result = transferred(start, rewritten(start), rewritten(wanted), "a.bpmn")
    assert result is not None
    assert policies(result) == policies(wanted)
    assert without_governance(result.decode()) == ORIGINAL


def said(fields: dict[str, int]) -> dict[str, str]:
    return {name: TEXTS[name][number % len(TEXTS[name])] for name, number in fields.items()}


def policies(data: bytes) -> dict[str, ActivityExtensionConfig]:
    return {id: each.config for id, each in Collector("a.bpmn").collect(parse(data, "a.bpmn", Limits())).items()}
