"""What the reader makes of activities: jobs, agents, people, data, loops, calls."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.definition import AgentConfig, Assignment, DataItem, Expression, LoopCharacteristics
from tests.bpmn.files import chain, definition, element, finding, flow, loaded, policy, process, rules

IO = (
    '<ioSpecification><dataInput id="i1" name="claim" itemSubjectRef="text"/><dataInput id="i2" name="rate"/>'
    '<dataOutput id="o1" name="risk" itemSubjectRef="t:number"/>'
    '<dataOutput id="o2" name="notes" itemSubjectRef="texts"/>'
    '<dataOutput id="o3" itemSubjectRef="form" isCollection="true"/>'
    "<inputSet><dataInputRefs>i1</dataInputRefs><optionalInputRefs>i2</optionalInputRefs></inputSet>"
    "<outputSet><dataOutputRefs>o1</dataOutputRefs><optionalOutputRefs>o2</optionalOutputRefs></outputSet>"
    "</ioSpecification>"
)
TYPES = (
    '<itemDefinition id="text" structureRef="xsd:string"/><itemDefinition id="number" structureRef="java.lang.Double"/>'
    '<itemDefinition id="texts" structureRef="string" isCollection="true"/>'
    '<itemDefinition id="form" structureRef="x:Y"/>'
)


@pytest.mark.parametrize(
    ("attributes", "inside", "job"),
    [
        ('gov:jobType="mail"', "", "mail"),
        ('camunda:type="external" camunda:topic="mail"', "", "mail"),
        ("", '<zeebe:taskDefinition type="mail" retries="3"/>', "mail"),
        ('gov:jobType="mail" camunda:topic="mail"', "", "mail"),
        ('gov:jobType=" "', "", None),
        ("", "", None),
        ("", "<zeebe:inner><zeebe:taskDefinition type='mail'/></zeebe:inner>", None),
    ],
)
@pytest.mark.parametrize("kind", ["serviceTask", "sendTask", "businessRuleTask", "task"])
def test_job_types(kind: str, attributes: str, inside: str, job: str | None) -> None:
    assert element(chain(f'<{kind} id="a" {attributes}>{policy(inside)}</{kind}>')).job_type == job


def test_job_types_that_disagree() -> None:
    found = finding(chain('<serviceTask id="a" gov:jobType="x" camunda:topic="y"/>'), "job-type")
    assert (found.element, found.line, found.found) == ("a", 4, "gov:jobType x, camunda:topic y")


def test_a_job_type_where_no_handler_works() -> None:
    found = finding(chain('<userTask id="a" camunda:topic="x"/>'), "job-type")
    assert found.found == "userTask"
    assert "serviceTask" in found.allowed


def test_an_agent() -> None:
    attributes = 'model="m" prompt="Judge it." tools="search, mail" outputs="risk:number" maxTurns="3" maxTokens="9"'
    agent = f"<gov:agent {attributes}/>"
    found = element(chain(f'<serviceTask id="a">{policy(agent)}</serviceTask>'))
    assert found.job_type == "agent"
    assert found.agent == AgentConfig(
        model="m", prompt="Judge it.", tools=("search", "mail"), max_turns=3, max_tokens=9
    )
    assert found.outputs_schema == {"type": "object", "properties": {"risk": {"type": "number"}}, "required": ["risk"]}


def test_an_agent_that_says_nothing() -> None:
    found = element(chain(f'<task id="a">{policy("<gov:agent/>")}<documentation>Judge.</documentation></task>'))
    assert found.agent == AgentConfig()
    assert (found.job_type, found.outputs_schema) == ("agent", None)


@pytest.mark.parametrize(
    ("task", "agent", "found", "allowed"),
    [
        ("task", '<gov:agent promt="x"/>', "promt", "prompt"),
        ("task", '<gov:agent gov:model="x"/>', "gov:model", "model"),
        ("task", "<gov:agent><gov:tool/></gov:agent>", "<tool>", "tools"),
        ("task", '<gov:agent maxTurns="0"/>', "0", "a whole number from 1"),
        ("task", '<gov:agent maxTokens="many"/>', "many", "a whole number from 1"),
        ("task", '<gov:agent tools=","/>', ",", "names of tools, with commas between"),
        ("task", '<gov:agent tools="mail, search, mail"/>', "mail", "search"),
        ("task", '<gov:agent outputs="risk:nubmer"/>', "risk:nubmer", "number"),
        ("userTask", "<gov:agent/>", "userTask", "serviceTask"),
        ("scriptTask", "<gov:agent/>", "scriptTask", "serviceTask"),
    ],
)
def test_agents_that_are_wrong(task: str, agent: str, found: str, allowed: str) -> None:
    wrong = finding(chain(f'<{task} id="a">{policy(agent)}</{task}>'), "agent")
    assert (wrong.severity, wrong.element, wrong.line, wrong.found) == ("error", "a", 4, found)
    assert allowed in wrong.allowed


def test_an_agent_misspelt_gets_the_near_match() -> None:
    agent = policy('<gov:agent modle="x"/>')
    assert "did you mean model?" in finding(chain(f'<task id="a">{agent}</task>'), "agent").message


def test_an_agent_and_another_job_type() -> None:
    data = chain(f'<task id="a" gov:jobType="mail">{policy("<gov:agent/>")}</task>')
    assert finding(data, "job-type").found == "gov:agent and mail"
    assert element(chain(f'<task id="a" gov:jobType="agent">{policy("<gov:agent/>")}</task>')).job_type == "agent"


def test_data_inputs_and_outputs() -> None:
    found = element(chain(f'<userTask id="a">{IO}</userTask>', beside=TYPES))
    assert found.data_inputs == (
        DataItem(name="claim", schema={"type": "string"}),
        DataItem(name="rate", optional=True),
    )
    assert found.data_outputs == (
        DataItem(name="risk", schema={"type": "number"}),
        DataItem(name="notes", schema={"type": "string"}, collection=True, optional=True),
        DataItem(name="o3", collection=True),
    )
    assert found.outputs_schema == {
        "type": "object",
        "properties": {
            "risk": {"type": "number"},
            "notes": {"type": "array", "items": {"type": "string"}},
            "o3": {"type": "array", "items": {}},
        },
        "required": ["risk", "o3"],
    }


def test_an_agents_outputs_win_over_data_outputs() -> None:
    agent = policy('<gov:agent outputs="x"/>')
    found = element(chain(f'<task id="a">{agent}{IO}</task>', beside=TYPES))
    assert found.outputs_schema == {"type": "object", "properties": {"x": {}}, "required": ["x"]}


def test_data_of_a_process() -> None:
    found = definition(process(f'{IO}<startEvent id="s"/>', beside=TYPES)).processes["p"]
    assert [item.name for item in found.data_inputs] == ["claim", "rate"]
    assert [item.name for item in found.data_outputs] == ["risk", "notes", "o3"]


def test_data_associations_name_the_variable() -> None:
    objects = '<dataObject id="d1" name="left"/><dataObjectReference id="r1" name="Left" dataObjectRef="d1"/>'
    call = (
        '<callActivity id="a" calledElement="q"><ioSpecification><dataInput id="i" name="x"/><dataOutput id="o" '
        'name="left"/></ioSpecification><dataInputAssociation><sourceRef>r1</sourceRef><targetRef>i</targetRef>'
        "</dataInputAssociation><dataOutputAssociation><sourceRef>o</sourceRef><targetRef>r1</targetRef>"
        "</dataOutputAssociation></callActivity>"
    )
    called = '<process id="q"><startEvent id="qs"/></process>'
    data = process('<startEvent id="s"/>' + objects + call + flow("f", "s", "a"), beside=called)
    found = element(data)
    assert [item.variable for item in found.data_inputs] == ["Left"]
    assert [item.variable for item in found.data_outputs] == [None]


def test_people() -> None:
    attributes = 'gov:assignee="ann" gov:candidateUsers="bob, eve" gov:candidateGroups="clerks,bosses" gov:due="P2D"'
    assert element(chain(f'<userTask id="a" {attributes}/>')).assignment == Assignment(
        assignee="ann", users=("bob", "eve"), groups=("clerks", "bosses"), due="P2D"
    )
    assert element(chain('<userTask id="a"/>')).assignment is None


@pytest.mark.parametrize(
    ("attributes", "groups"),
    [("", ("Sales",)), ('gov:due="P1D"', ("Sales",)), ('gov:assignee="ann"', ()), ('gov:candidateGroups="x"', ("x",))],
)
def test_the_lane_stands_in_where_nobody_is_named(attributes: str, groups: tuple[str, ...]) -> None:
    lane = '<laneSet><lane id="l" name="Sales"><flowNodeRef>a</flowNodeRef></lane></laneSet>'
    data = process(f'{lane}<startEvent id="s"/><userTask id="a" {attributes}/>' + flow("f", "s", "a"))
    assignment = element(data).assignment
    assert assignment is not None
    assert assignment.groups == groups


def test_calls() -> None:
    called = '<process id="q"><startEvent id="qs"/></process>'
    for reference in ("q", "ns:q"):
        assert element(chain(f'<callActivity id="a" calledElement="{reference}"/>', beside=called)).called == "q"


def test_messages_of_tasks() -> None:
    data = chain(
        '<receiveTask id="a" messageRef="m"/>', '<sendTask id="b" messageRef="t:m"/>', beside='<message id="m"/>'
    )
    for identifier in ("a", "b"):
        event = element(data, identifier).event
        assert event is not None
        assert (event.kind, event.ref) == ("message", "m")


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        (
            '<standardLoopCharacteristics testBefore="true" loopMaximum="3"><loopCondition>n &lt; 2</loopCondition>'
            "</standardLoopCharacteristics>",
            {
                "kind": "standard",
                "test_before": True,
                "maximum": 3,
                "completion_condition": Expression(text="n < 2", line=4),
            },
        ),
        (
            '<multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>3</loopCardinality>'
            "<completionCondition>done</completionCondition></multiInstanceLoopCharacteristics>",
            {
                "kind": "sequential",
                "cardinality": Expression(text="3", line=4),
                "completion_condition": Expression(text="done", line=4),
            },
        ),
        (
            "<multiInstanceLoopCharacteristics><loopDataInputRef>d</loopDataInputRef>"
            "<loopDataOutputRef>results</loopDataOutputRef><inputDataItem id='x' name='order'/>"
            "<outputDataItem id='result'/></multiInstanceLoopCharacteristics>",
            {
                "kind": "parallel",
                "collection": Expression(text="orders", line=4),
                "input_item": "order",
                "output_collection": "results",
                "output_item": "result",
            },
        ),
    ],
)
def test_loops(marker: str, expected: dict[str, Any]) -> None:
    data = process(
        f'<startEvent id="s"/>\n<task id="a">{marker}</task><dataObject id="d" name="orders"/>' + flow("f", "s", "a")
    )
    assert element(data).loop == LoopCharacteristics(**expected)


def test_quantities_and_compensation_are_kept_for_the_check() -> None:
    data = chain('<task id="a" startQuantity="2" completionQuantity="3" isForCompensation="true"/>')
    found = loaded(data).definition.processes["p"].scope.elements["a"]
    assert (found.start_quantity, found.completion_quantity, found.for_compensation) == (2, 3, True)
    assert "quantity" in rules(loaded(chain('<task id="a" startQuantity="0"/>')).findings)


def test_a_global_task_is_a_process_that_does_it_alone() -> None:
    told = '<globalScriptTask id="g" name="G"><script>x = 1</script></globalScriptTask>'
    held = definition(chain('<callActivity id="a" calledElement="g"/>', beside=told))
    task = held.processes["g"].scope.elements["g"]
    assert held.main == "p"
    assert (task.kind, task.name, task.script and task.script.text) == ("scriptTask", "G", "x = 1")
    assert not loaded(chain('<callActivity id="a" calledElement="g"/>', beside=told)).errors
