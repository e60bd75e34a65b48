"""Runs with a model for the chains of governance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.activities.work import Outcome, Work
from engine.advance import Advancing
from engine.models.base import ChatModel, ModelAnswer, ModelRequest
from engine.workshop import Workshop
from tests.engine.running import Run

Said = ModelAnswer | Exception | Mapping[str, Any]


class ByChain:
    """A model that says for each chain what is prepared, in order; keeps what it was asked."""

    name = "by-chain"

    def __init__(self, **said: list[Said] | Callable[[ModelRequest], Said]) -> None:
        self._said = said
        self.asked: list[ModelRequest] = []

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked.append(request)
        prepared = self._said[request.chain or "agent"]
        said = prepared(request) if callable(prepared) else prepared.pop(0)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, ModelAnswer) else ModelAnswer(outputs=dict(said), model=self.name)

    def chains(self) -> list[str]:
        return [request.chain for request in self.asked if request.chain]


class ThinkingRun(Run):
    """A run whose governance may ask `model`."""

    def __init__(self, source: bytes, variables: Mapping[str, Any], model: ChatModel, **more: Any) -> None:
        self.model = model
        super().__init__(source, variables, **more)

    def _arm(self) -> None:
        self.instance.chains = True
        self.advancing = Advancing(self.instance, self.hooks, self.clock, self.memory)
        self.workshop = Workshop(self.instance, self.hooks, self, _Rows(self.journal))

    def chain_model(self) -> ChatModel | None:
        return self.model

    def handler_for(self, element: Any) -> Callable[[Work], Outcome]:
        return self.handlers.get(element.id, lambda work: Outcome())

    def require(self, definition: Any) -> None: ...


class _Rows:
    def __init__(self, rows: dict[tuple[str, str], dict[str, Any]]) -> None:
        self._rows = rows

    def get(self, run: str, call: str) -> dict[str, Any] | None:
        return self._rows.get((run, call))

    def put(self, run: str, call: str, answer: dict[str, Any]) -> None:
        self._rows[run, call] = answer
