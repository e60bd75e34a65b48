from __future__ import annotations

from governance.compression.eligibility import Hold
from governance.vocabulary import Band, Fidelity
from tests.governance.compression.contexts import Context, line_of, request


def test_retained_entries_that_alone_exceed_the_threshold_overflow() -> None:
    context = Context.of(
        {
            "WORKING/kept_small": line_of("kept_small", 400),
            "WORKING/kept_large": line_of("kept_large", 601),
            "WORKING/free": line_of("free", 300),
            "HISTORY/kept_record": line_of("kept_record", 300),
        }
    )
    decision = context.compress(request(retain=("kept_*",)))
    assert decision.overflow is not None
    assert decision.overflow.kind == "retained_overflow"
    assert [(held.key, held.chars, held.held_by) for held in decision.overflow.releasable] == [
        ("WORKING/kept_large", 601, Hold.RETAINED),
        ("WORKING/kept_small", 400, Hold.RETAINED),
    ]
    assert context.fidelity("WORKING/free") is Fidelity.ARCHIVED
    assert decision.reason.endswith("; what is kept alone is pressure 1.00 (1,001 of 1,000 characters)")


def test_retained_entries_that_just_fill_the_threshold_do_not_overflow() -> None:
    context = Context.of({"WORKING/kept": line_of("kept", 1_000), "WORKING/free": line_of("free", 300)})
    decision = context.compress(request(retain=("kept",)))
    assert decision.band is Band.FORCED
    assert decision.after.pressure == 1.0
    assert decision.overflow is None


def test_an_entry_kept_by_a_pending_approval_is_listed_as_such() -> None:
    context = Context.of({"WORKING/shown": line_of("shown", 1_200)})
    decision = context.compress(request(pinned=frozenset({"WORKING/shown"})))
    assert decision.overflow is not None
    assert [held.held_by for held in decision.overflow.releasable] == [Hold.PINNED]


def test_a_prompt_that_exceeds_the_window_with_nothing_left_to_lower_overflows() -> None:
    context = Context.of({"HISTORY/kept": "word " * 60, "KNOWLEDGE/k": "word " * 200})
    decision = context.compress(request(window=500, overhead_tokens=480, retain=("kept",)))
    assert decision.overflow is not None
    assert decision.overflow.kind == "usage_overflow"
    assert [held.key for held in decision.overflow.releasable] == ["HISTORY/kept"]
    assert context.fidelity("KNOWLEDGE/k") is Fidelity.ARCHIVED
    assert "the prompt still exceeds the window" in decision.reason


def test_evaluating_again_tells_the_same_overflow_and_lowers_nothing_more() -> None:
    context = Context.of({"WORKING/kept": line_of("kept", 1_500), "WORKING/free": line_of("free", 300)})
    first = context.compress(request(retain=("kept",)))
    second = context.compress(request(retain=("kept",)))
    assert second.overflow == first.overflow
    assert not second.compressed
