"""`governor policy`: what holds where, and why."""

from __future__ import annotations

from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE, STEPS, Folder

OWN = OUTAGE.replace(
    '<serviceTask id="logs" name="Read logs" gov:jobType="logs"/>',
    '<serviceTask id="logs" name="Read logs" gov:jobType="logs" gov:interactionLevel="DIFF_PREVIEW"/>',
)


def row(text: str, name: str) -> list[str]:
    """The two lines of an activity."""
    lines = text.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith(name))
    return lines[place : place + 2]


def test_inherited_values_say_where_they_are_written(folder: Folder) -> None:
    told = governor("policy", folder.put("outage.bpmn", OUTAGE))
    values, origins = row(told.out, "Collect logs")
    assert values.split()[2:4] == ["900", "severity"]
    assert "process review (6)" in origins
    assert told.code == 0


def test_own_values_name_the_element_and_the_line(folder: Folder) -> None:
    values, origins = row(governor("policy", folder.put("own.bpmn", OWN)).out, "Read logs")
    assert "DIFF_PREVIEW" in values
    assert "logs (10)" in origins


def test_defaults_have_no_origin(folder: Folder) -> None:
    values, origins = row(governor("policy", folder.put("steps.bpmn", STEPS)).out, "First")
    assert "12,000" in values
    assert origins.split() == ["a", "merge", "by", "default"]


def test_columns_that_nobody_sets_are_left_out(folder: Folder) -> None:
    assert "WINDOW" not in governor("policy", folder.put("steps.bpmn", STEPS)).out
    window = OUTAGE.replace('workingThreshold="900"', 'windowTokens="8000"')
    assert "8,000" in governor("policy", folder.put("window.bpmn", window)).out


def test_the_matrix_as_json(folder: Folder) -> None:
    told = governor("policy", folder.put("own.bpmn", OWN), "--json")
    logs = next(each for each in told.json["activities"] if each["element"] == "logs")
    assert logs["policy"]["interaction_level"] == "DIFF_PREVIEW"
    assert logs["origins"]["interaction_level"] == {"element": "logs", "kind": "element", "line": 10}
    assert logs["origins"]["working_threshold"] == {"element": "review", "kind": "process", "line": 6}
    assert {each["element"] for each in told.json["activities"]} >= {"fork", "join", "approve"}


def test_wrong_policies_are_bad_input(folder: Folder) -> None:
    told = governor("policy", folder.put("wrong.bpmn", OUTAGE.replace('"900"', '"0"')))
    assert told.code == 2
    assert "policy-value" in told.err
