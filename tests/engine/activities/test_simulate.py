"""Simulated activities."""

from __future__ import annotations

from bpmn.definition import DataItem, Process
from engine.activities.outputs import problems
from engine.activities.simulate import simulate, simulated_inputs
from governance.vocabulary import Producer
from tests.engine.activities.works import a_run, an_element


def test_declared_outputs_get_placeholders_that_fit_and_the_decision_says_so() -> None:
    element = an_element(outputs={"n": {"type": "integer", "minimum": 3}, "note": {"type": "string"}}, required=["n"])
    outcome = simulate(a_run(element=element).work)
    assert outcome.outputs == {"n": 3, "note": "<note>"}
    assert problems(outcome.outputs, element.outputs_schema or {}) == ()
    assert (outcome.decision or "").startswith("simulated: ")
    assert outcome.producer is Producer.ENGINE


def test_without_declared_outputs_there_are_none() -> None:
    assert simulate(a_run(element=an_element(kind="userTask")).work).outputs == {}


def test_a_process_starts_with_placeholders_for_what_is_not_given() -> None:
    inputs = (DataItem(name="amount", schema={"type": "integer"}), DataItem(name="note", schema={"type": "string"}))
    process = Process(id="p", data_inputs=inputs)
    assert simulated_inputs(process, {"note": "given"}) == {"amount": 0, "note": "given"}
    assert simulated_inputs(Process(id="p"), {"note": "given"}) == {"note": "given"}
