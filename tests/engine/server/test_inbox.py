"""The list of the inbox: page by page, filtered, and never more of it than a page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bpmn.load import load
from engine.governor import Governor
from engine.server.views.inbox_lines import MOST
from tests.bpmn.files import policy
from tests.engine.models import edges, end, model, start
from tests.engine.server.clients import served

_TITLE = re.compile(r'<span class="title">([^<]*)</span>')
_NEXT = re.compile(r'href="(/inbox\?[^"]*)" data-next')
LATE, LEADS = ' gov:due="2026-01-01T00:00:00Z"', ' gov:candidateGroups="leads"'


def tasks(*named: tuple[str, str]) -> bytes:
    """Tasks beside each other, of these names and attributes."""
    content = [f'<userTask id="{name}" name="{name}"{given}/>' for name, given in named]
    return model(policy("<gov:policy/>"), start(), *content, end(), edges(*(f"s > {name} > e" for name, _ in named)))


@pytest.fixture
def client(governor: Governor) -> Any:
    many = [(f"t{number:02}", LATE if number == 7 else LEADS if number % 2 else "") for number in range(MOST + 9)]
    governor.start(load(tasks(*many), file="many.bpmn"), {})
    governor.start(load(tasks(("other", "")).replace(b'"p"', b'"q"'), file="q.bpmn"), {})
    return served(governor).client("ada", "approver")


def titles(client: Any, path: str) -> list[str]:
    return _TITLE.findall(client.get(path).text)


def test_pages_have_everything_once(client: Any) -> None:
    first = client.get("/inbox").text
    assert f"{MOST + 10} open" in first
    [path] = _NEXT.findall(first)
    found = [*_TITLE.findall(first), *titles(client, path.replace("&amp;", "&"))]
    assert len(_TITLE.findall(first)) == MOST
    assert sorted(found) == sorted([*(f"t{number:02}" for number in range(MOST + 9)), "other"])
    assert _NEXT.findall(client.get(path.replace("&amp;", "&")).text) == []


def test_a_filter_stays_while_somebody_steps_through(client: Any) -> None:
    assert titles(client, "/inbox?process=q") == ["other"]
    assert titles(client, "/inbox?only=overdue") == ["t07"]
    assert titles(client, "/inbox?only=overdue&process=q") == []
    assert 'href="/inbox">Show all' in client.get("/inbox?only=overdue&process=q").text
    for_anybody = {"other", "t07", *(f"t{number:02}" for number in range(0, MOST + 9, 2))}
    assert set(titles(client, "/inbox?only=mine")) == for_anybody
    page = client.get("/inbox?process=q").text
    [item] = re.findall(r'href="(/inbox/[^"?]+\?process=q)"', page)
    assert 'href="/inbox?process=q">← Inbox' in client.get(item).text
    assert titles(client, f"/inbox/lines?{item.partition('?')[2]}") == ["other"]
