"""Activities done by a model: a prompt, calls of tools, declared outputs checked, one more call if they do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.activities.conversation import Conversation, Correction, Exchange
from engine.activities.outputs import declared, problems
from engine.activities.replies import Reply, read_outputs, read_text
from engine.activities.tools.box import BoxedTool, ToolBox, governance_tool
from engine.activities.tools.calls import ToolCalls
from engine.activities.tools.guard import Guards, NoGuard, ToolGuard
from engine.activities.tools.outside import OutsideCalls
from engine.activities.turns import Turns
from engine.activities.work import MISSING, HearFor, Outcome, Work
from engine.models.base import ChatModel, Hear, Message, ModelAnswer
from engine.prompts.assembler import PromptAssembler
from engine.prompts.task import query, result_name
from engine.prompts.view import view_of
from governance.tools.inspecting import NAME as INSPECT
from governance.vocabulary import Layer, Producer

MOST_TURNS: Final = 16
"""Model calls in an attempt where `maxTurns` does not say; the last one is made without tools."""
MOST_IDLE_TURNS: Final = 3


class AgentHandler:
    """Does an activity with the model it names, or the run's. Only declared outputs are taken over.

    The model may look at the context, and call the tools that the activity names. An
    activity that declares no outputs has one, the answer's text, named by `result_name`. What still does not fit after
    the correction is the outcome's `problems`. Raises ModelFailed, UnknownModel, UnknownTools, BadTemplate, and
    Suspended where D1 or a tool has to ask a person first.
    """

    def __init__(
        self,
        models: Callable[[str | None], ChatModel],
        assembler: PromptAssembler,
        box: ToolBox | None = None,
        guard: ToolGuard | None = None,
        hear: HearFor | None = None,
    ) -> None:
        self._models, self._assembler, self._box = models, assembler, box
        self._guard, self._hear = guard or NoGuard(), hear or _nobody

    def __call__(self, work: Work) -> Outcome:
        agent = work.element.agent
        model = self._models(agent.model if agent is not None else None)
        guard = self._guard if work.guard is None else Guards([self._guard, work.guard])
        attempt = _Attempt(work, model, self._assembler, self._tools(work), guard, self._hear(work))
        head = work.context.head
        reply, wrong = attempt.run()
        outputs = dict(reply.outputs or {})
        if attempt.turn is not None and agent is not None and agent.turn is not None:
            outputs[agent.turn] = attempt.turn
        gone = attempt.over and agent is not None and agent.results in work.variables
        return Outcome(
            outputs=outputs,
            deleted=frozenset({agent.results}) if gone and agent is not None and agent.results else frozenset(),
            confidence=reply.confidence,
            decision=reply.decision,
            problems=wrong,
            tools=attempt.used,
            trusted=attempt.trusted,
            findings=reply.findings,
            dead_ends=reply.dead_ends,
            producer=Producer.AGENT,
            tokens_assembled=attempt.turns.assembled,
            tokens_ungoverned=attempt.turns.ungoverned,
            head=work.context.head if work.context.head != head else None,
        )

    def _tools(self, work: Work) -> Mapping[str, BoxedTool]:
        agent = work.element.agent
        named = () if agent is None or self._box is None else agent.tools
        tools = self._box.tools(named, work.element.id) if named and self._box is not None else {}
        if work.desk is None:
            return {}
        # The prompt names what is archived: it can be asked for. Tools are the beginning of what a provider reads, so
        # what every activity is offered stands first, and there from the first call on.
        return {INSPECT: governance_tool(INSPECT), **tools}


class _Attempt:
    """One attempt, turn by turn."""

    def __init__(
        self,
        work: Work,
        model: ChatModel,
        assembler: PromptAssembler,
        tools: Mapping[str, BoxedTool],
        guard: ToolGuard,
        hear: Hear | None,
    ) -> None:
        self._work, self._assembler, self._tools = work, assembler, tools
        self._conversation = Conversation(view_of(work.context).tokens, _shortener(work))
        self._calls = None if work.desk is None else ToolCalls(work, work.desk, tools, guard)
        self.turns = Turns(work, model, assembler, self._conversation, hear)
        agent = work.element.agent
        self._most = (agent.max_turns if agent is not None else None) or MOST_TURNS
        self._outside = OutsideCalls(work, agent, self._most) if agent is not None and agent.offers else None
        if self._outside is not None:
            self._outside.restore(self._conversation)
        self._called: list[str] = []
        self.over = False
        """Whether an agent whose tools are activities has said its last: results of calls are needed no more."""
        self.turn: dict[str, Any] | None = None
        """The variable of an agent whose tools are activities."""

    @property
    def used(self) -> tuple[str, ...]:
        return () if self._calls is None else tuple(self._calls.used)

    @property
    def trusted(self) -> frozenset[str]:
        return frozenset() if self._calls is None else frozenset(self._calls.trusted)

    def run(self) -> tuple[Reply, tuple[str, ...]]:
        """The reply, and what is wrong with it after the correction."""
        corrected = False
        while True:
            answer = self.turns.ask(self._offered())
            outside = self._outside
            if outside is not None and any(call.name in outside for call in answer.tool_calls):
                done = self._ask_outside(outside, answer)
                if self.turn is not None:
                    return Reply({}, f"calls {', '.join(self._called)}", None), ()
                self._conversation.add(done)
                continue
            if answer.tool_calls and self._calls is not None and self.turns.turn < self._most:
                results = self._calls.make(self.turns.turn, answer.tool_calls)
                self._conversation.add(Exchange(answer.as_message(), results))
                continue
            reply, wrong = _judged(self._work, answer)
            if not wrong or corrected:
                self.turn, self.over = (None, False) if outside is None else (outside.over(answer.text), True)
                return reply, wrong
            corrected = True
            self._conversation.add(Correction(self._assembler.correction(self._work, _said(answer), wrong)))

    def _ask_outside(self, outside: OutsideCalls, answer: ModelAnswer) -> Exchange:
        """Leave calls to the process: `turn` says which. With none to leave, what the others came to."""
        asked = [call for call in answer.tool_calls if call.name in outside]
        good, done = outside.check(asked)
        others = [call for call in answer.tool_calls if call.name not in outside]
        if others and self._calls is not None:
            made = self._calls.make(self.turns.turn, others)
            done.update({message.tool_call_id: message.content for message in made})
        if good and self.turns.turn < self._most:
            self._called = [call["_meta"]["name"] for call in good]
            self.turn = outside.asked(answer.as_message(), good, done)
        for call in answer.tool_calls:
            done.setdefault(call.id, '{"error":"no more calls: answer now"}')
        results = tuple(Message("tool", done[call.id], tool_call_id=call.id) for call in answer.tool_calls)
        return Exchange(answer.as_message(), results)

    def _offered(self) -> tuple[Any, ...]:
        """The tools of the next call: none of those that were denied, and none in the last call or in circles."""
        outside = () if self._outside is None else self._outside.specs()
        last = self.turns.turn + 1 >= self._most or (self._outside is not None and self._outside.last)
        if self._calls is None or last or self._calls.idle_turns >= MOST_IDLE_TURNS:
            return ()
        own = (tool.spec(name) for name, tool in self._tools.items() if name not in self._calls.denied)
        return (*own, *outside)


def _judged(work: Work, answer: ModelAnswer) -> tuple[Reply, tuple[str, ...]]:
    """The reply with its declared outputs alone, and what is wrong with them."""
    element = work.element
    if element.outputs_schema is None:
        name = result_name(element)
        reply = read_text(answer, name)
        return reply, () if reply.outputs else (f"{MISSING}{name}",)
    reply = read_outputs(answer, element.outputs_schema)
    given = reply.outputs or {}
    taken = declared(given, element.outputs_schema)
    # An attempt at SYSTEM is not passed over: it is refused where the outputs are looked at, and on record.
    forbidden = {name: value for name, value in given.items() if name.startswith(f"{Layer.SYSTEM}/")}
    return replace(reply, outputs={**taken, **forbidden}), problems(taken, element.outputs_schema)


def _said(answer: ModelAnswer) -> str:
    """The answer as one text; one that calls tools beyond its last turn may have none."""
    return answer.as_message().content or "(no answer)"


def _shortener(work: Work) -> Callable[[str, int], str]:
    """Texts cut to what the activity is about."""
    about = query(work.element)

    def shorten(text: str, limit: int) -> str:
        # Summaries want a stemmer, which most runs never load.
        from governance.summaries.summary import summarise

        return summarise(text, query=about, limit=limit)

    return shorten


def _nobody(work: Work) -> None:
    return None
