"""Which recorded turn serves which call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.models.errors import BadRecording, NoRecordedTurn, RecordedFailure
from engine.models.recording import Recording, read_recording
from engine.models.replay import ReplayModel
from tests.engine.chat_models.requests import a_request


def turn(text: str, activity: str = "triage", **fields: Any) -> dict[str, Any]:
    return {"activity": activity, "answer": {"text": text}, **fields}


def a_model(*turns: dict[str, Any]) -> ReplayModel:
    return ReplayModel(Recording.model_validate({"turns": turns}), "turns.yaml")


def said(model: ReplayModel, **call: Any) -> str:
    return model.answer(a_request(**call)).text


def test_the_answer_is_what_was_recorded() -> None:
    recorded = {"text": "High.", "outputs": {"severity": "high"}, "confidence": 0.8, "tokens_in": 7, "tokens_out": 2}
    answer = a_model({"activity": "triage", "answer": recorded}).answer(a_request())
    assert (answer.text, answer.outputs, answer.confidence) == ("High.", {"severity": "high"}, 0.8)
    assert (answer.tokens_in, answer.tokens_out, answer.model) == (7, 2, "replay:turns.yaml")


def test_tokens_that_were_not_recorded_are_estimated() -> None:
    answer = a_model({"activity": "triage", "answer": {"outputs": {"a": "word " * 50}}}).answer(a_request())
    assert answer.tokens_in > 0
    assert answer.tokens_out > 40


def test_visits_use_the_turns_in_the_order_of_the_file() -> None:
    model = a_model(turn("one"), turn("other", activity="fix"), turn("two"))
    assert [said(model, visit=visit) for visit in (1, 2)] == ["one", "two"]


@pytest.mark.parametrize("later", [{"turn": 2}, {"attempt": 2}, {"visit": 2}])
def test_a_second_turn_attempt_or_visit_uses_the_second(later: dict[str, int]) -> None:
    assert said(a_model(turn("one"), turn("two")), **later) == "two"


def test_the_same_call_gets_the_same_turn_however_often_and_in_whatever_order() -> None:
    turns = [turn("one"), turn("two"), turn("three")]
    first, second = a_model(*turns), a_model(*turns)
    forwards = [said(first, visit=visit) for visit in (1, 2, 3)]
    backwards = [said(second, visit=visit) for visit in (3, 2, 1)]
    assert forwards == backwards[::-1] == ["one", "two", "three"]
    assert said(first, visit=1) == "one"


def test_behind_the_last_turn_the_last_one_marked_repeat_serves() -> None:
    model = a_model(turn("one"), turn("two", repeat=True), turn("three"))
    assert [said(model, visit=visit) for visit in (3, 4, 9)] == ["three", "two", "two"]


def test_behind_the_last_turn_nothing_serves_unless_marked() -> None:
    with pytest.raises(NoRecordedTurn) as error:
        said(a_model(turn("one"), turn("two")), visit=3, branch="/fork@3:2.b", attempt=2)
    assert str(error.value) == (
        "turns.yaml: no recorded turn for triage (branch /fork@3:2.b, visit 3, attempt 2, turn 1); "
        "2 recorded for this activity; `repeat: true` on the last one uses it again"
    )


def test_an_activity_without_turns_is_told_with_the_nearest_name() -> None:
    with pytest.raises(NoRecordedTurn, match=r"no recorded turn for triag .* did you mean triage\?"):
        said(a_model(turn("one")), activity="triag")


def test_a_selector_is_exact_and_comes_before_the_order() -> None:
    model = a_model(turn("first"), turn("second"), turn("third visit", visit=3), turn("retry", visit=3, attempt=2))
    assert [said(model, visit=visit) for visit in (1, 2, 3)] == ["first", "second", "third visit"]
    assert said(model, visit=3, attempt=2) == "retry"


def test_turns_of_a_conversation_are_kept_apart_from_visits() -> None:
    model = a_model(turn("ask", turn=1), turn("tell", turn=2), turn("ask again", turn=1), turn("tell again", turn=2))
    calls = [(visit, number) for visit in (1, 2) for number in (1, 2)]
    assert [said(model, visit=visit, turn=number) for visit, number in calls] == [
        "ask",
        "tell",
        "ask again",
        "tell again",
    ]


def test_branches_are_chosen_by_glob() -> None:
    model = a_model(turn("left", branch="*.left"), turn("right", branch="*.right"), turn("main"))
    assert said(model, branch="/fork@3:2.left") == "left"
    assert said(model, branch="/fork@3:2.right") == "right"
    assert said(model) == "main"


def test_a_turn_for_a_branch_serves_there_whatever_the_visit() -> None:
    """Visits are counted over all branches, so the second branch's first call is the second visit."""
    model = a_model(turn("left", branch="*.left"), turn("right", branch="*.right"))
    assert said(model, branch="/fork@3:2.right", visit=2) == "right"


def test_a_recorded_failure_fails_the_call_and_the_next_attempt_goes_on() -> None:
    model = a_model({"activity": "triage", "fail": "rate limit reached"}, turn("now"))
    with pytest.raises(RecordedFailure, match="rate limit reached"):
        said(model)
    assert said(model, attempt=2) == "now"


def write(folder: Path, text: str) -> Path:
    file = folder / "turns.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_is_read(tmp_path: Path) -> None:
    text = 'turns:\n  - {activity: triage, branch: "*.b", answer: {outputs: {day: 2026-03-01, n: 2}}}\n'
    answer = ReplayModel.load(write(tmp_path, text)).answer(a_request(branch="x.b"))
    assert answer.outputs == {"day": "2026-03-01", "n": 2}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("turns: [", "not YAML: line 1: "),
        ("a: b: c", "not YAML: line 1: "),
        ("", "the file: Input should be a valid dictionary or instance of Recording"),
        ("turns: 3", "turns: Input should be a valid tuple"),
        ("turns: [{answer: {text: x}}]", "turns[0].activity: Field required"),
        ("turns: [{activity: a, answr: {}}]", "turns[0].answr: Extra inputs are not permitted; allowed: activ"),
        ("turns: [{activity: a, answer: {txt: x}}]", "turns[0].answer.txt: Extra inputs are not permitted; allowed: t"),
        ("turn: []", "turns: Field required; turn: Extra inputs are not permitted; allowed: turns"),
        ("turns: [{activity: a}]", "turns[0]: Value error, a turn has either `answer` or `fail`"),
        ("turns: [{activity: a, fail: x, answer: {}}]", "turns[0]: Value error, a turn has either"),
        ("turns: [{activity: a, turn: 0, fail: x}]", "turns[0].turn: Input should be greater than or equal to 1"),
        ("turns: [{activity: a, answer: {confidence: 2}}]", "turns[0].answer.confidence: Input should be less"),
        ("turns: [{activity: a, answer: {outputs: {x: .nan}}}]", "turns[0].answer.outputs"),
        ("!!python/object/apply:os.system ['true']", "not YAML: line 1: could not determine a constructor"),
    ],
)
def test_a_bad_file_is_refused_and_its_place_told(tmp_path: Path, text: str, told: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(BadRecording) as error:
        read_recording(file)
    assert str(error.value).startswith(f"{file}: {told}")


@pytest.mark.parametrize("text", ["secret: [s3cr3t", "s3cr3t", "turns: [{activity: a, turn: s3cr3t, fail: x}]"])
def test_what_stands_in_a_bad_file_is_not_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadRecording) as error:
        read_recording(write(tmp_path, text))
    assert "s3cr3t" not in str(error.value)
