"""A provider's model, over the network."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic_ai import direct
from pydantic_ai import messages as theirs
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from engine.models.base import Hear, ModelAnswer, ModelRequest
from engine.models.provider.conversation import parameters, to_ours, to_theirs
from engine.models.provider.faults import failure
from engine.models.provider.loop import Loop


class ProviderModel:
    """Asks a provider once per call; the library's own retries are off, so that waits are ours to see.

    `timeout` is in seconds, for the whole call. Raises ModelCallFailed.
    """

    def __init__(self, name: str, model: Model[Any], loop: Loop, timeout: float) -> None:
        self.name = name
        self._model, self._loop, self._timeout = model, loop, timeout

    def answer(self, request: ModelRequest) -> ModelAnswer:
        return self._call(request, None)

    def stream(self, request: ModelRequest, hear: Hear) -> ModelAnswer:
        return self._call(request, hear)

    def _call(self, request: ModelRequest, hear: Hear | None) -> ModelAnswer:
        try:
            response = self._loop.run(asyncio.wait_for(self._asked(request, hear), self._timeout))
        except Exception as error:
            failed = failure(self.name, error)
        else:
            return to_ours(response, self.name)
        # Out here it has no cause: providers repeat keys in their errors, and whoever logs one logs its causes.
        raise failed

    async def _asked(self, request: ModelRequest, hear: Hear | None) -> theirs.ModelResponse:
        asking = (self._model, to_theirs(request.messages))
        settings = ModelSettings(max_retries=0, timeout=self._timeout)
        if request.max_tokens is not None:
            settings["max_tokens"] = request.max_tokens
        how: dict[str, Any] = {"model_settings": settings, "model_request_parameters": parameters(request)}
        # A connection lives as long as its call: nothing is left open between calls, which may be days apart.
        async with self._model:
            if hear is None:
                return await direct.model_request(*asking, **how)
            async with direct.model_request_stream(*asking, **how) as stream:
                async for event in stream:
                    piece = _text_of(event)
                    if piece:
                        hear(piece)
                return stream.get()


def _text_of(event: object) -> str:
    """The text that an event of a stream adds."""
    if isinstance(event, theirs.PartStartEvent) and isinstance(event.part, theirs.TextPart):
        begun: str = event.part.content
        return begun
    if isinstance(event, theirs.PartDeltaEvent) and isinstance(event.delta, theirs.TextPartDelta):
        added: str = event.delta.content_delta
        return added
    return ""
