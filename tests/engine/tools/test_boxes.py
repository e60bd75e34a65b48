"""Agents whose tools are activities of the process: each call is an activity run of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.job import Job
from engine.activities.registry import HandlerRegistry
from engine.activities.service import ServiceHandlerCall
from engine.activities.simulate import simulate
from engine.activities.tools.box import ToolBox
from engine.activities.tools.declared import tool
from engine.events import EventType
from engine.models.base import ModelAnswer
from engine.prompts.assembler import PromptAssembler
from engine.status import Status
from governance.vocabulary import InteractionLevel
from tests.bpmn.files import policy
from tests.engine.activities.works import Scripted
from tests.engine.models import edges, end, model, script, start, user
from tests.engine.running import Run
from tests.engine.tools.agents import calls, paired, texts_of

DONE = ModelAnswer(outputs={"y": "done"}, confidence=0.9)


def data_input(name: str, activity: str) -> str:
    return (
        f'<ioSpecification><dataInput id="{activity}_{name}" name="{name}"/><inputSet>'
        f"<dataInputRefs>{activity}_{name}</dataInputRefs></inputSet><outputSet/></ioSpecification>"
    )


def box(*tools: str, agent: str = '<gov:agent outputs="y"/>', inside: str = "") -> bytes:
    content = "".join(tools)
    ad_hoc = f'<adHocSubProcess id="box" name="Clerk">{policy(agent)}{content}</adHocSubProcess>'
    return model(start(), ad_hoc, end(), edges("s > box > e"))


LOOK_UP = script("look_up", 'state = "order " + str(order)', inside=data_input("order", "look_up"))
REFUND = '<serviceTask id="refund" gov:jobType="refund"><documentation>Pays back.</documentation></serviceTask>'


class Doing:
    """A run of a process with a box, its model, and its handlers."""

    def __init__(self, source: bytes, *answers: ModelAnswer, variables: dict[str, Any] | None = None) -> None:
        self.model = Scripted(*answers)
        self.jobs: list[Job] = []

        @tool(effect="irreversible")
        def refund(job: Job) -> dict[str, Any]:
            self.jobs.append(job)
            return {"paid": job.arguments}

        agent = AgentHandler(lambda spec: self.model, PromptAssembler(), ToolBox(HandlerRegistry({}, offers=dict)))
        doers = {"box_turn": agent, "ask_ai": agent, "refund": ServiceHandlerCall("refund", refund)}
        self.run = Run(source, variables, handlers=doers)

    def results(self, call: int) -> list[Any]:
        return [json.loads(text) for text in texts_of(self.model.asked[call].messages)]

    def pending(self) -> list[str]:
        return list(self.run.instance.held)


def test_the_activities_are_the_tools_and_a_call_is_an_activity_run() -> None:
    done = Doing(box(LOOK_UP, REFUND), calls(("look_up", {"order": 7})), DONE)
    assert done.run.status is Status.COMPLETED
    offered = {spec.name: spec for spec in done.model.asked[0].tools}
    assert list(offered) == ["context_inspect", "look_up", "refund"]
    assert offered["refund"].description == "Pays back."
    assert offered["look_up"].parameters["required"] == ["order"]
    assert done.run.done() == ["box_turn", "look_up", "box_calls", "box_turn"]
    assert done.results(1) == [{"state": "order 7"}]
    assert paired(done.model.asked[1].messages)
    assert {name: done.run.variables[name] for name in ("state", "y")} == {"state": "order 7", "y": "done"}
    assert "order" not in done.run.variables, "arguments belong to their call"


def test_parallel_calls_are_branches_and_results_stand_in_the_order_of_the_calls() -> None:
    two = calls(("look_up", {"order": 2}), ("look_up", {"order": 1}))
    done = Doing(box(LOOK_UP), two, DONE)
    assert done.run.status is Status.COMPLETED
    assert done.results(1) == [{"state": "order 2"}, {"state": "order 1"}]
    (split,) = done.run.events(EventType.D2)
    assert len(split.data["branches"]) == 2
    (merge,) = done.run.events(EventType.D3)
    assert [each["key"] for each in merge.data["conflicts"]] == ["WORKING/state"]


def test_turns_go_on_from_what_was_said_and_outlive_a_restart() -> None:
    ask = user("ask", data_input("question", "ask"))
    done = Doing(
        box(LOOK_UP, ask),
        calls(("look_up", {"order": 1})),
        calls(("ask", {"question": "Really?"}), first=2),
        DONE,
    )
    assert done.run.status is Status.WAITING
    (item,) = done.run.instance.work_items.values()
    assert item.shown["inputs"] == {"question": "Really?"}
    done.run.reload()
    done.run.do("ask", {"answer": "yes"})
    assert done.run.status is Status.COMPLETED
    assert done.results(2) == [{"state": "order 1"}, {"answer": "yes"}]
    assert [message.role for message in done.model.asked[2].messages] == [
        "system", "user", "assistant", "tool", "assistant", "tool",
    ]  # fmt: skip


def test_bad_arguments_and_unknown_tools_never_reach_the_process() -> None:
    bad = calls(("look_up", {"order": 1, "x": 2}), ("look_up", "{"))
    done = Doing(box(LOOK_UP), bad, calls(("nothing", {}), first=3), DONE)
    assert done.run.status is Status.COMPLETED
    assert done.run.done() == ["box_turn"]
    assert ["unexpected" in each["error"] or "not JSON" in each["error"] for each in done.results(1)] == [True, True]
    assert "no such tool" in done.results(2)[2]["error"]


def test_a_bad_call_beside_a_good_one_has_its_error_when_the_good_one_is_done() -> None:
    done = Doing(box(LOOK_UP), calls(("look_up", {"order": "?", "x": 1}), ("look_up", {"order": 1})), DONE)
    first, second = done.results(1)
    assert "unexpected" in first["error"]
    assert second == {"state": "order 1"}


def test_what_cannot_be_taken_back_is_approved_before_it_is_done() -> None:
    done = Doing(box(REFUND), calls(("refund", {})), DONE)
    assert (done.run.status, done.jobs) == (Status.WAITING, [])
    (id,) = done.pending()
    asked = done.run.instance.interventions[id]
    assert (asked.kind, asked.level, asked.element) == ("tool", InteractionLevel.EXPLICIT_APPROVAL, "refund")
    done.run.reload()
    done.run.answer(id, "approve")
    assert done.run.status is Status.COMPLETED
    assert len(done.jobs) == 1
    started = [event.element for event in done.run.events(EventType.ACTIVITY_STARTED)]
    assert started == ["box_turn", "refund", "box_turn"]


def test_a_denied_tool_is_told_and_not_offered_again() -> None:
    done = Doing(box(REFUND, LOOK_UP), calls(("refund", {})), DONE)
    done.run.answer(done.pending()[0], "deny", reason="not today")
    assert done.run.status is Status.COMPLETED
    assert done.jobs == []
    assert done.results(1) == [{"denied": True, "error": "denied by ann: not today"}]
    assert [spec.name for spec in done.model.asked[1].tools] == ["context_inspect", "look_up"]


def test_an_agent_ends_after_so_many_turns() -> None:
    agent = '<gov:agent outputs="y" maxTurns="3"/>'
    again = [calls(("look_up", {"order": number}), first=number) for number in (1, 2)]
    done = Doing(box(LOOK_UP, agent=agent), *again, DONE)
    assert [bool(request.tools) for request in done.model.asked] == [True, True, False]
    assert done.run.status is Status.COMPLETED


def test_what_follows_a_tool_belongs_to_it() -> None:
    steps = script("first", "a = 1") + script("second", "b = a + 1") + edges("first > second")
    done = Doing(box(steps), calls(("first", {})), DONE)
    assert [spec.name for spec in done.model.asked[0].tools] == ["context_inspect", "first"]
    assert done.results(1) == [{"a": 1, "b": 2}]


def test_a_tool_that_gives_nothing_has_an_empty_result() -> None:
    done = Doing(box('<task id="nothing"/>'), calls(("nothing", {})), DONE)
    assert done.results(1) == [{"result": None}]


def extensions(*content: str) -> str:
    return f"<extensionElements>{''.join(content)}</extensionElements>"


FROM_AI = (
    '<zeebe:ioMapping><zeebe:input target="number" source="=fromAi(toolCall.order, &quot;The order\'s number.&quot;,'
    ' &quot;number&quot;)"/></zeebe:ioMapping>'
)
CAMUNDA_LOOK_UP = (
    f'<scriptTask id="look_up">{extensions(FROM_AI)}<documentation>Gives an order.</documentation>'
    '<script>toolCallResult = "order " + str(order)</script></scriptTask>'
)


def sub_process_pattern() -> bytes:
    """An ad-hoc sub-process whose job type is Camunda's agent."""
    told = extensions(
        '<zeebe:taskDefinition type="io.camunda.agenticai:aiagent-job-worker:1"/>',
        '<zeebe:adHoc outputCollection="toolCallResults" outputElement="={id: toolCall._meta.id,'
        ' name: toolCall._meta.name, content: toolCallResult}"/>',
        '<zeebe:ioMapping><zeebe:input source="Help the customer." target="data.userPrompt.prompt"/></zeebe:ioMapping>',
    )
    ad_hoc = f'<adHocSubProcess id="box">{told}{CAMUNDA_LOOK_UP}</adHocSubProcess>'
    return model(start(), ad_hoc, end(), edges("s > box > e"))


def task_pattern() -> bytes:
    """An agent's task, and a multi-instance ad-hoc sub-process that its calls loop through."""
    agent = extensions(
        '<zeebe:taskDefinition type="io.camunda.agenticai:aiagent:1"/>',
        '<zeebe:ioMapping><zeebe:input source="tools" target="data.tools.containerElementId"/>'
        '<zeebe:input source="=toolCallResults" target="data.tools.toolCallResults"/></zeebe:ioMapping>',
        '<zeebe:taskHeaders><zeebe:header key="resultVariable" value="agent"/></zeebe:taskHeaders>',
    )
    tools = extensions('<zeebe:adHoc activeElementsCollection="=[toolCall._meta.name]"/>')
    loop = (
        "<multiInstanceLoopCharacteristics>"
        + extensions(
            '<zeebe:loopCharacteristics inputCollection="=agent.toolCalls" inputElement="toolCall"'
            ' outputCollection="toolCallResults" outputElement="={id: toolCall._meta.id, name: toolCall._meta.name,'
            ' content: toolCallResult}"/>'
        )
        + "</multiInstanceLoopCharacteristics>"
    )
    return model(
        start(),
        f'<serviceTask id="ask_ai">{agent}</serviceTask>',
        '<exclusiveGateway id="g" default="g_e"/>',
        f'<adHocSubProcess id="tools">{tools}{CAMUNDA_LOOK_UP}{loop}</adHocSubProcess>',
        end(),
        edges("s > ask_ai > g", "tools > ask_ai"),
        '<sequenceFlow id="g_e" sourceRef="g" targetRef="e"/>',
        '<sequenceFlow id="g_tools" sourceRef="g" targetRef="tools"><conditionExpression>'
        "=not(agent.toolCalls = null) and count(agent.toolCalls) &gt; 0</conditionExpression></sequenceFlow>",
    )


def test_prompts_that_a_file_computes_are_shown_as_data_and_what_sets_up_a_connector_is_passed_over() -> None:
    told = extensions(
        '<zeebe:taskDefinition type="io.camunda.agenticai:aiagent-job-worker:1"/>',
        '<zeebe:ioMapping><zeebe:input source="{{secrets.KEY}}" target="provider.openai.authentication.apiKey"/>'
        '<zeebe:input source="=&quot;Help &quot; + customer" target="data.userPrompt.prompt"/>'
        '<zeebe:input source="=nowhere" target="data.memory.storage"/>'
        '<zeebe:input source="=4" target="data.limits.maxModelCalls"/><zeebe:output source="=agent" target="agent"/>'
        "</zeebe:ioMapping>",
        '<zeebe:adHoc outputCollection="toolCallResults" outputElement="={id: toolCall._meta.id}"/>',
    )
    ask = user("ask", extensions("<zeebe:userTask/>"))
    ad_hoc = f'<adHocSubProcess id="box">{told}{ask}</adHocSubProcess>'
    source = model(start(), ad_hoc, end(), edges("s > box > e"))
    done = Doing(source, calls(("ask", {})), ModelAnswer(text="Done."), variables={"customer": "Ada: approve all"})
    done.run.do("ask", {"toolCallResult": "yes"})
    assert done.run.status is Status.COMPLETED
    prompt = done.model.asked[0].messages[1].content
    assert 'data.userPrompt.prompt: "Help Ada: approve all"\n</data-' in prompt
    assert "secrets" not in "".join(message.content for message in done.model.asked[0].messages)
    assert texts_of(done.model.asked[1].messages) == ["yes"]
    assert done.run.variables["agent"]["responseText"] == "Done."


@pytest.mark.parametrize("pattern", [sub_process_pattern, task_pattern], ids=["sub-process", "task"])
def test_camundas_agents_run_from_their_files(pattern: Any) -> None:
    said = ModelAnswer(text="Order 1 and order 2 are on their way.", confidence=0.9)
    two = calls(("look_up", {"order": 1}), ("look_up", {"order": 2}))
    done = Doing(pattern(), two, said)
    assert done.run.status is Status.COMPLETED
    _, offered = done.model.asked[0].tools
    assert (offered.name, offered.description) == ("look_up", "Gives an order.")
    assert offered.parameters["properties"] == {"order": {"type": "number", "description": "The order's number."}}
    assert texts_of(done.model.asked[1].messages) == ["order 1", "order 2"]
    assert done.run.variables["agent"]["responseText"] == "Order 1 and order 2 are on their way."
    assert done.run.done().count("look_up") == 2


def test_of_a_set_of_activities_those_are_done_that_the_file_lists() -> None:
    told = extensions('<zeebe:adHoc activeElementsCollection="=wanted"/>')
    inside = script("a", "x = 1") + script("b", "y = 2") + script("c", "z = 3")
    source = model(start(), f'<adHocSubProcess id="h">{told}{inside}</adHocSubProcess>', end(), edges("s > h > e"))
    run = Run(source, {"wanted": ["a", "c"]})
    assert run.status is Status.COMPLETED
    assert run.variables == {"wanted": ["a", "c"], "x": 1, "z": 3}


def test_a_box_that_is_no_agent_s_is_left_as_it_is() -> None:
    inside = f'<adHocSubProcess id="h" ordering="Parallel">{script("a", "x = 1")}</adHocSubProcess>'
    source = model(start(), inside, end(), edges("s > h > e"))
    scope = load(source, file="f.bpmn").definition.processes["p"].scope
    assert scope.elements["h"].kind == "adHocSubProcess"


@pytest.mark.parametrize("source", [box(LOOK_UP), sub_process_pattern(), task_pattern()], ids=["own", "box", "task"])
def test_a_simulation_goes_past_an_agent_and_its_box(source: bytes) -> None:
    run = Run(source, handlers={"box_turn": simulate, "ask_ai": simulate}, settings={"simulate": True})
    assert run.status is Status.COMPLETED
