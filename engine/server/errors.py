"""Errors of the server itself."""

from __future__ import annotations

from engine.errors import EngineError


class ServerError(EngineError):
    """Base of them."""


class PreconditionNeeded(ServerError):
    """A condition that is not of the form that we know."""

    def __init__(self, header: str, given: str) -> None:
        self.header, self.given = header, given
        super().__init__(f"{header}: {given!r} is no ETag that this server gave")


class KeyInUse(ServerError):
    """A request with this idempotency key is being worked on, or was interrupted: look whether it was done."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"a request with the idempotency key {key!r} is being worked on; ask again later")


class KeyReused(ServerError):
    """An idempotency key that another request was sent with."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"the idempotency key {key!r} was used for another request; give a new one")


class Busy(ServerError):
    """As much is being worked on as this server works on at once."""

    def __init__(self) -> None:
        super().__init__("too much is being worked on; try again later")


class WrongRequest(ServerError):
    """A request that is not of the form that the OpenAPI document tells: each of `problems` says where and what."""

    def __init__(self, problems: list[dict[str, str]]) -> None:
        self.problems = problems
        told = "; ".join(f"{each['at']}: {each['problem']}" for each in problems[:5])
        super().__init__(f"the request is not as it should be: {told}")
