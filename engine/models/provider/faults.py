"""What the library raises, as a failure of ours: its kind, when to try again, and no secret in its text."""

from __future__ import annotations

import os
import re
from typing import Any, Final

from pydantic_ai import exceptions as theirs

from engine.models.errors import Fault, ModelCallFailed

_LONGEST: Final = 300
_SECRET_NAMES: Final = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_LIKE_A_KEY: Final = re.compile(r"\b(sk|pk|key|rk|AIza)[-_][\w*.-]{6,}")
_HIDDEN: Final = "[hidden]"
_BY_CLASS: Final[tuple[tuple[type[Exception], Fault], ...]] = (
    (theirs.ModelRateLimitError, "rate_limit"),
    (theirs.ModelQuotaExceededError, "refused"),
    (theirs.ModelUnavailableError, "overloaded"),
    (theirs.ModelServerError, "overloaded"),
    (theirs.ModelTimeoutError, "timeout"),
    (theirs.ModelRequestTimeout, "timeout"),
    (theirs.ModelConnectionError, "connection"),
    (theirs.ModelContextWindowExceededError, "context_length"),
    (theirs.ModelAuthenticationError, "credentials"),
)


def failure(model: str, error: Exception) -> ModelCallFailed:
    """The library's exception as ours."""
    fault = next((fault for kind, fault in _BY_CLASS if isinstance(error, kind)), _by_status(error))
    return ModelCallFailed(model, fault, told(error), retry_after=getattr(error, "retry_after", None))


def told(error: Exception) -> str:
    """What an exception says, on one line; of a provider's error page its message alone."""
    body = getattr(error, "body", None)
    text = _message(body) or str(error) or type(error).__name__
    status = getattr(error, "status_code", None)
    text = " ".join(hidden(text).split())
    text = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return text if status is None else f"HTTP {status}: {text}"


def hidden(text: str) -> str:
    """The text without anything that is a secret of the environment, or looks like a key."""
    secrets = {value for name, value in os.environ.items() if len(value) >= 8 and _SECRET_NAMES.search(name)}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return _LIKE_A_KEY.sub(_HIDDEN, text)


def _by_status(error: Exception) -> Fault:
    status = getattr(error, "status_code", None)
    if status == 429:
        return "rate_limit"
    if status is not None and status >= 500:
        return "overloaded"
    return "timeout" if isinstance(error, TimeoutError) else "refused"


def _message(body: Any) -> str | None:
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return message if isinstance(message, str) else None
    return None
