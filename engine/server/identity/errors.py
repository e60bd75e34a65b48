"""Why a server refuses somebody."""

from __future__ import annotations

from engine.errors import EngineError
from engine.server.identity.roles import Role


class IdentityError(EngineError):
    """Base of the refusals."""


class SignInNeeded(IdentityError):
    """Nobody is known by what the request carries."""

    def __init__(self) -> None:
        super().__init__("sign in, or send an API key: Authorization: Bearer KEY")


class RoleNeeded(IdentityError):
    """They are known, but may not do this."""

    def __init__(self, person: str, role: Role) -> None:
        self.person, self.role = person, role.value
        super().__init__(f"{person} may not do this; it takes the role {role.value}")


class ForeignRequest(IdentityError):
    """A write with a browser's cookie that did not come from one of our pages."""

    def __init__(self) -> None:
        super().__init__("the request does not carry the token of the session: X-CSRF-Token")


class WrongPassword(IdentityError):
    """A name and a password that do not go together; it is not told which of them is wrong."""

    def __init__(self) -> None:
        super().__init__("name or password is wrong")


class TooManyTries(IdentityError):
    """Too many wrong passwords; the next try may come after `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"too many wrong passwords; try again in {seconds} s")


class WeakPassword(IdentityError):
    """A password that is too short to be one."""

    def __init__(self, shortest: int, longest: int) -> None:
        self.shortest, self.longest = shortest, longest
        super().__init__(f"a password has {shortest} to {longest} characters")


class BadUser(IdentityError):
    """A user that cannot be as was asked."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"user {name!r}: {reason}")


class UnknownUser(IdentityError):
    """Nobody has this name."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no user {name!r}")


class UnknownKey(IdentityError):
    """No API key has this id."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(f"no API key {id!r}")
