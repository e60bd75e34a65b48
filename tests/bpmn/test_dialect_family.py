"""Camunda 7, Operaton, Flowable and Activiti write the same things in the same words: each is read in each."""

from __future__ import annotations

import pytest

from bpmn.definition import Element
from tests.bpmn.test_dialects import task

FAMILY = ("camunda", "operaton", "flowable", "activiti")
each_dialect = pytest.mark.parametrize("prefix", FAMILY)


def read(prefix: str, attributes: str = "", inside: str = "", *, kind: str = "serviceTask", ext: str = "") -> Element:
    """The element `a`; `~` stands for the dialect's prefix."""
    made: Element = task(attributes.replace("~", prefix), inside.replace("~", prefix), kind=kind,
                         extension=ext.replace("~", prefix))  # fmt: skip
    return made


@each_dialect
@pytest.mark.parametrize(
    ("attributes", "job"),
    [
        ('~:class="com.acme.Pay"', "com.acme.Pay"),
        ('~:delegateExpression="${pay}"', "pay"),
        ('~:expression="${pay.now(order)}"', "pay.now"),
        ('~:type="external" ~:topic="pay"', "pay"),
        ('~:type="mail"', "mail"),
    ],
)
def test_job_types(prefix: str, attributes: str, job: str) -> None:
    assert read(prefix, attributes).job_type == job


@each_dialect
def test_a_result_variable_and_fields(prefix: str) -> None:
    fields = '<~:field name="a" stringValue="x"/><~:field name="b"><~:expression>${y}</~:expression></~:field>'
    found = read(prefix, '~:class="j" ~:resultVariable="r"', ext=fields)
    assert [(each.target, each.expression and each.expression.text) for each in found.input_mappings] == [
        ("a", "'x'"), ("b", "${y}"),
    ]  # fmt: skip
    assert [(each.target, each.expression) for each in found.output_mappings] == [("r", None)]


@each_dialect
@pytest.mark.parametrize("sequential", ["true", "false"])
def test_instances(prefix: str, sequential: str) -> None:
    marker = (
        f'<multiInstanceLoopCharacteristics isSequential="{sequential}" ~:collection="${{xs}}" ~:elementVariable="x">'
        "<completionCondition>${nrOfCompletedInstances &gt; 1}</completionCondition></multiInstanceLoopCharacteristics>"
    )
    loop = read(prefix, inside=marker, kind="userTask").loop
    assert loop is not None
    assert loop.collection is not None
    assert loop.completion_condition is not None
    assert (loop.kind, loop.collection.text, loop.input_item) == (
        "sequential" if sequential == "true" else "parallel", "xs", "x",
    )  # fmt: skip
    assert loop.completion_condition.text == "${nrOfCompletedInstances > 1}"


@each_dialect
@pytest.mark.parametrize(
    "form",
    [
        '<~:formData><~:formField id="ok" type="boolean"/></~:formData>',
        '<~:formProperty id="ok" type="boolean"/>',
    ],
)
def test_forms(prefix: str, form: str) -> None:
    schema = read(prefix, kind="userTask", ext=form).outputs_schema
    assert schema is not None
    assert schema["properties"] == {"ok": {"type": "boolean"}}


@each_dialect
def test_people(prefix: str) -> None:
    found = read(prefix, '~:assignee="ann" ~:candidateUsers="bob,cy" ~:candidateGroups="clerks"', kind="userTask")
    assert found.assignment is not None
    assert (found.assignment.assignee, found.assignment.users, found.assignment.groups) == (
        "ann", ("bob", "cy"), ("clerks",),
    )  # fmt: skip


@each_dialect
def test_what_a_called_process_gets_and_gives(prefix: str) -> None:
    found = read(prefix, 'calledElement="q"', kind="callActivity",
                 ext='<~:in source="a" target="b"/><~:out sourceExpression="${c + 1}" target="d"/>')  # fmt: skip
    assert [(each.target, each.expression and each.expression.text) for each in found.input_mappings] == [("b", "a")]
    assert [(each.target, each.expression and each.expression.text) for each in found.output_mappings] == [
        ("d", "${c + 1}")
    ]


@pytest.mark.parametrize("prefix", ["camunda", "operaton"])
def test_inputs_and_outputs(prefix: str) -> None:
    ext = '<~:inputOutput><~:inputParameter name="x"><~:list><~:value>${y}</~:value></~:list></~:inputParameter>'
    found = read(prefix, '~:class="j"', ext=f"{ext}</~:inputOutput>")
    (mapping,) = found.input_mappings
    assert mapping.expression is not None
    assert [each.text for each in mapping.expression.items] == ["${y}"]


@each_dialect
def test_the_default_flow_of_an_activity(prefix: str) -> None:
    """A default flow is BPMN's own attribute in every dialect."""
    assert read(prefix, '~:class="j" default="g"').default == "g"


@each_dialect
@pytest.mark.parametrize("type", ["external", "external-worker", "dmn"])
def test_a_type_that_says_what_follows_is_no_job_type(prefix: str, type: str) -> None:
    assert read(prefix, f'~:type="{type}"').job_type is None
