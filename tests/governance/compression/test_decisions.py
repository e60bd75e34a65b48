from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from governance.compression.decisions import D1Request
from governance.snapshots.model import CommitMeta
from governance.vocabulary import Band
from tests.governance.compression.contexts import LATER, Context, line_of, request


def test_evaluate_tells_what_compress_does_and_does_nothing() -> None:
    context = Context.of({f"WORKING/{name}": line_of(name, 300) for name in "abc"} | {"HISTORY/h": "h" * 700})
    context.graph.drain()
    context.graph.values.drain()
    for threshold in (1_400, 1_000, 400, 100):
        told = context.compressor.evaluate(context.head, request(threshold=threshold))
        assert context.graph.drain() == []
        assert context.graph.values.drain() == []
        assert told.snapshot_after == told.snapshot_before == context.head
        done = context.compressor.compress(context.head, request(threshold=threshold), LATER)
        assert done.snapshot_after != done.snapshot_before
        assert replace(done, snapshot_after=context.head) == told
        context.graph.drain()
        context.graph.values.drain()


@pytest.mark.parametrize("threshold", [2_000, 1_400, 1_000, 400, 100, 1])
def test_what_is_foretold_is_what_then_stands(threshold: int) -> None:
    context = Context.of({f"WORKING/{n}": line_of(str(n), 150 + 40 * n) for n in range(8)} | {"KNOWLEDGE/k": "k" * 500})
    decision = context.compress(request(threshold=threshold))
    assert decision.after == context.compressor.evaluate(context.head, request(threshold=threshold)).before
    fell = sum(change.chars_before - change.chars_after for change in decision.changes if "WORKING" in change.key)
    assert decision.before.chars - decision.after.chars == fell
    for change in decision.changes:
        assert len(context.line(change.key)) == change.chars_after


def test_a_compression_is_one_commit_that_says_who_and_when() -> None:
    context = Context.of({"WORKING/a": line_of("a", 900)})
    before = context.head
    decision = context.compress(request(branch="main", run="review#1"))
    commit = context.graph.get(decision.snapshot_after)
    assert commit.parents == (before,)
    assert not commit.writes
    assert not commit.carry
    assert set(commit.shown) == {"WORKING/a"}
    assert commit.meta == CommitMeta(kind="D1", activity="review", branch="main", at=LATER)
    assert (decision.activity, decision.branch, decision.run) == ("review", "main", "review#1")
    assert decision.snapshot_before == before
    assert decision.decided_by == "rules"


def test_nothing_to_lower_is_no_compression_and_no_commit() -> None:
    context = Context.of({"WORKING/kept": line_of("kept", 900)})
    decision = context.compress(request(retain=("*",)))
    assert decision.band is Band.MEDIUM
    assert not decision.compressed
    assert decision.snapshot_after == decision.snapshot_before
    assert decision.reason == (
        "pressure 0.90 (900 of 1,000 characters) is in the medium band: nothing left to lower, 1 kept by retain keys"
    )


@pytest.mark.parametrize(("chars", "warning"), [(799, False), (800, True), (1_200, True)])
def test_a_warning_is_due_from_80_percent(chars: int, warning: bool) -> None:
    context = Context.of({"WORKING/a": line_of("a", chars)})
    assert context.compressor.evaluate(context.head, request()).warning is warning


def test_the_reason_says_what_fell_and_what_stayed() -> None:
    entries = {f"WORKING/{name}": line_of(name, 300) for name in ("a", "b", "kept_1", "kept_2")}
    context = Context.of(entries | {"WORKING/tiny": line_of("tiny", 120)})

    def reason_of(asked: D1Request) -> str:
        return context.compressor.evaluate(context.head, asked).reason

    assert reason_of(request(threshold=1_500, retain=("kept_*",))) == (
        "pressure 0.88 (1,320 of 1,500 characters) is in the medium band: "
        "2 entries to SUMMARY, 2 kept by retain keys, 1 too short for a summary"
    )
    assert reason_of(request(threshold=1_050, retain=("kept_*",))) == (
        "pressure 1.26 (1,320 of 1,050 characters) is in the forced band: "
        "2 entries to SUMMARY, 1 to ARCHIVED, 2 kept by retain keys"
    )
    assert reason_of(request(threshold=1_320, window=10_000, overhead_tokens=8_200)).startswith(
        "usage 0.85 (8,533 of 10,000 tokens) is in the forced band"
    )


def test_the_reason_names_attention_where_it_raised_the_band() -> None:
    context = Context.of({"WORKING/a": line_of("a", 700)})
    assert context.compressor.evaluate(context.head, request(band_floor=Band.MEDIUM)).reason == (
        "attention raises pressure 0.70 (700 of 1,000 characters) and usage 0.00 (176 of 1,000,000 tokens) "
        "to the medium band: 1 entry to SUMMARY"
    )


def test_the_reason_of_a_calm_context_gives_both_ratios() -> None:
    context = Context.of({"WORKING/a": line_of("a", 310)})
    assert context.compressor.evaluate(context.head, request(window=1_000, overhead_tokens=100)).reason == (
        "pressure 0.31 (310 of 1,000 characters) and usage 0.18 (178 of 1,000 tokens) need no compression"
    )


def test_a_decision_is_json() -> None:
    context = Context.of({"WORKING/a": line_of("a", 300), "WORKING/kept": line_of("kept", 1_100)})
    record = context.compressor.evaluate(context.head, request(retain=("kept",))).record()
    loaded: dict[str, Any] = json.loads(json.dumps(record))
    assert loaded == record
    assert loaded["band"] == "forced"
    assert loaded["changes"] == [
        {"key": "WORKING/a", "from": "FULL", "to": "ARCHIVED", "chars_before": 300, "chars_after": 0}
    ]
    assert loaded["held"] == {"retained": 1}
    assert loaded["overflow"]["kind"] == "retained_overflow"
    assert loaded["overflow"]["releasable"][0]["held_by"] == "retained"
    assert set(loaded["before"]) == {"pressure", "usage", "chars", "tokens"}


_COMPRESSING = """
from tests.governance.compression.contexts import Context, request
context = Context.of({f"WORKING/{name}": "word " * 60 for name in "abcdefgh"})
decision = context.compress(request(threshold=2_700))
print(decision.snapshot_after, *(change.key for change in decision.changes))
"""


def test_another_process_with_other_hashes_of_text_decides_the_same() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _COMPRESSING],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
