"""Reading what models write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.activities.replies import Reply, read_outputs, read_text
from engine.models.base import ModelAnswer

SCHEMA = {"type": "object", "properties": {"risk": {"type": "number"}}, "required": ["risk"]}


def read(text: str, **fields: Any) -> Reply:
    return read_outputs(ModelAnswer(text=text, **fields), SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        '{"outputs": {"risk": 3}, "decision": "Low.", "confidence": 0.8}',
        '```json\n{"outputs": {"risk": 3}, "decision": "Low.", "confidence": 0.8}\n```',
        'Let me see {what} {"risk": 1} is.\n{"outputs": {"risk": 3}, "decision": "Low.", "confidence": 0.8} Done.',
    ],
)
def test_json_is_found_whatever_stands_around_it(text: str) -> None:
    assert read(text) == Reply({"risk": 3}, "Low.", 0.8)


def test_outputs_may_stand_alone() -> None:
    assert read('{"risk": 3}') == Reply({"risk": 3}, None, None)


def test_outputs_that_the_model_filled_in_come_first() -> None:
    said = read("It is low. See the log.", outputs={"risk": 3}, confidence=0.5)
    assert said == Reply({"risk": 3}, "It is low.", 0.5)


def test_what_the_provider_states_of_confidence_comes_first() -> None:
    assert read('{"outputs": {"risk": 3}, "confidence": 0.8}', confidence=0.2).confidence == 0.2


@pytest.mark.parametrize("text", ["It is low.", "", "{", "{" * 5_000, '["risk"]', '{"risk": NaN}', "{'risk': 3}"])
def test_without_a_json_object_there_are_no_outputs(text: str) -> None:
    assert read(text).outputs is None


@pytest.mark.parametrize(("braces", "outputs"), [(900, {"risk": 3}), (1_100, None)])
def test_so_many_braces_are_looked_at_and_no_more(braces: int, outputs: dict[str, Any] | None) -> None:
    assert read("{ " * braces + '{"risk": 3}').outputs == outputs


def test_deeply_nested_text_is_no_json() -> None:
    assert read('{"a":' * 200_000).outputs is None


def test_an_output_called_outputs_is_an_output() -> None:
    schema = {"type": "object", "properties": {"outputs": {"type": "object"}}}
    alone = ModelAnswer(text='{"outputs": {"n": 1}}')
    wrapped = ModelAnswer(text='{"outputs": {"outputs": {"n": 1}}}')
    assert read_outputs(alone, schema).outputs == {"outputs": {"n": 1}}
    assert read_outputs(wrapped, schema).outputs == {"outputs": {"n": 1}}


@pytest.mark.parametrize(
    ("stated", "share"),
    [(0, 0.0), (1, 1.0), (0.5, 0.5), (1.01, None), (-0.1, None), ("0.5", None), (True, None), (None, None)],
)
def test_a_confidence_outside_0_to_1_is_none(stated: Any, share: float | None) -> None:
    import json

    assert read(json.dumps({"outputs": {}, "confidence": stated})).confidence == share


@pytest.mark.parametrize("confidence", [float("nan"), float("inf"), 2.0])
def test_so_is_one_that_the_provider_states(confidence: float) -> None:
    assert read("", confidence=confidence).confidence is None


def test_a_decision_is_one_line_of_at_most_two_hundred_characters() -> None:
    long = "We look at it\nagain and again, " * 20
    decision = read_outputs(ModelAnswer(text=f"{long}.", outputs={}), SCHEMA).decision
    assert decision is not None
    assert len(decision) <= 200
    assert "\n" not in decision


def test_a_decision_that_is_no_text_is_none() -> None:
    assert read('{"outputs": {"risk": 3}, "decision": {"a": 1}}').decision is None


def test_the_text_is_the_output_where_none_is_declared() -> None:
    assert read_text(ModelAnswer(text=" It is low. Go on.\n"), "triage") == Reply(
        {"triage": "It is low. Go on."}, "It is low.", None
    )


def test_outputs_without_text_are_the_output_where_none_is_declared() -> None:
    assert read_text(ModelAnswer(outputs={"a": 1}), "triage").outputs == {"triage": {"a": 1}}


def test_an_empty_answer_has_no_outputs() -> None:
    assert read_text(ModelAnswer(text="  "), "triage") == Reply(None, None, None)


@given(st.text(alphabet='{}[]":,0a ', max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    read(text)


def test_a_model_says_which_values_of_outputs_led_nowhere() -> None:
    given = [
        {"output": "fix", "value": {"do": "restart"}, "reason": "the pods\ncame back as they were"},
        {"output": "unknown", "value": 1, "reason": "x"},
        {"output": "fix"},
        "nonsense",
    ]
    said = ModelAnswer(text=json.dumps({"outputs": {"fix": "x"}, "dead_ends": given}))
    (note,) = read_outputs(said, {"properties": {"fix": {}}}).dead_ends
    assert (note.strategy, note.value, note.reason) == ("fix", {"do": "restart"}, "the pods came back as they were")
