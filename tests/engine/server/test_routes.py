"""Every route asks who is there and what they may do; none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.server.identity.roles import Role, may
from engine.server.openapi import roles_of
from tests.engine.server.clients import Server

OPEN = {
    ("GET", "/first"), ("POST", "/first"), ("GET", "/sign-in"), ("POST", "/sign-in"), ("GET", "/language/{code}"),
    ("GET", "/v1/health"), ("GET", "/v1/openapi.json"), ("HEAD", "/v1/openapi.json"),
}  # fmt: skip
"""What anybody may ask for."""


def routes(server: Server) -> Iterator[tuple[str, str, Role | None]]:
    """Method, path, and the role that it takes."""
    roles = roles_of(server.app)
    for route in flat(server.app.routes):
        for method in sorted(getattr(route, "methods", None) or ()):
            yield method, route.path, roles.get((method, route.path))


def flat(found: Any) -> Iterator[Any]:
    for route in found:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from flat(included.routes)
        elif getattr(route, "name", "") != "static":
            yield route


def test_no_route_is_without_a_role(server: Server) -> None:
    found = list(routes(server))
    assert len(found) > 40
    assert {(method, path) for method, path, role in found if role is None} == OPEN


def test_without_a_role_nothing_is_done(server: Server) -> None:
    nobody, stranger = server.visitor(), server.client("stranger", "claims-lead")
    for method, path, role in routes(server):
        if role is None:
            continue
        address = path.replace("{", "").replace("}", "")
        expected = (401, 403) if path.startswith("/v1") else (303, 403)
        found = tuple(each.request(method, address, json={}).status_code for each in (nobody, stranger))
        assert found == expected, f"{method} {path}"


@pytest.mark.parametrize("held", list(Role))
def test_a_role_opens_what_it_may_and_no_more(server: Server, held: Role) -> None:
    client = server.client("somebody", held)
    for method, path, role in routes(server):
        if role is None or path.endswith("/stream"):
            continue
        status = client.request(method, path.replace("{", "").replace("}", ""), json={}).status_code
        assert (status == 403) is not may([held], role), f"{method} {path} for {held}: {status}"
