"""What vendors' dialects say is read into one definition, whatever the words."""

from __future__ import annotations

import pytest

from bpmn.definition import Assignment, DataMapping, Expression
from bpmn.load import load
from tests.bpmn.files import FILE

SPACES = (
    'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'
    ' xmlns:operaton="http://operaton.org/schema/1.0/bpmn" xmlns:flowable="http://flowable.org/bpmn"'
    ' xmlns:activiti="http://activiti.org/bpmn" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"'
    ' xmlns:spiffworkflow="http://spiffworkflow.org/bpmn/schema/1.0/core"'
)


def task(attributes: str = "", inside: str = "", *, kind: str = "serviceTask", extension: str = ""):  # type: ignore[no-untyped-def]
    """The element `a` of a process start, a, end."""
    extensions = f"<extensionElements>{extension}</extensionElements>" if extension else ""
    text = (
        f'<definitions {SPACES}><process id="p" isExecutable="true"><startEvent id="s"/>'
        f'<{kind} id="a" {attributes}>{extensions}{inside}</{kind}><endEvent id="e"/>'
        '<sequenceFlow id="f" sourceRef="s" targetRef="a"/><sequenceFlow id="g" sourceRef="a" targetRef="e"/></process>'
        '<process id="q"><startEvent id="qs"/></process></definitions>'
    )
    found = load(text.encode(), file=FILE, process="p")
    assert not found.errors, found.errors
    return found.definition.processes["p"].scope.elements["a"]


@pytest.mark.parametrize(
    ("attributes", "extension", "job"),
    [
        ('camunda:type="external" camunda:topic="pay"', "", "pay"),
        ('operaton:topic="pay"', "", "pay"),
        ('camunda:class="com.acme.Pay"', "", "com.acme.Pay"),
        ('camunda:delegateExpression="${pay}"', "", "pay"),
        ('camunda:expression="#{bean.pay(order, 1)}"', "", "bean.pay"),
        ('activiti:class="com.acme.Pay"', "", "com.acme.Pay"),
        ('activiti:type="mail"', "", "mail"),
        ('flowable:type="http"', "", "http"),
        ('flowable:type="external-worker" flowable:topic="pay"', "", "pay"),
        ("", '<zeebe:taskDefinition type="pay"/>', "pay"),
        ("", '<spiffworkflow:serviceTaskOperator id="http/Get"/>', "http/Get"),
    ],
)
def test_job_types(attributes: str, extension: str, job: str) -> None:
    assert task(attributes, extension=extension).job_type == job


PYTHON = "python"


@pytest.mark.parametrize(
    ("attributes", "extension", "inputs", "outputs"),
    [
        (
            "",
            '<camunda:inputOutput><camunda:inputParameter name="x">${order.total}</camunda:inputParameter>'
            '<camunda:inputParameter name="y">plain</camunda:inputParameter>'
            '<camunda:outputParameter name="z">${x}</camunda:outputParameter></camunda:inputOutput>',
            [("x", "${order.total}", None), ("y", "'plain'", PYTHON)],
            [("z", "${x}", None)],
        ),
        (
            "",
            '<zeebe:ioMapping><zeebe:input source="=order.total" target="x"/>'
            '<zeebe:output source="=result" target="order.paid"/></zeebe:ioMapping>',
            [("x", "=order.total", None)],
            [("order.paid", "=result", None)],
        ),
        ("", '<flowable:field name="to"><flowable:string>me</flowable:string></flowable:field>',
         [("to", "'me'", PYTHON)], []),
        ('camunda:resultVariable="r"', "", [], [("r", None, None)]),
        ("", '<spiffworkflow:serviceTaskOperator id="h" resultVariable="r"><spiffworkflow:parameters>'
         '<spiffworkflow:parameter id="url" value="base + \'/x\'"/></spiffworkflow:parameters>'
         "</spiffworkflow:serviceTaskOperator>",
         [("url", "base + '/x'", PYTHON)], [("r", None, None)]),
    ],
)  # fmt: skip
def test_mappings(attributes: str, extension: str, inputs: list[object], outputs: list[object]) -> None:
    found = task(attributes, extension=extension)

    def told(mappings: tuple[DataMapping, ...]) -> list[object]:
        return [
            (each.target, each.expression and each.expression.text, each.expression and each.expression.language)
            for each in mappings
        ]

    assert (told(found.input_mappings), told(found.output_mappings)) == (inputs, outputs)


def test_variables_of_call_activities() -> None:
    mapped = task(
        'calledElement="q"',
        kind="callActivity",
        extension='<camunda:in source="a" target="b"/><camunda:in sourceExpression="${a + 1}" target="c"/>'
        '<camunda:out variables="all"/><camunda:in businessKey="#{execution.processBusinessKey}"/>',
    )
    assert mapped.input_mappings == (
        DataMapping(target="b", expression=Expression(text="a", language="variable")),
        DataMapping(target="c", expression=Expression(text="${a + 1}", line=1)),
    )
    assert mapped.output_mappings == (DataMapping(target="*"),)


def test_a_process_that_camunda_8_calls() -> None:
    assert task(kind="callActivity", extension='<zeebe:calledElement processId="q"/>').called == "q"


@pytest.mark.parametrize(
    ("attributes", "inside", "found"),
    [
        ('isSequential="true" camunda:collection="orders" camunda:elementVariable="order"', "",
         ("sequential", "orders", "order", None, None)),
        ('flowable:collection="${orders}"', "", ("parallel", "orders", None, None, None)),
        ("", '<extensionElements><zeebe:loopCharacteristics inputCollection="=items" inputElement="item" '
         'outputCollection="results" outputElement="=result"/></extensionElements>',
         ("parallel", "=items", "item", "results", "result")),
    ],
)  # fmt: skip
def test_multi_instance(attributes: str, inside: str, found: tuple[str | None, ...]) -> None:
    marker = f"<multiInstanceLoopCharacteristics {attributes}>{inside}</multiInstanceLoopCharacteristics>"
    loop = task(inside=marker, kind="userTask").loop
    assert (loop.kind, loop.collection.text, loop.input_item, loop.output_collection, loop.output_item) == found


def test_people() -> None:
    attributes = 'activiti:assignee="ann" activiti:candidateGroups="a, b" activiti:dueDate="2030-01-01"'
    assert task(attributes, kind="userTask").assignment == Assignment(
        assignee="ann", groups=("a", "b"), due="2030-01-01"
    )
    zeebe = '<zeebe:assignmentDefinition candidateGroups="sales"/><zeebe:taskSchedule dueDate="2030-01-01"/>'
    assert task(kind="userTask", extension=zeebe).assignment == Assignment(groups=("sales",), due="2030-01-01")
    assert task('camunda:assignee="${initiator}"', kind="userTask").assignment == Assignment(assignee="${initiator}")
    computed = '''camunda:candidateUsers="a, ${x.get('a,b')}, b"'''
    assert task(computed, kind="userTask").assignment == Assignment(users=("a", "${x.get('a,b')}", "b"))
    listed = '<zeebe:assignmentDefinition candidateGroups="=[&quot;a&quot;, &quot;b&quot;]"/>'
    assert task(kind="userTask", extension=listed).assignment == Assignment(groups=('=["a", "b"]',))


def test_fields_of_forms_are_what_a_person_gives() -> None:
    form = (
        '<camunda:formData><camunda:formField id="amount" type="long"><camunda:validation>'
        '<camunda:constraint name="required"/></camunda:validation></camunda:formField>'
        '<camunda:formField id="kind" type="enum"><camunda:value id="x"/><camunda:value id="y"/></camunda:formField>'
        "</camunda:formData>"
    )
    assert task(kind="userTask", extension=form).outputs_schema == {
        "type": "object",
        "properties": {"amount": {"type": "integer"}, "kind": {"enum": ["x", "y"]}},
        "required": ["amount"],
    }
    properties = '<flowable:formProperty id="ok" type="boolean"/><flowable:formProperty id="no" writable="false"/>'
    assert list(task(kind="userTask", extension=properties).outputs_schema["properties"]) == ["ok"]


def test_a_script_of_camunda_8_is_an_expression_with_a_result() -> None:
    script = task(kind="scriptTask", extension='<zeebe:script expression="=a + 1" resultVariable="b"/>').script
    assert (script.text, script.language, script.result) == ("=a + 1", "feel", "b")
