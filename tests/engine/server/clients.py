"""Clients of a server in this process. Tests take the web framework from here, so that without it they are skipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

for library, extra in (("fastapi", "server"), ("uvicorn", "server"), ("httpx", "checks")):
    pytest.importorskip(library, reason=f"{library} is not installed (pip install -e '.[{extra}]')")

from fastapi import FastAPI  # noqa: E402
from fastapi.testclient import TestClient  # noqa: E402

from engine.governor import Governor  # noqa: E402
from engine.server.app import create_app  # noqa: E402
from engine.server.identity.local import LocalIdentity  # noqa: E402
from engine.server.identity.port import Person  # noqa: E402
from engine.server.identity.secrets import Passwords  # noqa: E402
from governance.ports import Clock, SystemClock  # noqa: E402

__all__ = ["FastAPI", "LocalIdentity", "Server", "TestClient", "create_app", "served"]

PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Server:
    """An application, and who may use it."""

    app: FastAPI
    identity: LocalIdentity
    governor: Governor

    def user(self, name: str, *roles: str) -> str:
        """A user with the roles; an API key of theirs."""
        self.identity.add_user(name, PASSWORD, roles)
        return self.identity.add_key(Person(name=name, roles=frozenset(roles)), "test")[1]

    def client(self, name: str, *roles: str) -> TestClient:
        """Of a new user with these roles, by key."""
        return self.visitor({"authorization": f"Bearer {self.user(name, *roles)}"})

    def visitor(self, headers: dict[str, str] | None = None) -> TestClient:
        """Of nobody."""
        return TestClient(self.app, follow_redirects=False, headers=headers, raise_server_exceptions=True)


def served(governor: Governor, clock: Clock | None = None, settings: Mapping[str, Any] | None = None) -> Server:
    """A server on a Governor; passwords cost next to nothing."""
    clock = clock or SystemClock()
    identity = LocalIdentity(governor.store.access, clock, Passwords(n=2, r=1, p=1))
    return Server(create_app(governor, identity, clock, settings=settings or {}), identity, governor)
