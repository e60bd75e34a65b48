"""The ways through the claim that its recorded answers do not take, and what its governance kept."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.context_names import arm_of
from governance.layers.spaces import space_for
from governance.snapshots.canonical import canonical
from governance.vocabulary import Layer
from tests.project.tree import ROOT
from tests.samples.inside import Inside, Turn, decided, done

SAMPLE = ROOT / "samples" / "insurance_claim"
READABLE = done("send_again", resent={"document": "piano_estimate", "file": "piano-estimate-rescan.txt"})
UNREADABLE = done("send_again", resent={"document": "piano_estimate", "file": "piano-estimate.txt"})
APPROVERS = ("fraud_decides", "handler_decides", "expert_decides")
AGREED = [done(approver, decision="pay", payout=10680) for approver in APPROVERS]


@pytest.fixture
def claim(tmp_path: Path) -> Iterator[Inside]:
    inside = Inside(SAMPLE, tmp_path / "runs.db")
    yield inside
    inside.close()


def test_the_customer_is_asked_until_the_document_can_be_read(claim: Inside) -> None:
    claim.go_on(UNREADABLE)
    assert [each["element"] for each in claim.result.waiting] == ["send_again"]
    claim.go_on(READABLE)
    assert {each["element"] for each in claim.result.waiting} == set(APPROVERS)
    assert claim.visited()[:4] == ["open_claim", *["send_again"] * 2, "scan_documents"]


def test_nobody_is_asked_where_the_approvers_agree(claim: Inside) -> None:
    result = claim.go_on(READABLE, *AGREED)
    assert (result.status, result.variables["payment"]["amount"]) == ("completed", 10680)
    assert not [each for each in result.interventions if each["status"] != "told"]


def test_an_investigation_pays_nothing(claim: Inside) -> None:
    claim.go_on(READABLE, AGREED[0], AGREED[1], done("expert_decides", decision="investigate", payout=0))
    values = {"decision": {"take": "expert_decides"}, "payout": {"value": 0}}
    result = claim.go_on(decided("decisions_together", "resolve", values))
    assert result.status == "completed"
    assert result.variables["investigation"]["number"] == "HC-30871-26-01-F"
    assert "payment" not in result.variables


def test_an_approver_does_not_see_what_the_others_decided(claim: Inside) -> None:
    claim.go_on(READABLE, AGREED[0], AGREED[1])
    assert "expert_decides" in {each["element"] for each in claim.result.waiting}
    graph = claim.governor.graph(claim.result.instance)
    working = space_for(Layer.WORKING, "")
    seen = {
        arm.to: "payout" in graph.contents(head).names(working)
        for branch, head in claim.governor.heads(claim.result.instance).items()
        if (arm := arm_of(branch))
    }
    assert seen == {("screen_fraud",): True, ("handler_decides",): True, ("expert_decides",): False}


@pytest.mark.parametrize(
    ("found", "taken"),
    [
        ({"claimed": 800, "third_party": False, "injured": False}, set()),
        ({"claimed": 800, "third_party": False, "injured": True}, {"assess_injury"}),
        ({"injured": True}, {"estimate_damage", "check_recourse", "assess_injury"}),
    ],
)
def test_a_claim_gets_the_checks_it_needs(tmp_path: Path, found: Mapping[str, Any], taken: set[str]) -> None:
    inside = Inside(SAMPLE, tmp_path / "runs.db", [_read(**found)])
    inside.go_on(READABLE)
    assert {"estimate_damage", "check_recourse", "assess_injury"}.intersection(inside.visited()) == taken
    assert "screen_fraud" in inside.visited()
    inside.close()


def test_the_letter_keeps_what_was_promised(claim: Inside) -> None:
    claim.go_on()
    prompt, variables = _letter_prompt(claim), claim.result.variables
    shown = {name for name, value in variables.items() if f"\n{name}: {canonical(value).decode()}\n" in prompt}
    assert shown >= {"claim", "promises", "decision", "payout", "items", "expert_note"}
    assert not shown & {"claim_form", "contract", "plumber_report", "piano_estimate", "flooring_quote", "call_notes"}


def test_what_is_not_retained_is_lost_to_the_letter(tmp_path: Path) -> None:
    forgetful = tmp_path / "sample"
    shutil.copytree(SAMPLE, forgetful)
    file = forgetful / "process.bpmn"
    file.write_text(re.sub(r"<gov:retainKey [^>]*>", "", file.read_text(encoding="utf-8")), encoding="utf-8")
    inside = Inside(forgetful, tmp_path / "runs.db")
    inside.go_on()
    assert "EUR 4.10 a day for each dryer" not in _letter_prompt(inside)
    inside.close()


def _read(**outputs: Any) -> Turn:
    """The first recorded turn with other outputs."""
    turn = yaml.safe_load((SAMPLE / "model.yaml").read_text(encoding="utf-8"))["turns"][0]
    return {**turn, "answer": {**turn["answer"], "outputs": {**turn["answer"]["outputs"], **outputs}}}


def _letter_prompt(inside: Inside) -> str:
    asked = next(request for request, _ in inside.model.calls if request.activity == "write_letter")
    return asked.messages[1].content
