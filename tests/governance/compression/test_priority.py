"""In which order entries fall: QTS for the coming activity (Design: D1 compress, priority; CDA, QTS)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.policy import Policy
from governance.vocabulary import Band, Fidelity, QtsPreset
from tests.governance.compression.contexts import Context, line_of, request

SCOPES = {"review": "lane", "near": "lane", "far": "elsewhere"}


def first_to_fall(by_near: dict[str, Any], by_far: dict[str, Any], **known: Any) -> str:
    """The entry that light compression takes of two that are alike but for who wrote them."""
    context = Context.of({"WORKING/filler": line_of("filler", 300)}, {"WORKING/filler": "2031-01-01T00:00:00.000000Z"})
    context.write(by_near, activity="near")
    context.write(by_far, activity="far", at="2026-01-01T00:00:00.000000Z")
    decision = context.compress(request(threshold=1_400, retain=("filler",), **known))
    (change, *_) = decision.changes
    return change.key


A, B = {"WORKING/a": line_of("a", 300)}, {"WORKING/b": line_of("b", 300)}


def test_of_equals_the_older_falls_first() -> None:
    assert first_to_fall(A, B) == "WORKING/a"


def test_what_another_scope_wrote_falls_first() -> None:
    assert first_to_fall(A, B, scopes=SCOPES) == "WORKING/b"


def test_what_was_written_further_back_on_the_path_falls_first() -> None:
    assert first_to_fall(A, B, path=["@1:far", "@2:other", "@3:near"]) == "WORKING/b"
    assert first_to_fall(A, B, path=["@1:near", "@2:other", "@3:far"]) == "WORKING/a"


def test_the_path_is_cut_after_six_steps() -> None:
    others = [f"@{step}:other" for step in range(2, 8)]
    assert first_to_fall(A, B, path=["@1:near", *others]) == "WORKING/a"


def test_what_the_activity_does_not_need_falls_first() -> None:
    assert first_to_fall(A, B, needs=frozenset({"a", "search"})) == "WORKING/b"


def test_a_record_has_the_tools_and_data_it_used() -> None:
    record = {"activity": "near", "tools": ["search"], "outputs": {}, "note": "x " * 150}
    plain = {**record, "tools": ["mail"]}
    context = Context.of({"HISTORY/@1:near": record, "HISTORY/@2:far": plain})
    decision = context.compress(request(threshold=10**6, window=210, needs=frozenset({"search"})))
    assert decision.band is Band.FORCED
    assert decision.changes[0].key == "HISTORY/@2:far"
    context = Context.of({"HISTORY/@1:near": plain, "HISTORY/@2:far": record})
    decision = context.compress(request(threshold=10**6, window=210, needs=frozenset({"search"})))
    assert decision.changes[0].key == "HISTORY/@1:near"


def test_words_count_most_by_default_and_tools_more_in_code() -> None:
    texts = {"WORKING/asked": "the outage of the database " * 12}
    named = {"WORKING/b": line_of("b", len(texts["WORKING/asked"]) + 16)}
    known: dict[str, Any] = {"query": "outage database", "needs": frozenset({"b"})}
    fallen = {}
    for preset in (QtsPreset.DIAGNOSIS, QtsPreset.CODE):
        context = Context.of({**texts, **named})
        asked = request(threshold=1_000, **known)
        policy = Policy(working_threshold=1_000, window_tokens=10**6, qts_preset=preset)
        decision = context.compress(type(asked)(activity="review", policy=policy, **known))
        fallen[preset] = decision.changes[0].key
    assert fallen == {QtsPreset.DIAGNOSIS: "WORKING/b", QtsPreset.CODE: "WORKING/asked"}


@pytest.mark.parametrize("known", [{}, {"scopes": SCOPES}, {"path": ["@1:near"]}, {"needs": frozenset({"a"})}])
def test_what_is_asked_for_stays_whatever_else_is_known(known: dict[str, Any]) -> None:
    context = Context.of({"WORKING/a": "soup and bread at noon " * 20, "WORKING/c": "the outage began at nine " * 18})
    context.compress(request(threshold=1_300, query="when did the outage begin", **known))
    assert context.fidelity("WORKING/c") is Fidelity.FULL or known == {"needs": frozenset({"a"})}
