"""Integers over 64 bits go through the whole command: given, computed, held, disputed, shown."""

from __future__ import annotations

import json

from tests.bpmn.files import policy
from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder
from tests.engine.models import edges, end, gateway, instances, model, script, start, user

LARGE = 2**70


def test_a_large_integer_is_computed_held_disputed_and_shown(folder: Folder) -> None:
    source = model(
        start(), script("first", f"n = k + {LARGE}"),
        script("each", "o = it + n", instances(collection="items", output="sums", sequential=True)),
        user("ask", instances(collection="items", item="mine")),
        gateway("g"), script("a", "n = n + 1"), script("b", "n = n + 2"), gateway("j"),
        gateway("x", "exclusive", default="d"), end(), end("e2"),
        edges("s > first > each > ask > g > a > j > x -n > 0-> e", "g > b > j", "x =d=> e2"),
    )  # fmt: skip
    file = folder.put("large.bpmn", source.decode())
    run = ["run", file, "--db", folder.db, "--var", f"k={LARGE}", "--var", f"items=[{LARGE}]"]
    waiting = governor(*run, "--json").json
    assert waiting["status"] == "waiting", waiting
    instance = waiting["instance"]
    assert waiting["variables"]["sums"] == [3 * LARGE]
    assert str(LARGE) in governor("context", "show", instance, "--db", folder.db).out
    (task,) = governor("inbox", "list", "--db", folder.db, "--json").json["inbox"]
    assert governor("inbox", "show", task["id"], "--db", folder.db).code == 0
    assert governor("inbox", "answer", task["id"], "--db", folder.db, "--outputs", json.dumps({"n": LARGE})).code == 3
    (asked,) = governor("inbox", "list", "--db", folder.db, "--json").json["inbox"]
    assert str(LARGE + 1) in governor("inbox", "show", asked["id"], "--db", folder.db).out
    values = json.dumps({"n": LARGE + 7})
    answered = governor(
        "inbox", "answer", asked["id"], "--db", folder.db, "--decision", "resolve", "--values", values, "--json"
    )
    assert answered.code == 0, answered
    assert governor("context", "log", instance, "--db", folder.db).code == 0
    shown = governor("show", instance, "--db", folder.db, "--json").json
    assert (shown["status"], shown["variables"]["n"]) == ("completed", LARGE + 7)


def test_a_large_integer_is_told_in_a_run_for_people(folder: Folder) -> None:
    file = folder.put("large.bpmn", model(start(), script("a", "n = 2**70"), end(), edges("s > a > e")).decode())
    told = governor("run", file, "--db", folder.db)
    assert (told.code, str(2**70) in told.out) == (0, True)


def test_a_large_integer_is_kept_while_an_output_waits_for_approval(folder: Folder) -> None:
    floor = policy('<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>')
    source = model(start(), script("a", "n = 2**70", floor), end(), edges("s > a > e"))
    waiting = governor("run", folder.put("large.bpmn", source.decode()), "--db", folder.db, "--json").json
    assert waiting["status"] == "waiting"
    (asked,) = governor("inbox", "list", "--db", folder.db, "--json").json["inbox"]
    told = governor("inbox", "answer", asked["id"], "--db", folder.db, "--decision", "approve", "--json")
    assert told.json["variables"] == {"n": 2**70}
