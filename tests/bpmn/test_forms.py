"""Forms of people's tasks: in the file, in files beside it, in another program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bpmn.forms.camunda import FormError, form_of, schema_of
from bpmn.load import Loaded, load
from tests.bpmn.files import chain, element, finding, policy

FORM: dict[str, Any] = {
    "id": "approve",
    "components": [
        {"type": "text", "text": "# Please"},
        {"type": "textfield", "key": "note", "label": "A note", "validate": {"required": True}},
        {"type": "number", "key": "order.total"},
        {"type": "checkbox", "key": "ok"},
        {"type": "radio", "key": "kind", "values": [{"label": "X", "value": "x"}, {"label": "Y", "value": "y"}]},
        {"type": "checklist", "key": "tags", "values": [{"value": "a"}]},
        {"type": "textfield", "key": "shown", "disabled": True},
        {"type": "group", "path": "who", "components": [{"type": "textfield", "key": "name"}]},
        {"type": "dynamiclist", "path": "lines", "components": [{"type": "number", "key": "price"}]},
        {"type": "button", "key": "b"},
    ],
}
SPIFF = 'xmlns:spiffworkflow="http://spiffworkflow.org/bpmn/schema/1.0/core"'


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


ASKED = _object(
    {
        "note": {"type": "string", "title": "A note"},
        "order": _object({"total": {"type": "number"}}),
        "ok": {"type": "boolean"},
        "kind": {"enum": ["x", "y"]},
        "tags": {"type": "array", "items": {"enum": ["a"]}},
        "who": _object({"name": {"type": "string"}}),
        "lines": {"type": "array", "items": _object({"price": {"type": "number"}})},
    },
    "note",
)


def test_a_camunda_form_asks_for_what_its_components_take() -> None:
    assert schema_of(form_of(json.dumps(FORM))) == ASKED


@pytest.mark.parametrize("text", ["", "{", "[]", '{"components": 1}'])
def test_what_is_no_form_says_so(text: str) -> None:
    with pytest.raises(FormError):
        form_of(text)


def test_a_form_is_bounded() -> None:
    form: dict[str, Any] = {"components": [{"type": "number", "key": f"k{n}"} for n in range(3000)]}
    with pytest.raises(FormError, match="more than"):
        schema_of(form)


def _defined(name: str, value: str) -> str:
    return f'<zeebe:formDefinition {name}="{value}"/>'


def _embedded(text: str) -> bytes:
    task = f'<userTask id="a">{policy(_defined("formKey", "camunda-forms:bpmn:f"))}'
    held = policy(f'<zeebe:userTaskForm id="f"><![CDATA[{text}]]></zeebe:userTaskForm>')
    return chain(f"{task}</userTask>").replace(b'isExecutable="true">', b'isExecutable="true">' + held.encode(), 1)


def test_a_form_that_the_file_holds_is_read() -> None:
    assert element(_embedded(json.dumps(FORM))).outputs_schema == ASKED
    assert finding(_embedded("{"), "ignored").element == "a"


def _beside(tmp_path: Path, task: str, **files: str) -> Loaded:
    (tmp_path / "a.bpmn").write_bytes(chain(task))
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text)
    return load(tmp_path / "a.bpmn")


@pytest.mark.parametrize(
    "task",
    [
        '<userTask id="a" camunda:formRef="approve"/>',
        f'<userTask id="a">{policy(_defined("formId", "approve"))}</userTask>',
        '<userTask id="a" camunda:formKey="camunda-forms:deployment:forms/f.form"/>',
    ],
)
def test_a_form_beside_the_file_is_read(tmp_path: Path, task: str) -> None:
    found = _beside(tmp_path, task, f__form=json.dumps(FORM), other__form="{")
    assert found.definition.processes["p"].scope.elements["a"].outputs_schema == ASKED
    assert not found.findings


SCHEMA_TASK = (
    f'<userTask id="a" {SPIFF}><extensionElements><spiffworkflow:properties><spiffworkflow:property '
    'name="formJsonSchemaFilename" value="{}"/></spiffworkflow:properties></extensionElements></userTask>'
)


def test_a_json_schema_beside_the_file_is_read(tmp_path: Path) -> None:
    schema = {"title": "T", "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    found = _beside(tmp_path, SCHEMA_TASK.format("s.json"), s__json=json.dumps(schema))
    assert found.definition.processes["p"].scope.elements["a"].outputs_schema == schema


@pytest.mark.parametrize(
    ("name", "text"),
    [("none.json", "{}"), ("../../etc/passwd", "{}"), ("s.json", "[1"), ("s.json", '{"$ref": "http://x/y"}')],
)
def test_one_that_is_not_there_or_is_none_is_told(tmp_path: Path, name: str, text: str) -> None:
    found = _beside(tmp_path, SCHEMA_TASK.format(name), s__json=text)
    told = [each for each in found.findings if each.rule == "missing-form"]
    assert [(each.severity, each.element, each.found) for each in told] == [("warning", "a", name)]
    assert found.definition.processes["p"].scope.elements["a"].outputs_schema is None


def test_no_folder_is_looked_into_for_bytes() -> None:
    assert finding(chain('<userTask id="a" camunda:formRef="approve"/>'), "missing-form").element == "a"


@pytest.mark.parametrize("key", ["embedded:app:forms/x.html", "app:x.jsf", "some-key"])
def test_a_form_of_another_program_is_told(key: str) -> None:
    problem = finding(chain(f'<userTask id="a" camunda:formKey="{key}"/>'), "ignored")
    assert (problem.severity, problem.element, problem.found) == ("warning", "a", key)


def test_a_start_event_has_no_form_here() -> None:
    data = chain('<task id="a"/>').replace(b'<startEvent id="s"/>', b'<startEvent id="s" camunda:formKey="x"/>')
    assert finding(data, "ignored").found == "camunda:formKey"
