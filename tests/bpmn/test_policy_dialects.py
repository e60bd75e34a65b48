"""Policies in the forms that vendors' modelers can write."""

from __future__ import annotations

import pytest

from bpmn.load import Loaded, load
from governance.vocabulary import CompressStrategy, InteractionLevel, MergeStrategy
from tests.bpmn.files import FILE
from tests.bpmn.test_dialects import SPACES


def loaded(extension: str, kind: str = "serviceTask") -> Loaded:
    text = (
        f'<definitions {SPACES} xmlns:gov="urn:bpmn-governor:governance:1.0"><process id="p" isExecutable="true">'
        f'<startEvent id="s"/><{kind} id="a"><extensionElements>{extension}</extensionElements></{kind}>'
        '<sequenceFlow id="f" sourceRef="s" targetRef="a"/></process></definitions>'
    )
    return load(text.encode(), file=FILE)


def _properties(vendor: str, name: str = "properties") -> str:
    return (
        f'<{vendor}:{name}><{vendor}:property name="gov:compressStrategy" value="SUMMARY"/>'
        f'<{vendor}:property name="gov.branchStrategy.merge" value="MAX"/>'
        f'<{vendor}:property name="gov_workingThreshold" value="5000"/>'
        f'<{vendor}:property name="gov:interactionLevel" value=" "/>'
        f'<{vendor}:property name="other" value="x"/></{vendor}:{name}>'
    )


@pytest.mark.parametrize("vendor", ["camunda", "operaton", "zeebe", "flowable", "activiti", "spiffworkflow"])
def test_properties_of_every_vendor(vendor: str) -> None:
    found = loaded(_properties(vendor))
    assert not found.errors
    resolved = found.definition.processes["p"].scope.elements["a"].resolved
    policy = resolved.policy
    assert (policy.compress_strategy, policy.merge, policy.working_threshold) == (
        CompressStrategy.SUMMARY, MergeStrategy.MAX, 5000,
    )  # fmt: skip
    assert resolved.origins["interaction_level"].element is None


@pytest.mark.parametrize(
    "extension",
    [
        '<zeebe:taskHeaders><zeebe:header key="gov:interactionLevel" value="AUTO_DENY"/></zeebe:taskHeaders>',
        '<zeebe:ioMapping><zeebe:input source="AUTO_DENY" target="gov_interactionLevel"/></zeebe:ioMapping>',
        "<zeebe:ioMapping><zeebe:input source='=\"AUTO_DENY\"' target='gov_interactionLevel'/></zeebe:ioMapping>",
        '<camunda:inputOutput><camunda:inputParameter name="gov_interactionLevel">AUTO_DENY</camunda:inputParameter>'
        "</camunda:inputOutput>",
        '<flowable:field name="gov_interactionLevel" stringValue="AUTO_DENY"/>',
        '<activiti:field name="gov_interactionLevel"><activiti:string><![CDATA[AUTO_DENY]]></activiti:string>'
        "</activiti:field>",
        '<spiffworkflow:taskMetadataValues><spiffworkflow:taskMetadataValue name="gov_interactionLevel"'
        " value=\"'AUTO_DENY'\"/></spiffworkflow:taskMetadataValues>",
    ],
)
def test_forms_of_single_vendors(extension: str) -> None:
    found = loaded(extension)
    assert not found.errors
    element = found.definition.processes["p"].scope.elements["a"]
    assert element.resolved.policy.interaction_level is InteractionLevel.AUTO_DENY
    assert element.input_mappings == ()


def test_two_forms_that_disagree_are_an_error_and_two_that_agree_are_not() -> None:
    own = '<gov:policy compressStrategy="{}"/>'
    other = '<camunda:properties><camunda:property name="gov:compressStrategy" value="SUMMARY"/></camunda:properties>'
    assert not loaded(own.format("SUMMARY") + other).errors
    [conflict] = loaded(own.format("ARCHIVE") + other).errors
    assert conflict.rule == "policy-conflict"
    assert conflict.found is not None
    assert "camunda:property" in conflict.found


def test_a_field_that_no_policy_has_is_told_with_a_near_match() -> None:
    text = '<zeebe:properties><zeebe:property name="gov:workingTreshold" value="5"/></zeebe:properties>'
    [wrong] = loaded(text).errors
    assert (wrong.rule, wrong.element) == ("policy-field", "a")
    assert "did you mean workingThreshold?" in wrong.message


def test_properties_of_an_inner_element_are_not_those_of_the_outer() -> None:
    inner = f'<startEvent id="i"/><task id="t"><extensionElements>{_properties("camunda")}</extensionElements></task>'
    text = (
        f'<definitions {SPACES}><process id="p"><startEvent id="s"/><subProcess id="a">{inner}</subProcess>'
        '<sequenceFlow id="f" sourceRef="s" targetRef="a"/></process></definitions>'
    )
    scope = load(text.encode(), file=FILE).definition.processes["p"].scope
    assert scope.elements["a"].resolved.origins["merge"].element is None
    assert scope.elements["a"].scope is not None
    assert scope.elements["a"].scope.elements["t"].resolved.origins["merge"].element == "t"
