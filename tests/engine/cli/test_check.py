"""`governor check`: findings in three formats."""

from __future__ import annotations

import pytest

from bpmn.findings import Finding
from engine.cli.checking import workflow_commands
from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE, OUTAGE_HANDLERS, STEPS, Folder

WRONG = OUTAGE.replace('workingThreshold="900"', 'workingThreshold="0"')


def test_a_good_file_is_told_so(folder: Folder) -> None:
    file = folder.put("steps.bpmn", STEPS)
    told = governor("check", file)
    assert (told.code, told.out) == (0, f"{file}: it can be run; nothing found\n")


def test_warnings_are_no_failure(folder: Folder) -> None:
    file = folder.put("outage.bpmn", OUTAGE)
    told = governor("check", file)
    assert told.code == 0
    assert f"{file}:8: warning missing-handler collect: no handler for the job type" in told.out
    assert told.out.endswith(f"{file}: it can be run: 0 errors, 5 warnings\n")


def test_handlers_that_are_given_are_not_missing(folder: Folder) -> None:
    told = governor("check", folder.put("outage.bpmn", OUTAGE), "--handlers", folder.put("h.py", OUTAGE_HANDLERS))
    assert "missing-handler" not in told.out


def test_errors_are_bad_input(folder: Folder) -> None:
    file = folder.put("wrong.bpmn", WRONG)
    told = governor("check", file)
    assert told.code == 2
    assert f"{file}:6: error policy-value review: " in told.out
    assert "it cannot be run: 1 error" in told.out


@pytest.mark.parametrize("options", [["--json"], ["--format", "json"]])
def test_findings_as_json(folder: Folder, options: list[str]) -> None:
    told = governor("check", folder.put("wrong.bpmn", WRONG), *options)
    assert told.code == 2
    assert told.json["errors"] == 1
    assert told.json["process"] == "review"
    error = next(each for each in told.json["findings"] if each["severity"] == "error")
    assert (error["rule"], error["element"], error["line"]) == ("policy-value", "review", 6)


def test_findings_as_annotations(folder: Folder) -> None:
    file = folder.put("wrong.bpmn", WRONG)
    told = governor("check", file, "--format", "github")
    assert told.code == 2
    assert f"::error file={file},line=6,title=policy-value::review: " in told.out


def test_findings_for_code_scanning(folder: Folder) -> None:
    file = folder.put("wrong.bpmn", WRONG)
    told = governor("check", file, "--format", "sarif")
    assert told.code == 2
    [run] = told.json["runs"]
    result = next(each for each in run["results"] if each["level"] == "error")
    place = result["locations"][0]
    assert (result["ruleId"], place["physicalLocation"]["region"]["startLine"]) == ("policy-value", 6)
    assert place["logicalLocations"] == [{"name": "review", "kind": "element"}]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]] == {"id": "policy-value"}


def test_an_annotation_escapes_what_would_end_it() -> None:
    finding = Finding(rule="r", severity="warning", file="a,b:c.bpmn", line=3, message="100 %\nsure", element="x")
    assert list(workflow_commands([finding])) == ["::warning file=a%2Cb%3Ac.bpmn,line=3,title=r::x: 100 %25%0Asure"]


@pytest.mark.parametrize("options", [[], ["--json"], ["--format", "github"], ["--format", "sarif"]])
def test_an_unreadable_file_is_a_finding(folder: Folder, options: list[str]) -> None:
    file = folder.put("broken.bpmn", "<definitions>")
    told = governor("check", file, *options)
    assert told.code == 2
    assert "not well-formed" in told.out


def test_what_was_rewritten_is_told(folder: Folder) -> None:
    implicit = STEPS.replace("</process>", '<scriptTask id="c"><script>z = 1</script></scriptTask>'
        '<sequenceFlow id="f3" sourceRef="a" targetRef="c"/></process>')
    file = folder.put("implicit.bpmn", implicit)
    assert "rewritten implicit" in governor("check", file).out
    assert governor("check", file, "--json").json["rewritten"][0]["element"] == "a"


def test_who_asks_for_it_is_told_where_nobody_answers_for_an_agent(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = STEPS.replace("<script>x = 1</script>", "").replace("scriptTask id=\"a\" name=\"First\"></scriptTask", (
        'task id="a" name="First"><extensionElements><gov:agent/></extensionElements></task'
    ))  # fmt: skip
    file = folder.put("agent.bpmn", agent)
    assert "nobody answers" not in governor("check", file).out
    told = governor("check", file, "--rule", "accountable")
    assert (told.code, "warning accountable a: nobody answers for what the agent does" in told.out) == (0, True)
    monkeypatch.setenv("GOVERNOR_RULES", "accountable")
    assert "nobody answers" in governor("check", file).out
    named = agent.replace('id="steps"', 'id="steps" gov:accountable="Ada"')
    assert "nobody answers" not in governor("check", folder.put("named.bpmn", named)).out
    wrong = governor("check", file, "--rule", "accountible")
    assert wrong.code == 2
    assert "off by default; those are accountable" in wrong.err
