"""Processes whose one agent calls tools, with a scripted model and handlers that count."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.activities.agent import AgentHandler
from engine.activities.job import Job
from engine.activities.registry import HandlerRegistry
from engine.activities.tools.box import ToolBox
from engine.activities.tools.declared import tool
from engine.activities.tools.guard import ToolGuard
from engine.events import EventType
from engine.models.base import Message, ModelAnswer, ModelRequest, ToolCall
from engine.prompts.assembler import PromptAssembler
from engine.prompts.fence import fences
from governance.human_loop.intervention import Intervention
from tests.bpmn.files import policy
from tests.engine.activities.works import Scripted
from tests.engine.models import edges, end, model, start
from tests.engine.running import Run

ORDER = {
    "type": "object",
    "properties": {"order": {"type": "integer"}},
    "required": ["order"],
    "additionalProperties": False,
}
DONE = ModelAnswer(outputs={"y": "done"}, confidence=0.9)


def calls(*wanted: tuple[str, Mapping[str, Any] | str], text: str = "", first: int = 1) -> ModelAnswer:
    """An answer that calls tools; ids count from `first`."""
    made = tuple(
        ToolCall(f"c{number}", name, given if isinstance(given, str) else json.dumps(given))
        for number, (name, given) in enumerate(wanted, first)
    )
    return ModelAnswer(text=text, tool_calls=made)


class Shop:
    """Handlers as tools; `done` is what they did, in order."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Mapping[str, Any]]] = []
        self.keys: list[str] = []

    def handlers(self) -> dict[str, Callable[[Job], Any]]:
        @tool(effect="read", parameters=ORDER, public=("order",))
        def look_up(job: Job) -> Any:
            """Gives an order by its number."""
            self._note(job)
            return {"state": "shipped", "order": job.arguments["order"]}

        @tool(effect="write", parameters=ORDER)
        def mark(job: Job) -> Any:
            self._note(job)
            return None

        @tool(effect="irreversible", parameters=ORDER)
        def refund(job: Job) -> Any:
            """Pays money back."""
            self._note(job)
            return {"refunded": job.arguments["order"]}

        @tool(effect="read")
        def broken(job: Job) -> Any:
            self._note(job)
            raise ValueError("no such table")

        return {"look_up": look_up, "mark": mark, "refund": refund, "broken": broken}

    def _note(self, job: Job) -> None:
        self.done.append((job.type, job.arguments))
        self.keys.append(job.key)


class Story:
    """A run of `s > a > e` where agent `a` may call `tools`, and its model gives `answers` in turn."""

    def __init__(
        self,
        tools: str,
        *answers: ModelAnswer | Exception,
        variables: Mapping[str, Any] | None = None,
        governed: str = "",
        max_turns: int | None = None,
        guard: ToolGuard | None = None,
        more: Mapping[str, Callable[[Job], Any]] | None = None,
        body: bytes | None = None,
    ) -> None:
        self.shop, self.model = Shop(), Scripted(*answers)
        box = ToolBox(HandlerRegistry({**self.shop.handlers(), **(more or {})}, offers=dict))
        agent = AgentHandler(lambda spec: self.model, PromptAssembler(), box, guard)
        turns = "" if max_turns is None else f' maxTurns="{max_turns}"'
        inside = policy(f'<gov:agent outputs="y" tools="{tools}"{turns}/>{governed}')
        one = model(start(), f'<serviceTask id="a">{inside}</serviceTask>', end(), edges("s > a > e"))
        self.run = Run(body or one, variables, handlers={"a": agent, "b": agent})

    @property
    def asked(self) -> list[ModelRequest]:
        return self.model.asked

    def offered(self, turn: int) -> list[str]:
        return [spec.name for spec in self.asked[turn - 1].tools]

    def results(self, turn: int) -> list[Any]:
        """What the tools' messages of a call say, as JSON."""
        return [json.loads(text) for text in texts_of(self.asked[turn - 1].messages)]

    def pending(self) -> list[Intervention]:
        return [self.run.instance.interventions[id] for id in self.run.instance.held]

    def tool_events(self) -> list[Mapping[str, Any]]:
        return [event.data for event in self.run.events(EventType.TOOL_CALL)]


def texts_of(messages: Iterable[Message]) -> list[str]:
    """What tools' messages say, behind their fences."""
    return ["\n".join(next(fences(each.content))[0]) for each in messages if each.role == "tool"]


def paired(messages: tuple[Message, ...]) -> bool:
    """Whether each call has one result right behind it, in order, and each result a call."""
    waiting: list[str] = []
    for message in messages:
        if message.role == "tool":
            if not waiting or waiting.pop(0) != message.tool_call_id:
                return False
        elif waiting:
            return False
        waiting += [call.id for call in message.tool_calls]
    return not waiting
