"""Activities done by a model: a prompt, one call, declared outputs checked, one more call if they do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.activities.errors import ModelFailed
from engine.activities.outputs import declared, problems
from engine.activities.replies import Reply, read_outputs, read_text
from engine.activities.work import MISSING, Outcome, Work
from engine.events import EventType
from engine.models.base import ChatModel, Message, ModelAnswer, ModelRequest
from engine.prompts.assembler import Assembled, PromptAssembler
from engine.prompts.task import result_name, subject
from engine.prompts.view import view_of
from governance.compression.settings import CompressSettings
from governance.snapshots.canonical import canonical
from governance.vocabulary import Producer


class AgentHandler:
    """Does an activity with the model it names, or the run's. Only declared outputs are taken over.

    An activity that declares none has one output, the answer's text, named by `result_name`. What still does not fit
    after the second call is the outcome's `problems`. Raises ModelFailed, UnknownModel, BadTemplate, and
    Suspended where D1 has to ask a person first.
    """

    def __init__(self, models: Callable[[str | None], ChatModel], assembler: PromptAssembler) -> None:
        self._models, self._assembler = models, assembler

    def __call__(self, work: Work) -> Outcome:
        agent = work.element.agent
        model = self._models(agent.model if agent is not None else None)
        head = work.context.head
        turns = _Turns(work, model, self._assembler)
        answer = turns.ask()
        reply, wrong = _judged(work, answer)
        if wrong:
            answer = turns.ask(self._assembler.correction(work, _said(answer), wrong))
            reply, wrong = _judged(work, answer)
        return Outcome(
            outputs=reply.outputs or {},
            confidence=reply.confidence,
            decision=reply.decision,
            problems=wrong,
            producer=Producer.AGENT,
            tokens_assembled=turns.assembled,
            tokens_ungoverned=turns.ungoverned,
            head=work.context.head if work.context.head != head else None,
        )


class _Turns:
    """The model calls of one attempt, and what their prompts came to in tokens."""

    def __init__(self, work: Work, model: ChatModel, assembler: PromptAssembler) -> None:
        self._work, self._model, self._assembler = work, model, assembler
        self._settings = CompressSettings()
        self._turn = 0
        self.assembled = self.ungoverned = 0

    def ask(self, follow_up: Sequence[Message] = ()) -> ModelAnswer:
        """One call; its answer comes from the journal if it was made before."""
        work = self._work
        self._turn += 1
        prompt = self._fitting(follow_up)
        request = self._request(prompt)
        called = False

        def call() -> dict[str, Any]:
            nonlocal called
            called = True
            try:
                answered = self._model.answer(request).to_json()
                canonical(answered)
            except Exception as error:
                raise ModelFailed(work.element.id, self._model.name, error) from error
            return answered

        answer = ModelAnswer.from_json(work.call_model(request.hash(), call))
        self.assembled += prompt.tokens
        self.ungoverned += prompt.tokens_ungoverned
        work.note(EventType.MODEL_CALL.value, self._record(request, prompt, answer, called))
        return answer

    def _fitting(self, follow_up: Sequence[Message]) -> Assembled:
        """The prompt after D1; before the first call D1 has run, and runs again only if it would see more now."""
        work, window = self._work, self._work.policy.window_tokens
        prompt = self._assembler.assemble(work, follow_up)
        if follow_up or prompt.tokens >= self._settings.medium_usage * window:
            before = work.context.head
            work.compress(prompt.overhead_tokens)
            if work.context.head != before:
                prompt = self._assembler.assemble(work, follow_up)
        return prompt

    def _request(self, prompt: Assembled) -> ModelRequest:
        work, agent = self._work, self._work.element.agent
        return ModelRequest(
            activity=work.element.id,
            messages=prompt.messages,
            task=subject(work.element),
            branch=work.context.branch,
            visit=work.visit,
            attempt=work.attempt,
            turn=self._turn,
            outputs_schema=work.element.outputs_schema,
            max_tokens=agent.max_tokens if agent is not None else None,
        )

    def _record(
        self, request: ModelRequest, prompt: Assembled, answer: ModelAnswer, called: bool
    ) -> dict[str, Any]:
        """The call as an event: names and numbers, no text. Tokens are [in, out], as counted here and as reported."""
        return {
            "model": answer.model or self._model.name,
            "request": request.hash(),
            "turn": request.turn,
            "tokens": [prompt.tokens, view_of(self._work.context).tokens(_said(answer))],
            "reported": [answer.tokens_in, answer.tokens_out],
            **({} if answer.cost is None else {"cost": answer.cost}),
            **({} if answer.tries == 1 else {"tries": answer.tries}),
            "tokens_ungoverned": prompt.tokens_ungoverned,
            "chars": prompt.chars,
            "prefix_chars": prompt.prefix_chars,
            "recalled": not called,
        }


def _judged(work: Work, answer: ModelAnswer) -> tuple[Reply, tuple[str, ...]]:
    """The reply with its declared outputs alone, and what is wrong with them."""
    element = work.element
    if element.outputs_schema is None:
        name = result_name(element)
        reply = read_text(answer, name)
        return reply, () if reply.outputs else (f"{MISSING}{name}",)
    reply = read_outputs(answer, element.outputs_schema)
    taken: Mapping[str, Any] = declared(reply.outputs or {}, element.outputs_schema)
    return Reply(taken, reply.decision, reply.confidence), problems(taken, element.outputs_schema)


def _said(answer: ModelAnswer) -> str:
    """The answer as one text."""
    outputs = "" if answer.outputs is None else canonical(answer.outputs).decode()
    return "\n".join(filter(None, (answer.text, outputs)))
