"""The differential harness tells what is the same, what differs on purpose, and what just differs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from benchmarks import differential
from benchmarks.deliberate import ROWS
from benchmarks.differential import judge
from benchmarks.plainly import Course
from tests.benchmarks.models import model, sequence

FILES = {
    "same.bpmn": sequence('<scriptTask id="a"><script>x = 1</script></scriptTask>'),
    "waits.bpmn": sequence('<receiveTask id="a" messageRef="m"/>'),
    "link.bpmn": model(
        '<startEvent id="s"/><intermediateThrowEvent id="t"><linkEventDefinition name="l"/></intermediateThrowEvent>'
        '<intermediateCatchEvent id="c"><linkEventDefinition name="l"/></intermediateCatchEvent><task id="a"/>'
        '<endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="t"/>'
        '<sequenceFlow id="g" sourceRef="c" targetRef="a"/><sequenceFlow id="h" sourceRef="a" targetRef="e"/>'
    ),
    "broken.bpmn": "<definitions",
}


def test_a_corpus_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    differential.main(["--data", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    values = {each["name"]: each["value"] for each in found["figures"]}
    assert values["differential.same"] == 1
    assert values["differential.unexplained"] == 0
    assert {each["file"] for each in found["failed"]} <= {"link.bpmn"}


def _course(*done: str, completed: bool = True, why: str = "", **variables: object) -> Course:
    return Course(completed=completed, why=why, done=Counter(done), variables=dict(variables))


def _judged(content: str, plain: Course, ours: Course) -> tuple[str, str, str | None]:
    found = judge("f", "p", etree.fromstring(model(content).encode()), plain, ours)
    return found.how, found.what, found.row


def test_a_difference_that_no_row_is_about_is_a_defect() -> None:
    assert _judged("<task id='a'/>", _course("a", x=1), _course("a", x=1)) == ("same", "", None)
    assert _judged("<task id='a'/>", _course("a"), _course("a", "a")) == ("different", "activities", None)
    assert _judged("<task id='a'/>", _course("a", x=1), _course("a", x=2)) == ("different", "variables", None)
    assert _judged("<task id='a'/>", _course(), _course(completed=False, why="stalled: x")) == (
        "different", "outcome", None,
    )  # fmt: skip


def test_a_row_explains_what_it_is_about() -> None:
    links = "<task id='a'/><intermediateThrowEvent id='t'><linkEventDefinition/></intermediateThrowEvent>"
    assert _judged(links, _course(), _course("a")) == ("different", "activities", "link")
    assert _judged("<task id='a'/>", _course(), _course(completed=False, why="refused: timer"))[2] == "refused"
    assert len({row.name for row in ROWS}) == len(ROWS)
