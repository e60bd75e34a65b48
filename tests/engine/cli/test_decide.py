"""`governor decide`, and decisions in `run` and `check`."""

from __future__ import annotations

import json

from tests.bpmn.dmn.models import DMN, data, decision, definitions, literal
from tests.bpmn.files import chain
from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder

RULES = definitions(
    data("n", "number"), decision("twice", literal("n * 2"), ["n"]), decision("wrong", literal('n + "1"'), ["n"])
).decode()
ASKING = chain('<businessRuleTask id="a" gov:decision="twice"/>').decode()


def test_a_decision_is_asked_and_printed(folder: Folder) -> None:
    told = governor("decide", folder.put("r.dmn", RULES), "--decision", "twice", "--var", "n=2.5")
    assert (told.code, told.out, told.err) == (0, "5\n", "")


def test_the_only_decision_needs_no_name_and_variables_come_from_a_file(folder: Folder) -> None:
    alone = definitions(data("n"), decision("d", literal("{a: n}"), ["n"])).decode()
    told = governor("decide", folder.put("r.dmn", alone), "--vars", folder.put("v.json", '{"n": [1, null]}'))
    assert json.loads(told.out) == {"a": [1, None]}


def test_notes_say_why_a_result_is_null(folder: Folder) -> None:
    file = folder.put("r.dmn", RULES)
    told = governor("decide", file, "--decision", "wrong", "--var", "n=1")
    assert (told.code, told.out) == (0, "null\n")
    assert "n is the number 1 (number), \"1\" is text '1' (string)" in told.err
    told = governor("decide", file, "--decision", "wrong", "--var", "n=1", "--json")
    assert told.json["result"] is None
    assert told.json["decision"] == "wrong"
    assert len(told.json["notes"]) == 1


def test_what_cannot_be_asked_is_bad_input(folder: Folder) -> None:
    file = folder.put("r.dmn", RULES)
    told = governor("decide", file)
    assert told.code == 2
    assert "--decision: say which one: twice, wrong" in told.err
    told = governor("decide", file, "--decision", "twise")
    assert told.code == 2
    assert "there is no decision twise; did you mean twice?" in told.err
    told = governor("decide", str(folder.path / "none.dmn"), "--decision", "x")
    assert told.code == 2


def test_imports_are_found_beside_the_file(folder: Folder) -> None:
    folder.put("base.dmn", definitions(decision("base", literal("20")), namespace="urn:base").decode())
    folder.put("junk.dmn", "<x/>")
    imported = f'<import name="b" namespace="urn:base" importType="{DMN}"/>'
    using = definitions(imported, decision("d", literal("b.base + 1"), ["!urn:base#base"])).decode()
    assert governor("decide", folder.put("using.dmn", using)).out == "21\n"


def test_check_tells_decisions_that_are_missing_or_wrong(folder: Folder) -> None:
    file = folder.put("p.bpmn", ASKING)
    told = governor("check", file)
    assert told.code == 0
    assert "warning missing-decision a: there is no decision twice" in told.out
    rules = folder.put("sub/r.dmn", RULES) if hasattr(folder, "deep") else folder.put("r.dmn", RULES)
    told = governor("check", file, "--decisions", rules)
    assert told.out.endswith("it can be run; nothing found\n")
    broken = folder.put("broken.dmn", definitions(decision("d", literal("1 +"))).decode())
    told = governor("check", broken)
    assert told.code == 2
    assert f"{broken}:1: error decision-expression d: the end stands where a value should be" in told.out


def test_run_takes_decisions_and_refuses_to_start_without(folder: Folder) -> None:
    file = folder.put("p.bpmn", ASKING)
    told = governor("run", file, "--var", "n=3", "--db", folder.db)
    assert told.code == 2
    assert "a: there is no decision twice; known decisions: none" in told.err
    folder.put("r.dmn", RULES)
    told = governor("run", file, "--var", "n=3", "--db", folder.db, "--json")
    assert told.code == 0
    assert told.json["variables"] == {"n": 3, "twice": 6}
