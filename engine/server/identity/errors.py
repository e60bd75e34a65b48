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
