"""An activity done by a model, from the prompt to the outcome."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.definition import AgentConfig, LoopCharacteristics
from engine.activities.agent import AgentHandler
from engine.activities.errors import ModelFailed
from engine.activities.work import Outcome
from engine.errors import EngineError
from engine.models.base import ChatModel, ModelAnswer
from engine.models.choose import Models
from engine.models.errors import UnknownModel
from engine.models.offline.model import OfflineModel
from engine.prompts.assembler import PromptAssembler
from governance.policy import Policy
from governance.vocabulary import Layer, Producer
from tests.engine.activities.works import Run, Scripted, Story, a_run, an_element

OUTPUTS = {"severity": {"enum": ["low", "high"]}, "score": {"type": "number"}}
GOOD = ModelAnswer(
    text="It is high.", outputs={"severity": "high", "score": 3}, confidence=0.9, tokens_in=10, tokens_out=2
)
WRONG = ModelAnswer(text='{"outputs": {"severity": "huge"}, "confidence": 0.2}')


def do(run: Run, *answers: ModelAnswer | Exception) -> tuple[Outcome, Scripted]:
    model = Scripted(*answers)
    return AgentHandler(lambda spec: model, PromptAssembler())(run.work), model


def triage(story: Story | None = None, **fields: Any) -> Run:
    return a_run(story, an_element(outputs=OUTPUTS), **fields)


def test_the_outcome_is_what_the_model_answered() -> None:
    run = triage()
    outcome, model = do(run, GOOD)
    prompt = PromptAssembler().assemble(run.work)
    assert outcome == Outcome(
        outputs={"severity": "high", "score": 3},
        confidence=0.9,
        decision="It is high.",
        producer=Producer.AGENT,
        tokens_assembled=prompt.tokens,
        tokens_ungoverned=prompt.tokens_ungoverned,
    )
    assert model.asked[0].messages == prompt.messages


def test_the_request_names_the_call() -> None:
    story = Story(branch="/fork@3:2.left")
    element = an_element(outputs=OUTPUTS, agent=AgentConfig(max_tokens=99))
    _, model = do(a_run(story, element, visit=4, attempt=2), GOOD)
    asked = model.asked[0]
    assert (asked.activity, asked.branch) == ("triage", "/fork@3:2.left")
    assert (asked.visit, asked.attempt, asked.turn) == (4, 2, 1)
    assert (asked.max_tokens, asked.outputs_schema) == (99, element.outputs_schema)
    assert asked.task == "Triage the incident\nSay how severe the incident is and who owns it."


def test_outputs_that_are_not_declared_are_dropped() -> None:
    outcome, _ = do(triage(), ModelAnswer(outputs={"severity": "low", "score": 1, "approved": True}))
    assert outcome.outputs == {"severity": "low", "score": 1}


def test_wrong_outputs_are_asked_for_once_more_with_the_problems_told() -> None:
    outcome, model = do(triage(), WRONG, GOOD)
    assert (outcome.outputs, outcome.problems) == (GOOD.outputs, ())
    first, second = model.asked
    assert second.turn == 2
    assert second.messages[:2] == first.messages
    said, told = second.messages[2:]
    assert (said.role, said.content) == ("assistant", WRONG.text)
    assert told.role == "user"
    assert "- missing: score\n" in told.content
    assert '- mistyped: severity (found "huge", expected one of "low", "high")\n' in told.content


def test_what_is_still_wrong_then_is_told_to_the_quality_gate() -> None:
    outcome, model = do(triage(), WRONG, WRONG)
    assert len(model.asked) == 2
    assert outcome.outputs == {"severity": "huge"}
    assert outcome.problems == (
        "missing: score",
        'mistyped: severity (found "huge", expected one of "low", "high")',
    )


def test_an_answer_that_is_no_json_misses_every_output() -> None:
    outcome, _ = do(triage(), ModelAnswer(text="High."), ModelAnswer(text="I said high."))
    assert outcome.problems == ("missing: score", "missing: severity")
    assert outcome.outputs == {}


def test_a_model_sees_outputs_it_filled_in_wrong() -> None:
    _, model = do(triage(), ModelAnswer(text="Huge!", outputs={"severity": "huge"}), GOOD)
    assert model.asked[1].messages[2].content == 'Huge!\n{"severity":"huge"}'


def test_without_declared_outputs_the_text_is_a_variable_of_the_activitys_name() -> None:
    outcome, _ = do(a_run(element=an_element("summary")), ModelAnswer(text="All is well. Really."))
    assert (outcome.outputs, outcome.decision) == ({"summary": "All is well. Really."}, "All is well.")


def test_in_a_loop_with_an_output_item_it_is_that() -> None:
    loop = LoopCharacteristics(kind="parallel", output_item="verdict")
    outcome, _ = do(a_run(element=an_element(loop=loop)), ModelAnswer(text="Fine."))
    assert outcome.outputs == {"verdict": "Fine."}


def test_an_empty_answer_is_asked_for_once_more() -> None:
    run = a_run(element=an_element("summary"))
    outcome, model = do(run, ModelAnswer(), ModelAnswer(text="Fine."))
    assert outcome.outputs == {"summary": "Fine."}
    assert "Your answer was empty" in model.asked[1].messages[3].content
    outcome, _ = do(a_run(element=an_element("summary")), ModelAnswer(), ModelAnswer())
    assert outcome.problems == ("missing: summary",)


def test_d1_runs_before_the_second_call_and_knows_the_prompts_overhead() -> None:
    run = triage()
    _, model = do(run, WRONG, GOOD)
    prompt = PromptAssembler().assemble(run.work, model.asked[1].messages[2:])
    assert run.compressions == [prompt.overhead_tokens]


def test_the_second_prompt_is_that_of_the_compressed_context() -> None:
    story = Story().put(**{f"note_{number}": "word " * 100 for number in range(20)})
    run = triage(story, policy=Policy(working_threshold=6_000))
    before = run.work.context.head
    outcome, model = do(run, WRONG, GOOD)
    first, second = (sum(len(message.content) for message in asked.messages) for asked in model.asked)
    assert second < 0.7 * first
    assert outcome.head == run.work.context.head != before
    assert outcome.tokens_assembled < outcome.tokens_ungoverned


def test_a_context_that_was_not_compressed_leaves_the_head_alone() -> None:
    assert do(triage(), WRONG, GOOD)[0].head is None


def test_d1_runs_before_the_first_call_if_the_prompts_overhead_makes_it_tight() -> None:
    story = Story().put(**{f"note_{number}": "word " * 60 for number in range(6)})
    tokens = PromptAssembler().assemble(triage(story).work).tokens
    loose = triage(story, policy=Policy(window_tokens=2 * tokens))
    tight = triage(story, policy=Policy(window_tokens=int(tokens / 0.9)))
    do(loose, GOOD)
    outcome, _ = do(tight, GOOD)
    assert (len(loose.compressions), len(tight.compressions)) == (0, 1)
    assert outcome.tokens_assembled < tokens


def test_a_call_is_journaled_before_its_answer_is_used() -> None:
    journal: dict[str, dict[str, Any]] = {}
    outcome, model = do(triage(journal=journal), GOOD)
    assert journal == {model.asked[0].hash(): GOOD.to_json()}
    again, silent = do(triage(journal=journal))
    assert again == outcome
    assert silent.asked == []


def test_after_a_crash_between_two_calls_only_the_second_is_made() -> None:
    journal: dict[str, dict[str, Any]] = {}
    with pytest.raises(ModelFailed):
        do(triage(journal=journal), WRONG, RuntimeError("gone"))
    outcome, model = do(triage(journal=journal), GOOD)
    assert [asked.turn for asked in model.asked] == [2]
    assert outcome.outputs == GOOD.outputs


def test_another_context_is_another_call() -> None:
    journal: dict[str, dict[str, Any]] = {}
    do(triage(journal=journal), GOOD)
    _, model = do(triage(Story().put(alert=1), journal=journal), GOOD)
    assert len(model.asked) == 1


def test_every_call_is_an_event_without_any_text() -> None:
    run = triage(Story().put(Layer.WORKING, 1.0, password="s3cr3t"))
    _, model = do(run, WRONG, GOOD)
    assert [kind for kind, _ in run.notes] == ["model_call", "model_call"]
    first, second = (data for _, data in run.notes)
    assert (first["turn"], second["turn"]) == (1, 2)
    assert second["request"] == model.asked[1].hash()
    assert second["model"] == "scripted"
    assert second["reported"] == [10, 2]
    assert second["tokens"][0] > first["tokens"][0] > 200
    assert 0 < first["prefix_chars"] < first["chars"]
    assert not first["recalled"]
    assert "s3cr3t" not in repr(run.notes)


def test_a_call_from_the_journal_says_so() -> None:
    journal: dict[str, dict[str, Any]] = {}
    do(triage(journal=journal), GOOD)
    run = triage(journal=journal)
    do(run)
    assert run.notes[0][1]["recalled"]


def test_tokens_are_summed_over_the_calls() -> None:
    run = triage()
    outcome, _ = do(run, WRONG, GOOD)
    assert outcome.tokens_assembled == sum(data["tokens"][0] for _, data in run.notes)
    assert outcome.tokens_ungoverned == sum(data["tokens_ungoverned"] for _, data in run.notes)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TimeoutError("no answer\nin 60 s"), "triage: the model scripted failed: TimeoutError: no answer in 60 s"),
        (ValueError(), "triage: the model scripted failed: ValueError"),
        (ValueError("x" * 600), f"triage: the model scripted failed: ValueError: {'x' * 500}…"),
        (EngineError("turns.yaml: none"), "triage: the model scripted failed: turns.yaml: none"),
    ],
)
def test_a_model_that_fails_is_told_with_activity_model_and_cause(error: Exception, told: str) -> None:
    with pytest.raises(ModelFailed) as failed:
        do(triage(), error)
    assert str(failed.value) == told
    assert failed.value.__cause__ is error


def test_an_answer_that_is_no_json_value_is_a_failure() -> None:
    with pytest.raises(ModelFailed, match="is not a JSON value"):
        do(triage(), ModelAnswer(outputs={"score": float("nan")}))


def test_an_activity_may_name_its_model() -> None:
    asked: list[str | None] = []

    def models(spec: str | None) -> ChatModel:
        asked.append(spec)
        return OfflineModel()

    handler = AgentHandler(models, PromptAssembler())
    handler(a_run(element=an_element(agent=AgentConfig(model="offline"))).work)
    handler(a_run(element=an_element()).work)
    assert asked == ["offline", None]


def test_a_model_that_does_not_exist_is_an_error() -> None:
    run = a_run(element=an_element(agent=AgentConfig(model="gpt-9")))
    with pytest.raises(UnknownModel):
        AgentHandler(Models(), PromptAssembler())(run.work)


def test_offline_an_activity_gets_its_outputs_from_the_context() -> None:
    story = Story().put(report="The severity is high. Users are locked out since nine.", score=7)
    outcome = AgentHandler(Models(), PromptAssembler())(triage(story).work)
    assert outcome.outputs == {"severity": "high", "score": 7}
    assert outcome.problems == ()
    assert outcome.decision == "[offline] extracted severity, score from the context."
