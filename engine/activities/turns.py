"""The model calls of one attempt: the prompt, D1 before each, the answer from the journal if it was given before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.activities.conversation import Conversation
from engine.activities.errors import ModelFailed
from engine.activities.work import Work
from engine.events import EventType
from engine.models.base import ChatModel, Hear, ModelAnswer, ModelRequest, StreamingModel, ToolSpec
from engine.prompts.assembler import Assembled, PromptAssembler
from engine.prompts.task import subject
from engine.prompts.view import view_of
from governance.compression.settings import CompressSettings
from governance.snapshots.canonical import canonical


class Turns:
    """Calls the model, and keeps what the prompts came to in tokens. `turn` is the number of the last call."""

    def __init__(
        self,
        work: Work,
        model: ChatModel,
        assembler: PromptAssembler,
        conversation: Conversation,
        hear: Hear | None = None,
    ) -> None:
        self._work, self._model, self._assembler, self._hear = work, model, assembler, hear
        self._conversation = conversation
        self._settings = CompressSettings()
        self.turn = 0
        self.assembled = self.ungoverned = 0

    def ask(self, tools: tuple[ToolSpec, ...] = ()) -> ModelAnswer:
        """One call. Raises ModelFailed, and Suspended where D1 has to ask a person first."""
        work = self._work
        self.turn += 1
        prompt = self._fitting(tools)
        request = self._request(prompt, tools)
        called = False

        def call() -> dict[str, Any]:
            nonlocal called
            called = True
            try:
                answered = self._answered(request).to_json()
                canonical(answered)
            except Exception as error:
                raise ModelFailed(work.element.id, self._model.name, error) from error
            return answered

        answer = ModelAnswer.from_json(work.call_model(request.hash(), call))
        self.assembled += prompt.tokens
        self.ungoverned += prompt.tokens_ungoverned
        work.note(EventType.MODEL_CALL.value, self._record(request, prompt, answer, called))
        return answer

    def _answered(self, request: ModelRequest) -> ModelAnswer:
        if self._hear is not None and isinstance(self._model, StreamingModel):
            return self._model.stream(request, self._hear)
        return self._model.answer(request)

    def _fitting(self, tools: tuple[ToolSpec, ...]) -> Assembled:
        """The prompt after D1; before the first call D1 has run, and runs again only if it would see more now."""
        work = self._work
        limit = int(self._settings.medium_usage * work.policy.window_tokens)
        prompt = self._assembled(tools)
        if self._conversation or prompt.tokens >= limit:
            before = work.context.head
            work.compress(prompt.overhead_tokens)
            if work.context.head != before:
                prompt = self._assembled(tools)
        if self._conversation and prompt.tokens > limit:
            said = self._conversation.tokens(self._conversation.messages())
            prompt = self._assembled(tools, room=max(0, limit - (prompt.tokens - said)))
        return prompt

    def _assembled(self, tools: tuple[ToolSpec, ...], room: int | None = None) -> Assembled:
        return self._assembler.assemble(self._work, self._conversation.messages(room), tools)

    def _request(self, prompt: Assembled, tools: tuple[ToolSpec, ...]) -> ModelRequest:
        work, agent = self._work, self._work.element.agent
        return ModelRequest(
            activity=work.element.id,
            messages=prompt.messages,
            task=subject(work.element),
            branch=work.context.branch,
            visit=work.visit,
            attempt=work.attempt,
            turn=self.turn,
            outputs_schema=work.element.outputs_schema,
            max_tokens=agent.max_tokens if agent is not None else None,
            tools=tools,
        )

    def _record(
        self, request: ModelRequest, prompt: Assembled, answer: ModelAnswer, called: bool
    ) -> Mapping[str, Any]:
        """The call as an event: names and numbers, no text. Tokens are [in, out], as counted here and as reported."""
        said = answer.as_message()
        tokens = view_of(self._work.context).tokens
        out = sum(tokens(text) for text in (said.content, *(call.arguments for call in said.tool_calls)))
        record: dict[str, Any] = {
            "model": answer.model or self._model.name,
            "request": request.hash(),
            "turn": request.turn,
            "tokens": [prompt.tokens, out],
            "reported": [answer.tokens_in, answer.tokens_out],
            "tokens_ungoverned": prompt.tokens_ungoverned,
            "chars": prompt.chars,
            "prefix_chars": prompt.prefix_chars,
            "recalled": not called,
            "templates": self._assembler.version,
        }
        if answer.tool_calls:
            record["tools"] = [call.name for call in answer.tool_calls]
        if answer.cost is not None:
            record["cost"] = answer.cost
        if answer.tries > 1:
            record["tries"] = answer.tries
        return record
