"""`governor policy`: what holds where, and why."""

from __future__ import annotations

from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE, STEPS, Folder

OWN = OUTAGE.replace(
    '<serviceTask id="logs" name="Read logs" gov:jobType="logs"/>',
    '<serviceTask id="logs" name="Read logs" gov:jobType="logs" gov:interactionLevel="DIFF_PREVIEW"'
    ' gov:retainKeys="severity, log"/>',
)


def fields(text: str, name: str) -> list[str]:
    """What the matrix says of an activity."""
    line = next(line for line in text.splitlines() if line.startswith(name))
    return [field.strip() for field in line.removeprefix(name).split("  ") if field.strip()]


def test_inherited_values_have_a_letter_that_the_legend_explains(folder: Folder) -> None:
    told = governor("policy", folder.put("outage.bpmn", OUTAGE))
    assert told.code == 0
    assert fields(told.out, "ACTIVITY") == ["THRESHOLD", "RETAIN"]
    assert fields(told.out, "Collect logs") == ["900 a", "severity a"]
    assert "a process review\n    threshold  900 (6)\n    retain     severity (6)\n" in told.out


def test_own_values_have_a_star(folder: Folder) -> None:
    told = governor("policy", folder.put("own.bpmn", OWN))
    assert fields(told.out, "Read logs") == ["900 a", "2 keys *", "DIFF_PREVIEW *"]
    assert fields(told.out, "Check deploys") == ["900 a", "severity a", "AUTO_ALLOW"]
    assert "* logs\n    retain     severity, log (10)\n    level      DIFF_PREVIEW (10)\n" in told.out


def test_who_is_accountable_and_how_great_the_risk_is_are_columns(folder: Folder) -> None:
    graded = OWN.replace('gov:interactionLevel', 'gov:riskClass="high" gov:interactionLevel')
    told = governor("policy", folder.put("own.bpmn", graded.replace('="900"', '="900" accountable="Ada"'))).out
    assert fields(told, "ACTIVITY") == ["THRESHOLD", "RETAIN", "LEVEL", "ACCOUNTABLE", "RISK"]
    assert fields(told, "Read logs")[-2:] == ["Ada a", "high *"]
    assert fields(told, "Check deploys")[-2:] == ["Ada a", "-"]
    assert "    threshold   900 (6)\n" in told
    assert "    accountable Ada (6)\n" in told


def test_what_nobody_sets_is_told_once(folder: Folder) -> None:
    told = governor("policy", folder.put("steps.bpmn", STEPS)).out
    assert "default everywhere: threshold 12,000; compress SUMMARY; level AUTO_ALLOW; split INHERIT_ALL; " in told
    assert "\nset nowhere: retain, knowledge, approval, budget, " in told
    assert " -" not in told.partition("default everywhere")[2]
    assert "ACTIVITY" not in told


def test_branch_strategies_are_told_by_key(folder: Folder) -> None:
    keys = '<gov:branchStrategy merge="HUMAN"/><gov:mergeKey name="total" strategy="SUM"/>'
    content = OUTAGE.replace('retainKeys="severity"/>', f'retainKeys="severity">{keys}</gov:policy>')
    told = governor("policy", folder.put("keys.bpmn", content)).out
    assert fields(told, "Findings together") == ["900 a", "severity a", "HUMAN, 1 by key a"]
    assert "    merge      HUMAN, total SUM (6)" in told


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
