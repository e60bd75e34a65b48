"""Decisions at a terminal: what is shown, and what becomes of the answers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cli.asking.decision import DecisionForm
from engine.names import Names
from engine.people.given import Decided
from governance.human_loop.intervention import Intervention
from tests.engine.cli.scripted import Conversation
from tests.engine.people.inbox import intervention

OUTPUTS = {
    "outputs": {"letter": "Dear Ada, we pay 40 francs.", "amount": 40},
    "before": {"letter": "Dear Ada, we pay 4 francs."},
    "problems": ["missing: date"],
    "outcome": "f" * 32,
}
LOWERED = {
    "changes": [{"key": "WORKING/log", "to": "SUMMARY", "before": '"a b c"', "after": "[Compressed] a"}],
    "lowered": ["WORKING/log"],
    "release": {"contract": 900, "claim": 300},
}


def decide(asked: Intervention, *lines: str, roles: tuple[str, ...] = ()) -> tuple[Decided | None, Conversation]:
    conversation = Conversation(*lines)
    return DecisionForm(conversation.questions, Names()).decide(asked, "ada", roles), conversation


def preview(shown: Any = OUTPUTS, **fields: Any) -> Intervention:
    about = {"kind": "output_preview", "trigger": "QUALITY", "options": ("approve", "edit", "deny")}
    return intervention("write", **{**about, "shown": shown, **fields})


def test_a_conflict_is_resolved_by_a_branch() -> None:
    decided, conversation = decide(intervention(), "r", "2", "surer")
    assert decided == Decided(
        decision="resolve", by="ada", reason="surer", values={"WORKING/severity": {"take": "/f@2:2.b"}}
    )
    assert '"high"  0.50' in conversation.shown


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["o", "medium"], {"value": "medium"}),
        (["other", '{"a": 1}'], {"value": {"a": 1}}),
        (["r"], {"delete": True}),
        (["5", "1"], {"take": "/f@2:2.a"}),
    ],
)
def test_a_conflict_takes_another_value_or_none(lines: list[str], answer: Any) -> None:
    decided, _ = decide(intervention(), "resolve", *lines, "")
    assert decided is not None
    assert decided.values == {"WORKING/severity": answer}


def test_a_denial_needs_a_reason() -> None:
    decided, conversation = decide(intervention(), "d", "", "both are wrong")
    assert decided == Decided(decision="deny", by="ada", reason="both are wrong")
    assert "who is turned down wants to know why" in conversation.shown


def test_a_decision_that_is_not_offered_is_asked_again() -> None:
    decided, conversation = decide(intervention(), "approve", "l")
    assert decided is None
    assert "Please answer one of resolve, deny, later." in conversation.shown


def test_outputs_are_shown_as_a_diff_and_edited() -> None:
    decided, conversation = decide(preview(), "e", "", "400", "a nought too few")
    assert decided is not None
    assert (decided.decision, decided.values) == ("edit", {"amount": 400})
    assert "letter    Dear Ada, we pay [-4-]{+40+} francs." in conversation.shown
    assert "amount    {+40+}" in conversation.shown
    assert "problem: missing: date" in conversation.shown


def test_the_arguments_of_a_call_are_edited() -> None:
    call = {"tool": "refund", "effect": "irreversible", "arguments": {"order": 17, "note": "lost"}}
    asked = preview(call, kind="tool", trigger="RUNTIME")
    decided, conversation = decide(asked, "e", "18", "", "")
    assert decided is not None
    assert (decided.decision, decided.values) == ("edit", {"order": 18})
    assert "order     17" in conversation.shown


def test_an_edit_that_changes_nothing_is_no_edit() -> None:
    decided, conversation = decide(preview(), "e", "", "", "a", "")
    assert decided == Decided(decision="approve", by="ada")
    assert "nothing was changed" in conversation.shown


def test_lowered_entries_are_shown_and_kept_ones_may_be_released() -> None:
    asked = preview(LOWERED, kind="retained_overflow", trigger="RUNTIME", options=("approve", "deny"))
    decided, conversation = decide(asked, "a", "claims", "claim", "")
    assert decided is not None
    assert decided.values == {"release": ["claim"]}
    assert "log falls to SUMMARY" in conversation.shown
    assert "claims is none of contract, claim" in conversation.shown


def test_a_role_is_asked_for_where_it_is_needed_and_unknown() -> None:
    decided, _ = decide(preview(roles=("lead",)), "a", "", "lead")
    assert decided is not None
    assert decided.roles == ("lead",)
    known, _ = decide(preview(roles=("lead",)), "a", "", roles=("lead",))
    assert known is not None
    assert known.roles == ("lead",)


def test_what_is_shown_in_another_form_is_shown_whole() -> None:
    _, conversation = decide(preview("a plain text"), "l")
    assert "a plain text" in conversation.shown


def test_some_changes_of_a_text_are_taken_by_number() -> None:
    shown = {"outputs": {"letter": "We pay 40 to Ada Byron."}, "before": {"letter": "We pay 4 to Ada."}}
    decided, conversation = decide(preview(shown), "edit", "1", "")
    assert decided is not None
    assert decided.values == {"letter": {"hunks": [1]}}
    assert any("the numbers of the changes to take, 1 to 2, 0 for none" in each for each in conversation.prompts)
    none, _ = decide(preview(shown), "edit", "0", "")
    assert none is not None
    assert none.values == {"letter": {"hunks": []}}


def test_entries_are_kept_out_of_a_compression_by_name() -> None:
    lowered = {**LOWERED, "release": {}}
    decided, _ = decide(preview(lowered, kind="d1_preview", options=("approve", "deny")), "approve", "lag", "log", "")
    assert decided is not None
    assert decided.values == {"keep": ["log"]}
