"""Service handlers: what they are called with and what may come back."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from engine.activities.errors import BadResult
from engine.activities.job import Job, PrivateVariables
from engine.activities.service import ServiceHandlerCall
from engine.activities.work import BpmnErrorRaised, Outcome
from governance.vocabulary import Producer
from tests.engine.activities.works import Run, Story, a_run, an_element


def call(result: Any, run: Run | None = None) -> Outcome:
    return ServiceHandlerCall("send-mail", lambda job: result)((run or a_run()).work)


def test_a_handler_gets_the_job() -> None:
    jobs: list[Job] = []
    run = a_run(Story().put(amount=3), attempt=2)
    ServiceHandlerCall("send-mail", jobs.append)(run.work)
    assert jobs == [Job("i1/7/1", "send-mail", run.work.element, jobs[0].variables, 2)]
    assert dict(jobs[0].variables) == {"amount": 3}


def test_a_dictionary_is_the_outputs() -> None:
    assert call({"sent": True}) == Outcome(outputs={"sent": True}, producer=Producer.SERVICE)


def test_nothing_is_no_outputs() -> None:
    assert call(None) == Outcome(producer=Producer.SERVICE)


def test_an_outcome_is_taken_as_it_is() -> None:
    outcome = Outcome(outputs={"a": 1}, deleted=frozenset({"b"}), decision="Sent.", problems=("late",))
    assert call(outcome) == outcome


def test_what_is_not_for_a_service_to_say_does_not_count() -> None:
    said = Outcome(
        outputs={"a": 1},
        trusted=frozenset({"look"}),
        refused=True,
        head="another",
        zones=[["KNOWLEDGE/x", "keep", 0, 0]],
    )
    assert call(said) == Outcome(outputs={"a": 1})


@pytest.mark.parametrize("result", [3, "sent", [1], True, object])
def test_anything_else_is_refused(result: Any) -> None:
    with pytest.raises(BadResult, match=r"^triage: the handler of send-mail gave \w+; allowed: a dictionary of"):
        call(result)


@pytest.mark.parametrize("outputs", [{"day": date(2026, 3, 1)}, {"n": float("nan")}, {3: "x"}])
def test_outputs_that_are_no_json_are_refused(outputs: dict[Any, Any]) -> None:
    with pytest.raises(BadResult, match="gave outputs that are no JSON: "):
        call(outputs)


def test_declared_outputs_that_are_missing_or_wrong_are_problems() -> None:
    run = a_run(element=an_element(outputs={"sent": {"type": "boolean"}, "id": {}}))
    outcome = call({"sent": "yes", "more": 1}, run)
    assert outcome.problems == ("missing: id", 'mistyped: sent (found "yes", expected boolean)')
    assert outcome.outputs == {"sent": "yes", "more": 1}


@pytest.mark.parametrize("error", [BpmnErrorRaised("late"), KeyError("x"), TimeoutError()])
def test_what_a_handler_raises_passes_through(error: Exception) -> None:
    def fail(job: Job) -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        ServiceHandlerCall("send-mail", fail)(a_run().work)
    assert raised.value is error


def test_a_handler_may_change_what_it_reads_and_nobody_else_sees_it() -> None:
    shared = {"tags": ["a"], "order": {"lines": [1]}}
    variables = PrivateVariables(shared)
    variables["tags"].append("b")
    variables["order"]["lines"].clear()
    assert variables["tags"] == ["a", "b"]
    assert shared == {"tags": ["a"], "order": {"lines": [1]}}


def test_private_variables_read_like_a_mapping() -> None:
    variables = PrivateVariables({"a": 1, "b": [2]})
    assert dict(variables) == {"a": 1, "b": [2]}
    assert len(variables) == 2
    assert "a" in variables
    assert variables.get("c") is None
