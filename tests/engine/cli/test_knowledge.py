"""`governor knowledge`, and what a run draws on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder

RULES = "# Refunds\nAsk a team lead above 500 EUR.\n\n# Travel\nBook three weeks ahead.\n"


@pytest.fixture
def handbook(folder: Folder) -> str:
    place = Path(folder.path) / "handbook" / "sop"
    place.mkdir(parents=True)
    (place / "rules.md").write_text(RULES)
    return str(place.parent)


def test_documents_are_added_listed_and_found(folder: Folder, handbook: str) -> None:
    told = governor("knowledge", "add", handbook, "--db", folder.db)
    assert (told.code, told.out) == (
        0,
        "Documents: 1 read, 0 unchanged, 0 gone; items: 2 added, 0 superseded\n",
    )
    listed = governor("knowledge", "list", "--db", folder.db, "--json").json["items"]
    assert [(item["type"], item["title"]) for item in listed] == [("sop", each["title"]) for each in listed]
    [best, *_] = governor("knowledge", "list", "--query", "team lead", "--db", folder.db, "--json").json["items"]
    assert best["title"] == "Refunds"


def test_an_item_is_shown_confirmed_and_retired(folder: Folder, handbook: str) -> None:
    governor("knowledge", "add", handbook, "--db", folder.db)
    [item, *_] = governor("knowledge", "list", "--query", "team lead", "--db", folder.db, "--json").json["items"]
    shown = governor("knowledge", "show", item["id"], "--db", folder.db).out
    assert "Ask a team lead above 500 EUR." in shown
    assert "handbook/sop/rules.md, line 2" in shown
    assert "is usable, confidence 0.95" in governor("knowledge", "confirm", item["id"][:6], "--db", folder.db).out
    why = governor("knowledge", "why", item["id"], "--db", folder.db).out
    assert "vouched for by maria" in why
    assert "helped in no activity yet" in why
    governor("knowledge", "retire", item["id"], "--reason", "the rule changed", "--db", folder.db)
    assert "team lead" not in governor("knowledge", "list", "--db", folder.db).out
    assert "retired by maria: the rule changed" in governor("knowledge", "show", item["id"], "--db", folder.db).out
    assert item["id"] in governor("knowledge", "list", "--all", "--db", folder.db).out


def test_a_person_adds_what_she_knows_once(folder: Folder) -> None:
    text = ("knowledge", "add", "--text", "Gift cards are booked under 4711.", "--type", "sop", "--db", folder.db)
    first = governor(*text).out
    assert first.startswith("Stored as k-")
    assert governor(*text, "--user", "jonas").out.endswith("says the same, and is as sure\n")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["add", "nowhere"], "nowhere: there is nothing; allowed are a document or a folder of documents: .md"),
        (["add"], "give either a PATH or --text TEXT"),
        (["show", "k-0"], "no item of knowledge 'k-0'; `governor knowledge list` shows those there are"),
        (["retire", "k-", "--reason", "x"], "item of knowledge 'k-' may be k-"),
    ],
)
def test_bad_input_is_one_clear_line(folder: Folder, handbook: str, arguments: list[str], found: str) -> None:
    governor("knowledge", "add", handbook, "--db", folder.db)
    told = governor("knowledge", *arguments, "--db", folder.db)
    assert (told.code, told.out) == (2, "")
    assert found in told.err
    assert "Traceback" not in told.err


def test_an_unreadable_document_is_told_and_the_others_are_taken(folder: Folder, handbook: str) -> None:
    (Path(handbook) / "broken.txt").write_bytes(b"\xff\xff")
    told = governor("knowledge", "add", handbook, "--db", folder.db, "--json")
    assert told.code == 2
    assert told.json["added"] == 2
    assert told.json["unreadable"] == ["handbook/broken.txt: is not UTF-8 (byte 0); save it as UTF-8"]


AGENT = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:gov="urn:bpmn-governor:governance:1.0"><process id="p" isExecutable="true"><startEvent id="s"/>
<task id="decide" name="Decide on refunds"><extensionElements><gov:agent outputs="verdict:string"/>
<gov:policy><gov:knowledgeRequirement type="sop" query="refunds above the limit"/></gov:policy></extensionElements>
</task>
<endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="decide"/>
<sequenceFlow id="g" sourceRef="decide" targetRef="e"/></process></definitions>"""


def test_a_run_draws_on_documents(folder: Folder, handbook: str) -> None:
    told = governor("run", folder.put("a.bpmn", AGENT), "--knowledge", handbook, "--db", folder.db, "--json")
    assert told.code == 0
    events = governor("show", told.json["instance"], "--events", "--db", folder.db, "--json").json["events"]
    [injected] = [event["data"] for event in events if event["type"] == "knowledge_injected"]
    assert injected["form"] == "whole"
    assert len(injected["items"]) == 1
    bad = governor("run", folder.put("a.bpmn", AGENT), "--knowledge", "nowhere", "--db", folder.db)
    assert bad.code == 2
