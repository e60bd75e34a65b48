"""The one-time link, the language of pages, and what every answer carries."""

from __future__ import annotations

import pytest

from tests.engine.server.clients import PASSWORD, Server, TestClient

HERE = {"origin": "http://testserver"}


@pytest.fixture
def client(server: Server) -> TestClient:
    return server.visitor()


def test_the_first_link_makes_the_first_user_once(client: TestClient, server: Server) -> None:
    secret = server.identity.link
    assert client.get("/").headers["location"] == "/sign-in?next=%2F"
    assert secret in client.get(f"/first?secret={secret}").text
    form = {"secret": secret, "name": "ada", "password": "short"}
    refused = client.post("/first", data=form, headers=HERE)
    assert refused.status_code == 422
    assert "10 to 1000 characters" in refused.text
    opened = client.post("/first", data={**form, "password": PASSWORD}, headers=HERE)
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert client.get("/").status_code == 200
    client.cookies.clear()
    assert client.get(f"/first?secret={secret}").status_code == 403
    again = client.post("/first", data={**form, "name": "eve", "password": PASSWORD}, headers=HERE)
    assert again.status_code == 401 or again.headers["location"].startswith("/sign-in")
    assert [each.name for each in server.identity.users()] == ["ada"]


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
