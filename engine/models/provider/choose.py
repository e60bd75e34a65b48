"""From a specification, `PROVIDER:NAME`, to a provider's model."""

from __future__ import annotations

import os
import re
import time
from typing import Final

from bpmn.findings import near_match
from engine.models.base import ChatModel
from engine.models.errors import ModelNotReady, NoModelLibrary, UnknownModel
from engine.models.retrying import DEFAULT_PLAN, Retrying, RetryPlan, Sleep

TIMEOUT: Final = "GOVERNOR_MODEL_TIMEOUT"
"""Environment variable: seconds that a model may take for one answer."""
DEFAULT_TIMEOUT: Final = 120.0
_OWN_BASE: Final = "OPENAI_BASE_URL"
_VARIABLE: Final = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN)\b")
_KNOWN: Final = ("openai", "openai-chat", "openai-responses", "anthropic", "azure", "google", "groq", "ollama")


def provider_model(spec: str, *, sleep: Sleep = time.sleep, plan: RetryPlan = DEFAULT_PLAN) -> ChatModel:
    """The model `spec` names, tried again by `plan` where it fails for a while. Keys come from the environment alone.

    Raises NoModelLibrary, UnknownModel for a provider that there is not, ModelNotReady where a key is missing.
    """
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider_class

        from engine.models.provider.loop import Loop
        from engine.models.provider.model import ProviderModel
    except ImportError as error:
        raise NoModelLibrary(spec) from error
    provider = spec.partition(":")[0]
    try:
        infer_provider_class(provider)
    except ValueError as error:
        near = near_match(provider, _KNOWN)
        allowed = ["offline", "replay:FILE", *(f"{known}:NAME" for known in ([near] if near else _KNOWN[:1]))]
        raise UnknownModel(spec, allowed) from error
    except ImportError as error:
        raise ModelNotReady(spec, _reason(error)) from error
    try:
        model = infer_model(_dialect(spec))
    except (UserError, ImportError) as error:
        raise ModelNotReady(spec, _reason(error)) from error
    return Retrying(ProviderModel(spec, model, Loop(), _timeout(spec)), sleep, plan)


def _dialect(spec: str) -> str:
    """`openai:` at an address of one's own speaks the chat protocol, which all such servers know."""
    provider, _, name = spec.partition(":")
    return f"openai-chat:{name}" if provider == "openai" and os.environ.get(_OWN_BASE) else spec


def _reason(error: Exception) -> str:
    """What to do about it: which variables are missing where that is it, else the library's own words."""
    text = " ".join(str(error).split())
    variables = dict.fromkeys(_VARIABLE.findall(text))
    return f"set {' or '.join(variables)} in the environment" if variables else text


def _timeout(spec: str) -> float:
    text = os.environ.get(TIMEOUT, "")
    try:
        seconds = float(text) if text else DEFAULT_TIMEOUT
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise ModelNotReady(spec, f"{TIMEOUT} is {text!r}; allowed: a number of seconds above 0")
    return seconds
