"""Failures that say nothing of what was tried: timeouts, limits of rate, servers in trouble (Design: dead ends)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_STATUSES: Final = frozenset({408, 425, 429})
_NAMES: Final = re.compile(r"timeout|ratelimit|toomanyrequests|serviceunavailable|connection|temporar", re.IGNORECASE)
_TEXT: Final = re.compile(
    r"\btimed?[ -]?out\b|\brate[ -]?limit|\btoo many requests\b|\btemporar(?:y|ily)\b"
    r"|\bconnection (?:was |is )?(?:reset|refused|aborted|closed|lost|error)"
    r"|\b(?:service|server|host) (?:is )?(?:unavailable|overloaded|unreachable)\b|\binternal server error\b"
    r"|\bbad gateway\b|\bgateway time-?out\b|\bname resolution\b"
    r"|\b(?:https?|status|code|error)\b\W{0,3}(?:code\W{0,3})?(?:408|425|429|5\d\d)\b",
    re.IGNORECASE,
)


def is_transient(failure: BaseException | str) -> bool:
    """Whether the same may well work a moment later: an exception (with its causes), or what was said of it."""
    if isinstance(failure, str):
        return _TEXT.search(failure) is not None
    return any(_is_transient(each) for each in _with_causes(failure))


def _is_transient(error: BaseException) -> bool:
    if isinstance(error, TimeoutError | ConnectionError | InterruptedError):
        return True
    status = _status(error)
    if status is not None:
        return status in _STATUSES or 500 <= status <= 599
    return _NAMES.search(type(error).__name__) is not None or _TEXT.search(str(error)) is not None


def _status(error: BaseException) -> int | None:
    """The HTTP status that clients' errors carry, on themselves or on their response."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            found = getattr(holder, name, None)
            if isinstance(found, int) and not isinstance(found, bool) and 100 <= found <= 599:
                return found
    return None


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
