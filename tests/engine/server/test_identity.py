"""Who may sign in, for how long, and how often they may be wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.governor import Governor
from governance.ports import FixedClock
from tests.engine.server.clients import PASSWORD, Server, TestClient, served
from tests.engine.server.test_first import HERE

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def timed(governor: Governor, clock: FixedClock) -> Server:
    return served(governor, clock)


def sign_in(client: TestClient, name: str, password: str = PASSWORD) -> int:
    answer = client.post("/sign-in", data={"name": name, "password": password, "next": "/"}, headers=HERE)
    return int(answer.status_code)


def test_a_session_ends_after_twelve_hours(timed: Server, clock: FixedClock) -> None:
    timed.user("ada", "viewer")
    client = timed.visitor()
    assert sign_in(client, "ada") == 303
    clock.move_to(NOON + timedelta(hours=11, minutes=59))
    assert client.get("/v1/me").json() == {"name": "ada", "roles": ["viewer"]}
    clock.move_to(NOON + timedelta(hours=12, minutes=1))
    assert client.get("/v1/me").status_code == 401


def test_wrong_passwords_slow_down(timed: Server, clock: FixedClock) -> None:
    timed.user("ada", "viewer")
    client = timed.visitor()
    assert [sign_in(client, "ada", "wrong password") for _ in range(6)] == [401] * 5 + [429]
    assert sign_in(client, "ada") == 429
    assert sign_in(client, "nobody") == 429, "the address is slowed down, whoever it names"
    clock.move_to(NOON + timedelta(minutes=6))
    assert sign_in(client, "ada") == 303


def test_who_is_disabled_is_signed_out(timed: Server) -> None:
    key = timed.user("ada", "viewer")
    timed.user("root", "admin")
    client = timed.visitor()
    sign_in(client, "ada")
    timed.identity.change_user("ada", disabled=True)
    assert client.get("/v1/me").status_code == 401
    assert timed.visitor({"authorization": f"Bearer {key}"}).get("/v1/me").status_code == 401
    assert sign_in(client, "ada") == 401


def test_another_password_signs_out_everywhere(timed: Server) -> None:
    timed.user("root", "admin")
    client = timed.visitor()
    sign_in(client, "root")
    timed.identity.change_user("root", password="another password")
    assert client.get("/v1/me").status_code == 401
    assert sign_in(client, "root") == 401
    assert sign_in(client, "root", "another password") == 303


def test_signing_out_ends_the_session(server: Server) -> None:
    server.user("ada", "viewer")
    client = server.visitor()
    sign_in(client, "ada")
    session = client.cookies["governor_session"]
    token = client.get("/").text.split('name="csrf-token" content="', 1)[1].split('"', 1)[0]
    assert client.post("/sign-out").status_code == 403
    assert client.post("/sign-out", headers={"x-csrf-token": token}).status_code == 303
    client.cookies.set("governor_session", session)
    assert client.get("/v1/me").status_code == 401


def test_a_write_by_cookie_needs_the_token_of_the_session(server: Server) -> None:
    server.user("ada", "operator")
    client = server.visitor()
    sign_in(client, "ada")
    problem = client.post("/v1/signals", json={"name": "x"})
    assert (problem.status_code, problem.json()["title"]) == (403, "Foreign request")
    token = client.get("/").text.split('name="csrf-token" content="', 1)[1].split('"', 1)[0]
    assert client.post("/v1/signals", json={"name": "x"}, headers={"x-csrf-token": token}).json() == {"received": []}


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}])
def test_another_site_signs_nobody_in(server: Server, headers: dict[str, str]) -> None:
    server.user("ada", "viewer")
    form = {"name": "ada", "password": PASSWORD}
    assert server.visitor().post("/sign-in", data=form, headers=headers).status_code == 403


def test_a_key_may_do_less_than_its_owner_and_never_more(server: Server) -> None:
    client = server.client("ada", "operator", "approver")
    less = client.post("/v1/keys", json={"label": "ci", "roles": ["operator"]}).json()
    ci = server.visitor({"authorization": f"Bearer {less['secret']}"})
    assert ci.get("/v1/me").json()["roles"] == ["operator"]
    assert ci.post("/v1/keys", json={"label": "more", "roles": ["approver"]}).status_code == 422
    assert ci.post("/v1/keys", json={"label": "all"}).json()["roles"] == ["operator"]
    server.user("root", "admin")
    server.identity.change_user("ada", roles=["viewer"])
    assert ci.get("/v1/me").status_code == 403
    assert client.delete(f"/v1/keys/{less['id']}").status_code == 403


def test_a_revoked_key_opens_nothing_and_no_secret_is_kept(server: Server) -> None:
    client = server.client("ada", "viewer")
    made = client.post("/v1/keys", json={"label": "ci", "days": 3}).json()
    ci = server.visitor({"authorization": f"Bearer {made['secret']}"})
    assert ci.get("/v1/me").status_code == 200
    assert made["secret"] not in client.get("/v1/keys").text
    database = server.governor.store.database.name  # type: ignore[attr-defined]
    for file in (database, f"{database}-wal"):
        with open(file, "rb") as read:
            kept = read.read()
        assert made["secret"].encode() not in kept
        assert PASSWORD.encode() not in kept
    assert client.delete(f"/v1/keys/{made['id']}").json()["revoked_at"]
    assert ci.get("/v1/me").status_code == 401


def test_somebody_is_left_to_administer(server: Server) -> None:
    admin = server.client("root", "admin")
    problem = admin.patch("/v1/users/root", json={"roles": ["viewer"]})
    assert (problem.status_code, problem.json()["reason"]) == (422, "nobody would be left to administer")
    assert admin.post("/v1/users", json={"name": "ada", "password": PASSWORD, "roles": ["viewer"]}).status_code == 200
    assert admin.post("/v1/users", json={"name": "ada", "password": PASSWORD, "roles": []}).status_code == 422
    assert admin.patch("/v1/users/nobody", json={"disabled": True}).status_code == 404


def test_every_write_is_audited_with_who(server: Server) -> None:
    admin, operator = server.client("root", "admin"), server.client("ada", "operator")
    operator.post("/v1/signals", json={"name": "x"})
    operator.post("/v1/instances/none/retry", json={})
    operator.post("/v1/users", json={})
    operator.get("/v1/me")
    sign_in(server.visitor(), "ada")
    entries = admin.get("/v1/audit").json()["entries"]
    assert [(each["who"], each["action"], each["status"]) for each in reversed(entries)] == [
        ("ada", "POST /v1/signals", 200),
        ("ada", "POST /v1/instances/{instance}/retry", 404),
        ("ada", "POST /v1/users", 403),
        ("ada", "POST /sign-in", 303),
    ]
