"""Who is there, kept by the server itself."""

from __future__ import annotations

import secrets
from hashlib import sha256

from engine.server.identity.port import Credentials, Person
from engine.server.identity.roles import Role


class LocalIdentity:
    """Whoever opens the one-time link is the administrator, until the server ends."""

    def __init__(self) -> None:
        self._link = secrets.token_urlsafe(32)
        self._sessions: dict[str, Person] = {}

    @property
    def link(self) -> str:
        """The secret of the one-time link."""
        return self._link

    def recognise(self, given: Credentials) -> Person | None:
        return self._sessions.get(_hash(given.session)) if given.session else None

    def open_link(self, secret: str) -> str | None:
        """The session of who opens the link; None if it is used, or another one."""
        if not self._link or not secrets.compare_digest(secret.encode(), self._link.encode()):
            return None
        self._link = ""
        session = secrets.token_urlsafe(32)
        admin = Person(name="admin", roles=frozenset({Role.ADMIN}), csrf=secrets.token_urlsafe(32))
        self._sessions[_hash(session)] = admin
        return session

    def close(self, session: str) -> None:
        """Sign out."""
        self._sessions.pop(_hash(session), None)


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
