"""The models that the tests of providers run against: the strict server here, or a real endpoint that is configured."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from engine.models.base import ChatModel
from engine.models.choose import model_from
from engine.models.provider.choose import provider_model
from engine.models.retrying import DEFAULT_PLAN, Retrying, RetryPlan
from tests.conftest import LIVE
from tests.engine.chat_models.strict_server.script import Brain
from tests.engine.chat_models.strict_server.server import KEY, StrictServer, serving


@dataclass
class Local:
    """A model behind the strict server, and the waits it was asked for."""

    server: StrictServer
    model: Retrying
    waits: list[float]


@contextmanager
def local(
    brain: Brain,
    monkeypatch: pytest.MonkeyPatch,
    *,
    window: int = 100_000,
    timeout: float = 30.0,
    plan: RetryPlan = DEFAULT_PLAN,
    key: str = KEY,
) -> Iterator[Local]:
    """A model that talks to a strict server; waits are noted and not waited for."""
    with serving(brain, window) as server:
        reached(server, monkeypatch, key)
        monkeypatch.setenv("GOVERNOR_MODEL_TIMEOUT", str(timeout))
        waits: list[float] = []
        model = provider_model("openai:strict-1", sleep=waits.append, plan=plan)
        assert isinstance(model, Retrying)
        yield Local(server, model, waits)


def reached(server: StrictServer, monkeypatch: pytest.MonkeyPatch, key: str = KEY) -> None:
    """Let `openai:` mean the server."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", key)


def live() -> ChatModel:
    """The real model that is configured."""
    return model_from(os.environ[LIVE])
