"""A place inside a variable has one spelling wherever people read it, and may be written so wherever they answer."""

from __future__ import annotations

import pytest

from tests.bpmn.files import policy
from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder
from tests.engine.models import edges, end, model, script, start

RULE = policy('<gov:policy><gov:mergeKey name="o.f" strategy="HUMAN"/></gov:policy>')
SOURCE = model(
    start(), script("first", "o = {'f': 0, 'l': [{'id': 'k', 'q': 0}]}"), '<parallelGateway id="g"/>',
    script("a", "o['f'] = 1\no['l'][0]['q'] = 1"), script("b", "o['f'] = 2\no['l'][0]['q'] = 2"),
    f'<parallelGateway id="j">{RULE}</parallelGateway>', end(), edges("s > first > g > a > j > e", "g > b > j"),
).decode()  # fmt: skip


@pytest.mark.parametrize("name", ["o.f", "o/f", "o#/f"])
def test_a_place_is_shown_and_answered_in_the_spelling_of_people(folder: Folder, name: str) -> None:
    told = governor("run", folder.put("places.bpmn", SOURCE), "--db", folder.db)
    assert "disagree about o.f at j" in told.out
    (asked,) = governor("inbox", "list", "--db", folder.db, "--json").json["inbox"]
    shown = governor("inbox", "show", asked["id"], "--db", folder.db).out
    assert "o.f" in shown
    assert not [text for text in ("o/", "o#") if text in told.out + told.err + shown]
    answer = ("--decision", "resolve", "--values", f'{{"{name}": {{"take": "a"}}}}')
    done = governor("inbox", "answer", asked["id"], "--db", folder.db, *answer, "--json")
    assert done.json["variables"]["o"] == {"f": 1, "l": [{"id": "k", "q": 2}]}
