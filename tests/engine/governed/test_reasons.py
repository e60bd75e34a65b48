"""Outputs of agents that cite what is not there, or contradict what the policy retains, are seen by a person first."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome
from engine.status import Status
from governance.vocabulary import InteractionLevel, Producer
from tests.bpmn.files import policy
from tests.engine.models import edges, end, model, start
from tests.engine.running import Run

KEEPS = policy(
    '<gov:agent outputs="letter, report:object, claim"/><gov:policy retainKeys="claim, paid, sure, cause, other*"/>'
)
VARIABLES = {
    "claim": "KF-1", "paid": 40, "sure": True, "cause": "the pump failed", "other1": "x",
    "seen": "as in k-00000000000a",
}  # fmt: skip


def run_with(outputs: dict[str, Any], producer: Producer = Producer.AGENT, decision: str | None = None) -> Run:
    source = model(start(), f'<serviceTask id="a">{KEEPS}</serviceTask>', end(), edges("s > a > e"))
    outcome = Outcome(outputs=outputs, confidence=0.9, producer=producer, decision=decision)
    return Run(source, VARIABLES, handlers={"a": lambda work: outcome})


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        ({"letter": "By k-0123456789ab we pay."}, "k-0123456789ab is not there"),
        ({"report": {"claim": "KF-2"}}, "report.claim is 'KF-2', but claim 'KF-1'"),
        ({"report": {"rows": [{"paid": 41}]}}, "report.rows[0].paid is 41, but paid 40"),
        ({"report": {"sure": False}}, "report.sure is False, but sure True"),
    ],
)
def test_a_broken_chain_is_seen_first(outputs: dict[str, Any], told: str) -> None:
    run = run_with(outputs)
    assert run.status is Status.WAITING
    (asked,) = run.instance.interventions.values()
    assert (asked.kind, asked.level) == ("quality", InteractionLevel.DIFF_PREVIEW)
    assert asked.message == f"outputs of a: broken chain: {told}"


@pytest.mark.parametrize(
    "outputs",
    [
        {"claim": "KF-2"},
        {"report": {"claim": "KF-1", "paid": 40}},
        {"report": {"paid": "41", "sure": 0}},
        {"report": {"other1": "y"}},
        {"report": {"cause": "a pump", "claim": "that of Ada"}},
        {"letter": "By k-00000000000a, and k-123, we pay."},
    ],
)
def test_what_is_written_repeated_or_known_breaks_nothing(outputs: dict[str, Any]) -> None:
    assert run_with(outputs).status is Status.COMPLETED


def test_a_decision_cites_too_and_code_is_not_judged() -> None:
    assert run_with({"letter": "x"}, decision="see k-0123456789ab").status is Status.WAITING
    assert run_with({"report": {"claim": "KF-2"}}, Producer.SERVICE).status is Status.COMPLETED
