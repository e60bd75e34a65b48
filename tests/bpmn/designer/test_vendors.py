"""The vendors' own validators and reader take what designers are given, and keep policies through a round trip."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bpmn.designer.moddle import moddle
from bpmn.designer.templates import camunda_7, camunda_8
from bpmn.load import load
from bpmn.writer.policy import with_policy
from tests.bpmn.designer.test_exports import ALL_FIELDS
from tests.bpmn.files import chain, policy

FOLDER = Path(__file__).parent / "node"
PROCESS = chain('<task id="t"><incoming>f0</incoming></task>')


@pytest.fixture(scope="module", autouse=True)
def tools() -> None:
    if shutil.which("node") is None or not (FOLDER / "node_modules").is_dir():
        pytest.skip("the vendors' tools are not installed: npm ci in tests/bpmn/designer/node")


def ask(**request: Any) -> Any:
    told = subprocess.run(
        ["node", "vendors.mjs"], cwd=FOLDER, input=json.dumps(request), capture_output=True, text=True, check=True
    )
    return json.loads(told.stdout)


def policies(data: bytes) -> dict[str, Any]:
    definition = load(data, file="a.bpmn").definition
    scope = definition.processes["p"].scope
    return {id: element.resolved.policy for id, element in scope.elements.items()}


def test_templates_are_valid() -> None:
    answer = ask(camunda7=camunda_7(), camunda8=camunda_8())
    assert answer == {"camunda7": [], "camunda8": []}


def test_a_template_with_a_mistake_is_refused() -> None:
    [template] = camunda_7()
    template["properties"][0]["type"] = "Text"
    assert ask(camunda7=[template])["camunda7"]


@pytest.mark.parametrize("descriptor", [True, False], ids=["with the descriptor", "without it"])
def test_every_field_survives_a_designer(descriptor: bool) -> None:
    before = with_policy(PROCESS, "a.bpmn", "t", ALL_FIELDS)
    answer = ask(xml=before.decode(), **({"moddle": moddle()} if descriptor else {}))
    assert answer["warnings"] == []
    assert policies(answer["xml"].encode()) == policies(before)


def test_a_field_that_equals_the_engine_s_default_is_kept() -> None:
    before = with_policy(PROCESS, "a.bpmn", "t", {"compressStrategy": "SUMMARY", "workingThreshold": "12000"})
    after = ask(xml=before.decode(), moddle=moddle())["xml"]
    assert 'compressStrategy="SUMMARY"' in after
    assert 'workingThreshold="12000"' in after


def test_what_a_later_version_says_by_attribute_or_setting_survives_this_descriptor() -> None:
    later = policy('<gov:policy laterField="x"><gov:setting name="another" value="y"/></gov:policy>')
    after = ask(xml=chain(f'<task id="t">{later}</task>').decode(), moddle=moddle())["xml"]
    assert 'laterField="x"' in after
    assert 'name="another"' in after


REQUIREMENT = '<gov:knowledgeRequirement type="sop">how to &lt;weigh&gt;</gov:knowledgeRequirement>'
FORMS = {
    "a query as text": policy(f"<gov:policy>{REQUIREMENT}</gov:policy>"),
    "a setting beside it": policy('<gov:setting name="budget" value="tokens=300"/>'),
    "another prefix": policy('<g:policy xmlns:g="urn:bpmn-governor:governance:1.0" workingThreshold="5"/>'),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_survives_a_designer_that_has_the_descriptor(form: str) -> None:
    before = chain(f'<task id="t"><incoming>f0</incoming>{FORMS[form]}</task>')
    answer = ask(xml=before.decode(), moddle=moddle())
    assert answer["warnings"] == []
    assert policies(answer["xml"].encode()) == policies(before)


@pytest.mark.parametrize("kind", ["task", "serviceTask", "userTask", "businessRuleTask", "callActivity", "subProcess"])
def test_attributes_of_elements_are_known_to_the_descriptor(kind: str) -> None:
    said = 'gov:workingThreshold="5" gov:retainKeys="a, b" gov:branchStrategy.merge="SUM"'
    also = {"serviceTask": 'gov:jobType="a"', "userTask": 'gov:assignee="ann"', "businessRuleTask": 'gov:decision="d"'}
    before = chain(f'<{kind} id="t" {said} {also.get(kind, "")}/>')
    answer = ask(xml=before.decode(), moddle=moddle())
    assert answer["warnings"] == []
    assert policies(answer["xml"].encode()) == policies(before)
