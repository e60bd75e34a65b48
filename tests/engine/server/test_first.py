"""The first page, the one-time link, and what every answer carries."""

from __future__ import annotations

import pytest

from engine.governor import Governor
from tests.engine.server.clients import LocalIdentity, TestClient, create_app


@pytest.fixture
def identity() -> LocalIdentity:
    return LocalIdentity()


@pytest.fixture
def client(governor: Governor, identity: LocalIdentity) -> TestClient:
    return TestClient(create_app(governor, identity), follow_redirects=False)


def test_the_first_link_signs_in_once(client: TestClient, identity: LocalIdentity) -> None:
    link = f"/first?secret={identity.link}"
    assert client.get("/").headers["location"] == "/sign-in?next=%2F"
    opened = client.get(link)
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.get("/").status_code == 200
    client.cookies.clear()
    assert client.get(link).status_code == 403
    assert client.get("/").status_code == 303


def test_a_page_may_run_no_script_of_its_own(client: TestClient) -> None:
    headers = client.get("/sign-in").headers
    assert "script-src 'self';" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "no-cache" in headers["cache-control"]


def test_a_page_is_in_the_readers_language(client: TestClient) -> None:
    assert "Sign in" in client.get("/sign-in", headers={"accept-language": "de, en;q=0.8"}).text
    assert "登录" in client.get("/sign-in", headers={"accept-language": "zh-CN,en;q=0.8"}).text
    chosen = client.get("/language/zh", params={"next": "https://elsewhere.example/"})
    assert chosen.headers["location"] == "/"
    assert "登录" in client.get("/sign-in", headers={"accept-language": "en"}).text


def test_a_file_may_be_kept_by_its_address(client: TestClient) -> None:
    page = client.get("/sign-in").text
    address = page.split('href="/static/console.css', 1)[1].split('"', 1)[0]
    kept = client.get(f"/static/console.css{address}")
    assert "immutable" in kept.headers["cache-control"]
    assert "no-cache" in client.get("/static/console.css").headers["cache-control"]
    assert client.get("/static/../app.py").status_code == 404
