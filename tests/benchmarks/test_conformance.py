"""The conformance harness runs models in betsy's words, and counts what should be refused and is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import conformance
from benchmarks.betsy import condition
from benchmarks.conformance import matches
from tests.benchmarks.models import model, sequence

LOG = sequence('<scriptTask id="a"><script>SCRIPT_task1</script></scriptTask>', "Log")
THROWS = sequence('<scriptTask id="a"><script>THROW_ERROR</script></scriptTask>', "Throws")
CHOICE = model(
    '<startEvent id="s"/><exclusiveGateway id="g"/><scriptTask id="a"><script>SCRIPT_task1</script></scriptTask>'
    '<scriptTask id="b"><script>CREATE_MARKER_FILE</script></scriptTask>'
    '<sequenceFlow id="f1" sourceRef="s" targetRef="g"/>'
    '<sequenceFlow id="f2" sourceRef="g" targetRef="a">'
    '<conditionExpression>test.contains("a")</conditionExpression></sequenceFlow>'
    '<sequenceFlow id="f3" sourceRef="g" targetRef="b">'
    '<conditionExpression>!test.contains("a")</conditionExpression></sequenceFlow>',
    "Choice",
)
DANGLING = model('<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="nowhere"/>')


def _case(expected: list[str], **inputs: Any) -> dict[str, Any]:
    return {
        "number": 1, "inputs": inputs, "expected_trace": expected, "delay_ms": 0, "also_start_process": None,
        "expect_error": None,
    }  # fmt: skip


def _test(name: str, *cases: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "file": f"{name}.bpmn", "cases": list(cases)}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "processes").mkdir()
    for name, text in {"Log": LOG, "Throws": THROWS, "Choice": CHOICE, "Dangling": DANGLING, "Fine": LOG}.items():
        (tmp_path / "processes" / f"{name}.bpmn").write_text(text, encoding="utf-8")
    tests = [
        _test("Log", _case(["SCRIPT_task1"])),
        _test("Throws", _case(["ERROR_thrownErrorEvent"])),
        _test("Choice", _case(["SCRIPT_task1"], test="ab"), _case(["MARKER_exists"], test="b")),
        {**_test("Log", _case(["SCRIPT_task2"])), "name": "Wrong"},
    ]
    constraints = [{"name": name, "constraint": "X1", "file": f"{name}.bpmn"} for name in ("Dangling", "Fine")]
    text = json.dumps({"tests": tests, "constraints": constraints})
    (tmp_path / "betsy.json").write_text(text, encoding="utf-8")
    return tmp_path


def test_tests_pass_by_their_log_and_constraints_by_a_refusal(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conformance.main(["--data", str(suite), "--json"])
    found = json.loads(capsys.readouterr().out)
    values = {each["name"]: each["value"] for each in found["figures"]}
    assert values == {"conformance.features": 3, "conformance.constraints": 0.5}
    assert [each["name"] for each in found["failed"]] == ["Wrong", "Fine"]
    assert "found ['SCRIPT_task1']" in found["failed"][0]["reason"]


def test_an_error_of_either_kind_and_a_marker_that_nobody_asked_for() -> None:
    assert matches(["ERROR_runtime"], ["ERROR"])
    assert not matches(["SCRIPT_task1"], ["ERROR"])
    assert matches(["SCRIPT_task1", "MARKER_exists"], ["SCRIPT_task1"])
    assert not matches(["SCRIPT_task1"], ["SCRIPT_task1", "MARKER_exists"])


@pytest.mark.parametrize(
    ("java", "ours"),
    [
        ('test.contains("a")', '"a" in test'),
        ('!test.contains("a")', '"a" not in test'),
        ("${integerVariable}", "integerVariable"),
        ("true", "True"),
        ('test.contains("a")>', '"a" in test'),
    ],
)
def test_java_conditions_in_our_words(java: str, ours: str) -> None:
    assert condition(java) == ours
