"""A function that its language does not have is told when a file is checked, wherever an expression may stand."""

from __future__ import annotations

import pytest

from tests.bpmn.dmn import models
from tests.bpmn.files import chain, flow, loaded, process

ZEEBE_IO = (
    '<extensionElements><zeebe:ioMapping><zeebe:{0} source="{{}}" target="x"/></zeebe:ioMapping></extensionElements>'
)
CAMUNDA_IO = (
    "<extensionElements><camunda:inputOutput><camunda:{0} name='x'>{{}}</camunda:{0}></camunda:inputOutput>"
    "</extensionElements>"
)
TIMER = (
    '<intermediateCatchEvent id="t"><timerEventDefinition><{0}>{{}}</{0}></timerEventDefinition>'
    "</intermediateCatchEvent>"
)
LOOP = '<task id="t"><multiInstanceLoopCharacteristics>{0}</multiInstanceLoopCharacteristics></task>'
PLACES = {
    "collection": '<task id="t"><multiInstanceLoopCharacteristics camunda:collection="{}"/></task>',
    "cardinality": LOOP.format("<loopCardinality>{}</loopCardinality>"),
    "completion": LOOP.format("<loopCardinality>2</loopCardinality><completionCondition>{}</completionCondition>"),
    "standard loop": '<task id="t"><standardLoopCharacteristics><loopCondition>{}</loopCondition>'
    "</standardLoopCharacteristics></task>",
    "zeebe input": f'<serviceTask id="t">{ZEEBE_IO.format("input")}</serviceTask>',
    "zeebe output": f'<serviceTask id="t">{ZEEBE_IO.format("output")}</serviceTask>',
    "camunda input": f'<serviceTask id="t">{CAMUNDA_IO.format("inputParameter")}</serviceTask>',
    "camunda output": f'<serviceTask id="t">{CAMUNDA_IO.format("outputParameter")}</serviceTask>',
    "duration": TIMER.format("timeDuration"),
    "date": TIMER.format("timeDate"),
    "condition": '<intermediateCatchEvent id="t"><conditionalEventDefinition><condition>{}</condition>'
    "</conditionalEventDefinition></intermediateCatchEvent>",
    "assignee": '<userTask id="t" camunda:assignee="{}"/>',
    "candidate groups": '<userTask id="t" camunda:candidateGroups="{}"/>',
    "due": '<userTask id="t" camunda:dueDate="{}"/>',
    "decision": '<businessRuleTask id="t" camunda:decisionRef="{}"/>',
    "call's input": '<callActivity id="t" calledElement="p"><extensionElements>'
    '<camunda:in sourceExpression="{}" target="x"/></extensionElements></callActivity>',
}  # fmt: skip


@pytest.mark.parametrize("text", ["= lenght(x) > 1", "${lenght(x) > 1}"])
@pytest.mark.parametrize("place", PLACES)
def test_wherever_an_expression_stands(place: str, text: str) -> None:
    data = chain(PLACES[place].replace("{}", text.replace(">", "&gt;")))
    found = [each for each in loaded(data).findings if "function lenght" in each.message]
    wanted = ("task-due", "warning") if place == "due" else ("expression", "error")
    assert [(each.rule, each.severity, each.element, each.file, each.line) for each in found] == [
        (*wanted, "t", "a.bpmn", 4)
    ]


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("= string lenght(x) &gt; 1", "there is no function string lenght; did you mean string length"),
        ("${x.size2() &gt; 1}", "did you mean size"),
        ("${vars:isEmtpy('x')}", "the function vars:isEmtpy (did you mean vars:isEmpty"),
        ("lenn(x) &gt; 1", "the function lenn (did you mean len?) may not be used here"),
    ],
)
def test_a_flow_with_the_names_that_look_like_it(condition: str, says: str) -> None:
    body = '<startEvent id="s"/><exclusiveGateway id="g" default="o"/><endEvent id="e"/>'
    flows = [flow("f", "s", "g"), flow("c", "g", "e", condition), flow("o", "g", "e")]
    [found] = [each for each in loaded(process("\n".join([body, *flows]))).findings if each.rule == "expression"]
    assert (found.severity, found.element, found.file, found.line) == ("error", "c", "a.bpmn", 5)
    assert says in found.message


def test_a_decision_that_calls_what_is_not_there_is_warned_of_and_gives_null() -> None:
    source = models.definitions(
        models.decision("D", models.literal("if 1 > 2 then upper cas(1) else twice(2)"), knows=["twice"]),
        models.decision("E", models.table(["x"], ["y"], ["> limt(2) => 1"])),
        models.knowledge("twice", {"x": ""}, models.literal("helper(x) * 2")),
    )
    found = [each for each in models.loaded(source).findings() if each.rule == "decision-function"]
    assert [(each.severity, each.message) for each in found] == [
        ("warning", "there is no function upper cas; did you mean upper case or lower case?"),
        ("warning", "there is no function limt; did you mean split?"),
        ("warning", "there is no function helper"),
    ]
    assert models.decide(source, "D") is None
