"""Loading as a whole: the process to start, findings in order, and what counts as un-runnable."""

from __future__ import annotations

import pytest

from bpmn.errors import NoProcess
from bpmn.findings import Finding, in_file_order, near_match, render, shortened
from tests.bpmn.files import chain, document, finding, loaded, process, rules

START = '<startEvent id="{0}s"/>'


def processes(*attributes: str, beside: str = "") -> bytes:
    """A file with the processes `a`, `b` and so on, each with a start event."""
    content = [
        f'<process id="{name}" {more}><startEvent id="{name}s"/></process>'
        for name, more in zip("abc", attributes, strict=False)
    ]
    return document("\n".join(content) + beside)


YES, NO = 'isExecutable="true"', 'isExecutable="false"'


@pytest.mark.parametrize(
    ("data", "main"),
    [
        (processes(YES), "a"),
        (processes(""), "a"),
        (processes(NO), "a"),
        (processes(NO, YES), "b"),
        (processes("", YES), "b"),
        (processes(NO, ""), "b"),
        (document('<process id="a"/><process id="b"><startEvent id="s"/></process>'), "b"),
        (
            document(
                '<process id="a"><startEvent id="s"/></process>'
                '<process id="b"><startEvent id="t"/><callActivity id="c" calledElement="a"/></process>'
            ),
            "b",
        ),
    ],
)
def test_the_process_to_start(data: bytes, main: str) -> None:
    result = loaded(data)
    assert result.definition.main == main
    assert "several-processes" not in rules(result.findings)


@pytest.mark.parametrize("data", [processes("", ""), processes(YES, YES, NO), processes(NO, NO)])
def test_several_processes_and_none_chosen(data: bytes) -> None:
    problem = finding(data, "several-processes")
    assert (problem.severity, problem.found, problem.allowed) == ("error", "2 processes", ("a", "b"))
    assert loaded(data).definition.main is None
    assert loaded(data, process="b").definition.main == "b"
    assert not loaded(data, process="b").errors


def test_a_process_that_is_not_in_the_file() -> None:
    with pytest.raises(NoProcess, match="did you mean refund") as caught:
        loaded(document('<process id="refund"><startEvent id="s"/></process>'), process="refnd")
    assert (caught.value.found, caught.value.allowed) == ("refnd", "refund")


@pytest.mark.parametrize("data", [document(""), document('<collaboration id="c"/>'), document('<message id="m"/>')])
def test_a_file_without_a_process(data: bytes) -> None:
    with pytest.raises(NoProcess, match="no process"):
        loaded(data)


def test_errors_in_processes_that_are_not_entered_are_warnings() -> None:
    other = '<process id="q"><choreographyTask id="x"/></process>'
    alone = loaded(chain('<task id="a"/>', beside=other))
    assert alone.definition.main == "p"
    assert alone.errors == ()
    assert {"missing-start", "unsupported-element"} <= rules(alone.findings)
    assert all("process q is not entered" in one.message for one in alone.findings if one.element == "x")
    called = loaded(chain('<callActivity id="a" calledElement="q"/>', beside=other))
    assert "unsupported-element" in rules(called.errors)


def test_a_process_may_call_itself() -> None:
    assert not loaded(chain('<callActivity id="a" calledElement="p"/>')).errors


def test_findings_are_in_the_order_of_the_file_and_all_there() -> None:
    data = process(
        '<startEvent id="s"/>\n<scriptTask id="a"/>\n<sequenceFlow id="f" sourceRef="s" targetRef="nope"/>\n'
        '<task id="b" gov:workingThreshold="0"/>\n<choreographyTask id="c"/>'
    )
    errors = loaded(data).errors
    assert [(one.line, one.rule) for one in errors] == [
        (4, "script"),
        (5, "dangling-reference"),
        (6, "policy-value"),
        (7, "unsupported-element"),
    ]


def test_the_text_of_findings() -> None:
    one = Finding(rule="timer", severity="error", file="a.bpmn", message="wrong", element="t", line=3)
    two = Finding(rule="several", severity="warning", file="a.bpmn", message="choose", found="2", allowed=("a", "b"))
    assert render(in_file_order([one, two])) == (
        "a.bpmn: warning several: choose; found 2; allowed: a, b\na.bpmn:3: error timer t: wrong"
    )
    assert two.to_json() == {
        "rule": "several",
        "severity": "warning",
        "file": "a.bpmn",
        "message": "choose",
        "element": None,
        "line": None,
        "found": "2",
        "allowed": ["a", "b"],
    }


def test_long_lists_are_shortened_and_not_searched() -> None:
    names = [f"name{n}" for n in range(300)]
    assert shortened(names)[-2:] == ("name11", "and 288 more")
    assert shortened(names[:3]) == ("name0", "name1", "name2")
    assert near_match("nme1", names[:100]) == "name1"
    assert near_match("nme1", names) is None


def test_the_name_in_messages_is_the_one_that_was_given() -> None:
    assert {one.file for one in loaded(process("")).findings} == {"a.bpmn"}
