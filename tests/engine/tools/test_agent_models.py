"""Agents of models that others drew: other names, nested, tools of every kind, beside events and people."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.activities.agent import AgentHandler
from engine.activities.job import Job
from engine.activities.registry import HandlerRegistry
from engine.activities.service import ServiceHandlerCall
from engine.activities.tools.box import ToolBox
from engine.activities.tools.declared import tool
from engine.events import EventType
from engine.models.base import ModelAnswer
from engine.prompts.assembler import PromptAssembler
from engine.status import Status
from governance.vocabulary import InteractionLevel
from tests.engine.activities.works import Scripted
from tests.engine.models import edges, end, model, script, start
from tests.engine.running import Run
from tests.engine.tools.agents import calls, paired, texts_of
from tests.engine.tools.test_boxes import extensions

SAID = ModelAnswer(text="It is settled.", confidence=0.9)


def from_ai(target: str, source: str, type: str = "string") -> str:
    wanted = f"fromAi(toolCall.{source}, &quot;What.&quot;, &quot;{type}&quot;)"
    return f'<zeebe:input target="{target}" source="={wanted}"/>'


def mapped(*inputs: str, more: str = "") -> str:
    return extensions(f"<zeebe:ioMapping>{''.join(inputs)}</zeebe:ioMapping>", more)


STOCK = (
    f'<scriptTask id="Activity_0stock" name="Stock">{mapped(from_ai("article", "article"))}'
    "<documentation>How many are there.</documentation>"
    '<script>toolCallResult = {"article": article, "left": len(article)}</script></scriptTask>'
)
DELIVER = (
    f'<subProcess id="Activity_1deliver" name="Deliver">{mapped(from_ai("place", "place"))}'
    "<documentation>Sends it.</documentation>"
    + start("ds")
    + script("pack", "packed = 'box for ' + place")
    + script("ship", "toolCallResult = packed + ', shipped'")
    + end("de")
    + edges("ds > pack > ship > de")
    + "</subProcess>"
)
PAY = (
    '<serviceTask id="Activity_2pay" name="Pay" gov:jobType="pay">'
    + extensions(
        f"<zeebe:ioMapping>{from_ai('amount', 'amount', 'number')}</zeebe:ioMapping>",
        '<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>',
    )
    + "<documentation>Pays.</documentation></serviceTask>"
)
TOOLS = (STOCK, DELIVER, PAY)
RESULT = "={id: toolCall._meta.id, name: toolCall._meta.name, content: toolCallResult}"


def box(*inside: str) -> str:
    """Camunda's agent sub-process, under names of its own."""
    told = extensions(
        '<zeebe:taskDefinition type="io.camunda.agenticai:aiagent-job-worker:1"/>',
        f'<zeebe:adHoc outputCollection="came" outputElement="{RESULT}"/>',
        '<zeebe:ioMapping><zeebe:input source="Serve the customer." target="data.userPrompt.prompt"/>'
        '<zeebe:output source="=assistant.responseText" target="reply"/></zeebe:ioMapping>',
        '<zeebe:taskHeaders><zeebe:header key="resultVariable" value="assistant"/></zeebe:taskHeaders>',
    )
    return f'<adHocSubProcess id="Desk_7" name="Desk">{told}{"".join(inside)}</adHocSubProcess>'


def sub_process_pattern(*inside: str) -> bytes:
    return model(start(), box(*inside), end(), edges("s > Desk_7 > e"))


def loop_pattern(*inside: str) -> tuple[str, ...]:
    """Camunda's agent task, and the multi-instance of its calls, under names of its own."""
    agent = extensions(
        '<zeebe:taskDefinition type="io.camunda.agenticai:aiagent:1"/>',
        '<zeebe:ioMapping><zeebe:input source="Kit" target="data.tools.containerElementId"/>'
        '<zeebe:input source="=came" target="data.tools.toolCallResults"/></zeebe:ioMapping>',
        '<zeebe:taskHeaders><zeebe:header key="resultVariable" value="assistant"/></zeebe:taskHeaders>',
    )
    loop = extensions(
        f'<zeebe:loopCharacteristics inputCollection="=assistant.toolCalls" inputElement="toolCall"'
        f' outputCollection="came" outputElement="{RESULT}"/>'
    )
    kit = extensions('<zeebe:adHoc activeElementsCollection="=[toolCall._meta.name]"/>')
    return (
        start(),
        f'<serviceTask id="Ask_7">{agent}</serviceTask>',
        '<exclusiveGateway id="more" default="more_e"/>',
        f'<adHocSubProcess id="Kit">{kit}{"".join(inside)}'
        f"<multiInstanceLoopCharacteristics>{loop}</multiInstanceLoopCharacteristics></adHocSubProcess>",
        end(),
        edges("s > Ask_7 > more", "Kit > Ask_7"),
        '<sequenceFlow id="more_e" sourceRef="more" targetRef="e"/>',
        '<sequenceFlow id="more_kit" sourceRef="more" targetRef="Kit"><conditionExpression>'
        "=not(assistant.toolCalls = null) and count(assistant.toolCalls) &gt; 0</conditionExpression></sequenceFlow>",
    )


def task_pattern(*inside: str) -> bytes:
    return model(*loop_pattern(*inside))


def nested(*content: str) -> bytes:
    """The same in a sub-process in a sub-process."""
    inner = f'<subProcess id="inner">{"".join(content)}</subProcess>'
    outer = f'<subProcess id="outer">{start("os")}{inner}{end("oe")}{edges("os > inner > oe")}</subProcess>'
    return model(start("first"), outer, end("last"), edges("first > outer > last"))


def nested_sub_process(*inside: str) -> bytes:
    return nested(start(), box(*inside), end(), edges("s > Desk_7 > e"))


def nested_task(*inside: str) -> bytes:
    return nested(*loop_pattern(*inside))


PATTERNS = pytest.mark.parametrize(
    "pattern",
    [sub_process_pattern, task_pattern, nested_sub_process, nested_task],
    ids=["sub-process", "task", "nested sub-process", "nested task"],
)


class Doing:
    def __init__(self, source: bytes, *answers: ModelAnswer) -> None:
        self.model = Scripted(*answers)
        self.paid: list[Any] = []

        @tool(effect="write")
        def pay(job: Job) -> dict[str, Any]:
            self.paid.append(job.variables["amount"])
            return {"toolCallResult": f"paid {job.variables['amount']}"}

        agent = AgentHandler(lambda spec: self.model, PromptAssembler(), ToolBox(HandlerRegistry({}, offers=dict)))
        doers = {"Desk_7_turn": agent, "Ask_7": agent, "Activity_2pay": ServiceHandlerCall("pay", pay)}
        self.run = Run(source, handlers=doers)

    def approve(self) -> None:
        """All that is asked: the call, and the outputs, which the activity's floor has looked at, too."""
        while self.run.instance.held:
            self.run.answer(next(iter(self.run.instance.held)), "approve")

    def came(self, call: int) -> list[Any]:
        found = texts_of(self.model.asked[call].messages)
        return [json.loads(text) if text.startswith("{") else text for text in found]


@PATTERNS
def test_tools_of_every_kind_are_offered_and_called_at_once(pattern: Any) -> None:
    two = calls(("Activity_1deliver", {"place": "Ulm"}), ("Activity_0stock", {"article": "cog"}))
    done = Doing(pattern(*TOOLS), two, SAID)
    assert done.run.status is Status.COMPLETED
    offered = {spec.name: spec for spec in done.model.asked[0].tools}
    assert set(offered) == {"context_inspect", "Activity_0stock", "Activity_1deliver", "Activity_2pay"}
    assert list(offered["Activity_1deliver"].parameters["properties"]) == ["place"]
    assert done.came(1) == ["box for Ulm, shipped", {"article": "cog", "left": 3}]
    assert paired(done.model.asked[1].messages)
    (split,) = done.run.events(EventType.D2)
    assert len(split.data["branches"]) == 2


@PATTERNS
def test_one_tool_waits_for_a_person_while_another_is_done(pattern: Any) -> None:
    two = calls(("Activity_2pay", {"amount": 7}), ("Activity_0stock", {"article": "cog"}))
    done = Doing(pattern(*TOOLS), two, SAID)
    assert (done.run.status, done.paid, len(done.model.asked)) == (Status.WAITING, [], 1)
    assert "Activity_0stock" in done.run.done()
    asked = {done.run.instance.interventions[id].element: id for id in done.run.instance.held}
    assert list(asked) == ["Activity_2pay"]
    level = done.run.instance.interventions[asked["Activity_2pay"]].level
    assert level is InteractionLevel.EXPLICIT_APPROVAL
    done.run.reload()
    done.approve()
    assert (done.run.status, done.paid) == (Status.COMPLETED, [7])
    assert done.came(1) == ["paid 7", {"article": "cog", "left": 3}]


@PATTERNS
def test_a_tool_that_a_person_denies_is_told_and_the_agent_goes_on(pattern: Any) -> None:
    done = Doing(pattern(*TOOLS), calls(("Activity_2pay", {"amount": 7})), SAID)
    (id,) = done.run.instance.held
    done.run.answer(id, "deny", reason="too much")
    assert (done.run.status, done.paid) == (Status.COMPLETED, [])
    assert "too much" in str(done.came(1))
    assert "Activity_2pay" not in {spec.name for spec in done.model.asked[1].tools}


def test_what_an_agent_says_is_mapped_to_the_variable_that_the_file_names() -> None:
    done = Doing(nested_sub_process(*TOOLS), SAID)
    assert done.run.status is Status.COMPLETED
    assert done.run.variables["reply"] == "It is settled."


HURRY = b'<message id="m" name="hurry"/>'


def on_message(interrupting: bool) -> str:
    """An event sub-process in the box."""
    event = '<messageEventDefinition messageRef="m"/>'
    begin = f'<startEvent id="news" isInterrupting="{str(interrupting).lower()}">{event}</startEvent>'
    body = begin + script("note", "noted = 'the customer hurries'") + end("ne") + edges("news > note > ne")
    return f'<subProcess id="listen" triggeredByEvent="true">{body}</subProcess>'


@pytest.mark.parametrize("interrupting", [False, True], ids=["beside", "instead"])
def test_an_event_sub_process_in_the_box_is_no_tool_and_hears_its_message(interrupting: bool) -> None:
    source = sub_process_pattern(*TOOLS, on_message(interrupting)).replace(b"<process ", HURRY + b"<process ", 1)
    done = Doing(source, calls(("Activity_2pay", {"amount": 7})), SAID)
    assert "listen" not in {spec.name for spec in done.model.asked[0].tools}
    assert done.run.status is Status.WAITING
    done.run.go(lambda: done.run.advancing.correlate("hurry", {}))
    assert "note" in done.run.done()
    if interrupting:
        assert (done.run.status, done.paid, len(done.model.asked)) == (Status.COMPLETED, [], 1)
        return
    done.approve()
    assert (done.run.status, done.paid) == (Status.COMPLETED, [7])
    assert done.run.variables["noted"] == "the customer hurries"
