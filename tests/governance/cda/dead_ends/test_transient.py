"""What may work a moment later is no dead end."""

from __future__ import annotations

import pytest

from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.cda.dead_ends.transient import is_transient
from tests.governance.cda.dead_ends.attempts import at, search


class HttpError(Exception):
    def __init__(self, status_code: int, message: str = "") -> None:
        self.status_code = status_code
        super().__init__(message)


class RateLimitError(Exception): ...


def caused_by(cause: Exception) -> Exception:
    error = RuntimeError("the tool failed")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "failure",
    [
        TimeoutError(),
        ConnectionResetError(),
        HttpError(429),
        HttpError(500),
        HttpError(503),
        HttpError(599),
        RateLimitError("slow down"),
        caused_by(TimeoutError()),
        "HTTP 502",
        "status code: 429",
        "Read timed out.",
        "503 Service Unavailable: the service is unavailable",
        "connection refused",
        "Too Many Requests",
        "rate limit exceeded, retry after 20 s",
    ],
)
def test_transient(failure: Exception | str) -> None:
    assert is_transient(failure)
    error = failure if isinstance(failure, Exception) else None
    kept = DeadEndRegistry().register(search("x"), reason=str(failure), at=at(), source="tool", failure=error)
    assert kept is None


@pytest.mark.parametrize(
    "failure",
    [
        ValueError("no such customer"),
        KeyError("amount"),
        HttpError(400),
        HttpError(404, "the page at port 503 was not found"),
        "500 rows were found, 429 of them wrong",
        "the timetable is wrong",
        "Error: seat 29A is not free on flight HAT136",
    ],
)
def test_lasting(failure: Exception | str) -> None:
    assert not is_transient(failure)


@pytest.mark.parametrize("source", ["rejection", "operator"])
def test_what_a_person_says_is_no_accident(source: str) -> None:
    told = DeadEndRegistry().register(search("x"), reason="it timed out too often", at=at(), source=source)  # type: ignore[arg-type]
    assert told is not None
