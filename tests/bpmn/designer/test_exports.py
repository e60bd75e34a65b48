"""What designers are given says what is read, and nothing that would change a policy without its author."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from bpmn.designer.moddle import moddle
from bpmn.designer.templates import camunda_7, camunda_8
from bpmn.designer.vocabulary import LABELS, offered
from bpmn.designer.xsd import xsd
from bpmn.namespaces import GOV
from bpmn.policies.fields import FIELDS
from bpmn.writer.policy import with_policy
from governance.vocabulary import InteractionLevel
from tests.bpmn.files import chain

ALL_FIELDS = {
    "workingThreshold": "4000",
    "retainKeys": "a.b, c*",
    "compressStrategy": "ARCHIVE",
    "interactionLevel": "EXPLICIT_APPROVAL",
    "knowledgeRequirements": "sop|2|refund rules",
    "branchStrategy.split": "ISOLATED",
    "branchStrategy.merge": "HUMAN",
    "branchStrategy.keys": "risk=MAX",
    "approval": '{"roles": ["boss"], "fourEyes": true}',
    "windowTokens": "16000",
    "qtsPreset": "code",
    "zones": "on",
    "accountable": "Ada Lovelace",
    "riskClass": "high",
    "informed": "ann, clerks",
    "sla": "PT4H",
    "retention": "P90D",
    "personalKeys": "customer.*, iban",
    "budget": "tokens=20000, instance.cost=2.5",
}
SCHEMA = etree.XMLSchema(etree.fromstring(xsd().encode()))


def policies(data: bytes) -> list[Any]:
    return list(etree.fromstring(data).iter(f"{{{GOV}}}policy"))


def every(value: Any) -> list[Any]:
    """All JSON objects in a value."""
    if isinstance(value, list):
        return [found for each in value for found in every(each)]
    if isinstance(value, dict):
        return [value, *(found for each in value.values() for found in every(each))]
    return []


def test_every_field_has_a_place_in_designers_or_is_an_object() -> None:
    assert set(FIELDS) - set(LABELS) == {"approval"}


def test_the_schema_takes_what_is_written() -> None:
    [policy] = policies(with_policy(chain('<task id="t"/>'), "a.bpmn", "t", ALL_FIELDS))
    assert set(ALL_FIELDS) == set(FIELDS)
    SCHEMA.assertValid(policy)


@pytest.mark.parametrize(
    "wrong",
    [
        '<policy workingThreshold="0"/>',
        '<policy compressStrategy="ALL"/>',
        '<policy workingTreshold="5"/>',
        "<policy><retainKey/></policy>",
        '<policy><branchStrategy merge="NOBODY"/></policy>',
        "<policy><whatever/></policy>",
    ],
)
def test_the_schema_refuses_what_is_wrong(wrong: str) -> None:
    node = etree.fromstring(wrong.replace("<policy", f'<policy xmlns="{GOV}"', 1))
    assert not SCHEMA.validate(node)


def test_no_property_of_the_descriptor_has_a_default() -> None:
    assert not [each for each in every(moddle()) if "default" in each]


def test_the_descriptor_has_a_setting_for_what_comes_later() -> None:
    types = {each["name"]: [prop["name"] for prop in each["properties"]] for each in moddle()["types"]}
    assert types["Setting"] == ["name", "value"]
    assert "settings" in types["Policy"]


def test_templates_of_camunda_8_write_only_what_is_filled_in_and_have_no_icon() -> None:
    for template in camunda_8():
        assert "icon" not in template
        assert all(each["optional"] and "value" not in each for each in template["properties"])


def test_templates_of_camunda_7_have_texts_and_choices_alone_and_begin_with_inherited() -> None:
    [template] = camunda_7()
    assert "overwrites" in template["description"]
    assert "icon" not in template
    for each in template["properties"]:
        assert each["type"] in ("String", "Dropdown")
        assert each.get("value", "") == ""
        assert "choices" not in each or each["choices"][0]["value"] == ""


def test_choices_are_those_that_are_read() -> None:
    levels = next(each for each in offered() if each.name == "interactionLevel")
    assert list(levels.values) == [level.value for level in InteractionLevel]
