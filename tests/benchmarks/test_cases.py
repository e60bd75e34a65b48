"""The harness of cases: what is compared, and that a case which nothing can check does not pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import cases
from benchmarks.case_contexts import check_context
from benchmarks.case_run import check_model
from tests.benchmarks.models import model, sequence

MODEL = sequence('<userTask id="a" name="Ask"/>')
WAITS = {"inputs": {"process": "p", "data": {"n": 1}}, "expected": {"status": "waiting", "data": {"n": 1}}}
ANSWERED = {
    "inputs": {"process": "p", "data": {}, "answers": [["a", {"x": 2}]]},
    "expected": {"status": "completed", "trace": ["a"], "data": {"x": 2}, "names": {"a": "Ask"}},
}
MERGE = {"base": {"a": 1, "b": 1}, "branches": {"one": {"a": 2, "b": 1}, "two": {"a": 1, "b": 3}}}


def _case(case: dict[str, Any], **expected: Any) -> dict[str, Any]:
    return {"id": "c", "file": "m.bpmn", **case, "expected": {**case["expected"], **expected}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.bpmn").write_text(MODEL, encoding="utf-8")
    return tmp_path


def test_models_run_with_their_answers(folder: Path) -> None:
    assert check_model(folder, _case(WAITS)) is None
    assert check_model(folder, _case(ANSWERED)) is None


@pytest.mark.parametrize(
    ("case", "expected", "told"),
    [
        (WAITS, {"status": "completed"}, "status waiting"),
        (ANSWERED, {"trace": []}, "trace ['a']"),
        (ANSWERED, {"data": {"x": 3}}, "x is 2"),
        (ANSWERED, {"must_not_run": ["a"]}, "a ran"),
        (ANSWERED, {"lint": ["join-deadlock:a"]}, "join-deadlock:a was not found"),
        (ANSWERED, {"names": {"a": "Tell"}}, "called 'Ask'"),
        (ANSWERED, {"conflicts": [{"key": "x", "values": [1], "branches": ["a"]}]}, "conflict on x"),
    ],
)
def test_what_is_not_as_expected_is_told(
    folder: Path, case: dict[str, Any], expected: dict[str, Any], told: str
) -> None:
    assert told in str(check_model(folder, _case(case, **expected)))


def test_contexts_are_merged_and_unknown_inputs_do_not_pass() -> None:
    merged = {"merged": {"a": 2, "b": 3}, "conflicts": []}
    assert check_context({"inputs": MERGE, "expected": merged}) is None
    assert check_context({"inputs": MERGE, "expected": {**merged, "merged": {}}}) is not None
    assert "no way to check" in str(check_context({"inputs": {"else": 1}, "expected": {}}))


def test_a_compression_that_loses_what_is_pinned_would_be_told() -> None:
    items = [{"id": "goal", "pinned": True, "tokens": 20}, {"id": "dump", "tokens": 4_000}]
    inputs = {"budget_tokens": 500, "items": items}
    assert check_context({"inputs": inputs, "expected": {"result_tokens_at_most": 500}}) is None
    assert check_context({"inputs": inputs, "expected": {"result_tokens_at_most": 5}}) is not None


def test_the_share_and_the_failed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = [{**_case(ANSWERED), "id": "right"}, {**_case(ANSWERED, trace=[]), "id": "wrong"}]
    (folder / "cases.json").write_text(json.dumps(every), encoding="utf-8")
    cases.main(["--data", str(folder), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["figures"][0]["value"] == 0.5
    assert [each["id"] for each in found["failed"]] == ["wrong"]


def test_instances_taken_together_are_not_one_activity_more(tmp_path: Path) -> None:
    marker = (
        '<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality><loopDataOutputRef>all</loopDataOutputRef>'
        '<outputDataItem id="x"/></multiInstanceLoopCharacteristics>'
    )
    (tmp_path / "m.bpmn").write_text(sequence(f'<userTask id="a">{marker}</userTask>'), encoding="utf-8")
    inputs = {"process": "p", "data": {}, "answers": [["a", {"x": 1}], ["a", {"x": 2}]]}
    expected = {"status": "completed", "trace": ["a", "a"], "data": {"all": [1, 2]}}
    assert check_model(tmp_path, {"file": "m.bpmn", "inputs": inputs, "expected": expected}) is None


def test_what_comes_before_anybody_waits_comes_again_later(tmp_path: Path) -> None:
    waits = '<userTask id="a"/><intermediateCatchEvent id="c"><{0}EventDefinition {0}Ref="m"/></intermediateCatchEvent>'
    flows = "".join(f'<sequenceFlow id="{a}{b}" sourceRef="{a}" targetRef="{b}"/>' for a, b in ("sa", "ac", "ce"))
    for kind in ("message", "signal"):
        inside = f'<startEvent id="s"/>{waits.format(kind)}<endEvent id="e"/>{flows}'
        (tmp_path / "m.bpmn").write_text(model(inside, more=f'<{kind} id="m" name="go"/>'), encoding="utf-8")
        inputs = {"process": "p", "data": {}, "answers": [["a", {}]], "events": [[kind, "go", {}]]}
        case = {"file": "m.bpmn", "inputs": inputs, "expected": {"status": "completed", "trace": ["a"]}}
        assert check_model(tmp_path, case) is None
