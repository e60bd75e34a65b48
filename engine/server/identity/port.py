"""Who is there: the one port through which a server learns that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.server.identity.roles import Role, may


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is known. `csrf` is what a browser has to send along with every write, "" where no cookie is used.

    `tenant` is whose data they may see; there is one, until a provider says more.
    """

    name: str
    roles: frozenset[str]
    csrf: str = ""
    tenant: str = ""

    def may(self, needed: Role) -> bool:
        return may(self.roles, needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What a request carries: a session from a cookie, or a token from its Authorization header; "" is none."""

    session: str = ""
    token: str = ""


class Identity(Protocol):
    """Recognises people. Local users and API keys are one implementation; a provider of OIDC would be another."""

    def recognise(self, given: Credentials) -> Person | None:
        """Who it is, None if nobody is known by these. Never raises for wrong ones. Called for each request."""
        ...
