from __future__ import annotations

import pytest

from governance.compression.compressor import ContextCompressor
from governance.errors import UnknownSnapshot
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Shown, Write
from governance.vocabulary import Fidelity
from tests.governance.compression.contexts import LATER, Context, Truncating, line_of, request
from tests.governance.compression.storage import Storage

KEY = "WORKING/a"


def thrice_lowered() -> tuple[Context, list[tuple[Fidelity, str]]]:
    """One entry at ARCHIVED, and what was shown of it before each fall, oldest first."""
    context = Context.of({KEY: line_of("a", 900), "WORKING/b": line_of("b", 900)})
    steps = []
    for strategy in ("SUMMARY", "AGGRESSIVE", "ARCHIVE"):
        steps.append(context.shown()[KEY])
        threshold = context.graph.contents(context.head).space("WORKING").totals.chars
        context.compress(request(threshold=threshold, strategy=strategy))
    return context, steps


def test_each_decompression_takes_back_one_lowering() -> None:
    context, steps = thrice_lowered()
    assert context.fidelity(KEY) is Fidelity.ARCHIVED
    for step in reversed(steps):
        assert context.decompress([KEY]) == [KEY]
        assert context.shown()[KEY] == step
    assert context.decompress([KEY]) == []


def test_decompression_after_a_reload_is_the_same() -> None:
    context, steps = thrice_lowered()
    storage = Storage()
    for step in reversed(steps):
        context.graph = storage.reload(context.graph)
        context.compressor = ContextCompressor(context.graph, Truncating())
        context.decompress([KEY])
        assert context.shown()[KEY] == step


def test_a_multi_pass_fall_in_one_compression_is_one_lowering() -> None:
    context = Context.of({KEY: line_of("a", 900)})
    before = context.shown()
    assert context.compress(request(threshold=150)).passes == 2
    context.decompress([KEY])
    assert context.shown() == before


def test_falls_after_a_decompression_are_taken_back_first() -> None:
    context = Context.of({KEY: line_of("a", 900)})
    full = context.shown()[KEY]
    context.compress(request())
    context.decompress([KEY])
    context.compress(request())
    summary = context.shown()[KEY]
    context.compress(request(threshold=280, strategy="AGGRESSIVE"))
    context.decompress([KEY])
    assert context.shown()[KEY] == summary
    context.decompress([KEY])
    assert context.shown()[KEY] == full


def test_only_the_named_keys_come_back_sorted() -> None:
    names = "dacb"
    context = Context.of({f"WORKING/{name}": line_of(name, 300) for name in names})
    context.compress(request(threshold=1_400))
    raised = context.decompress(["WORKING/d", "WORKING/b", "WORKING/absent", "WORKING/d"])
    assert raised == ["WORKING/b", "WORKING/d"]
    assert context.fidelity("WORKING/a") is Fidelity.SUMMARY


def test_nothing_to_decompress_makes_no_commit() -> None:
    context = Context.of({KEY: "x"})
    head = context.head
    assert context.decompress([KEY, "HISTORY/none"]) == []
    assert context.head == head


def test_a_new_value_is_full_and_has_no_past() -> None:
    context = Context.of({KEY: line_of("a", 900)})
    context.compress(request())
    context.write({KEY: line_of("a", 850, "y")}, at=LATER)
    assert context.decompress([KEY]) == []
    context.compress(request())
    assert context.fidelity(KEY) is Fidelity.SUMMARY
    context.decompress([KEY])
    assert "yyy" in context.line(KEY)
    assert context.fidelity(KEY) is Fidelity.FULL


def test_a_value_that_was_written_lowered_becomes_full_and_not_what_its_forerunner_was() -> None:
    context = Context.of({KEY: line_of("a", 900)})
    context.compress(request())
    values = context.graph.values
    write = Write(values.put("y" * 500), put_meta(values, EntryMeta()))
    shown = {KEY: Shown(Fidelity.KEY_ONLY, values.put("y"))}
    context.head = context.graph.commit([context.head], writes={KEY: write}, shown=shown, meta=CommitMeta("D1")).id
    context.decompress([KEY])
    assert context.fidelity(KEY) is Fidelity.FULL


def test_a_tool_call_comes_back_with_its_result() -> None:
    context = Context.of(
        {
            "WORKING/call": {"tool_calls": [{"id": "c1"}]},
            "WORKING/result": {"tool_call_id": "c1", "content": "r" * 400},
            "WORKING/other": line_of("other", 500),
        }
    )
    before = context.shown()
    context.compress(request(strategy="ARCHIVE"))
    assert context.decompress(["WORKING/result"]) == ["WORKING/call", "WORKING/result"]
    assert {**context.shown(), "WORKING/other": None} == {**before, "WORKING/other": None}


def test_what_a_merge_took_over_is_followed_into_its_branch() -> None:
    context = Context.of({"WORKING/b": "x"})
    fork = context.head
    context.write({KEY: line_of("a", 900)}, at=LATER)
    context.compress(request())
    summary = context.shown()[KEY]
    context.compress(request(threshold=280, strategy="AGGRESSIVE"))
    lowered = context.item(KEY)
    branch = context.head
    other = context.graph.commit([fork], meta=CommitMeta("activity", branch="other")).id
    context.head = context.graph.commit(
        [other, branch],
        carry={KEY: Write(lowered.value, lowered.meta)},
        shown={KEY: Shown(lowered.fidelity, lowered.text)},
        meta=CommitMeta("D3"),
    ).id
    context.decompress([KEY])
    assert context.shown()[KEY] == summary


def test_an_archived_value_is_not_taken_for_another_archived_value() -> None:
    context = Context.of({KEY: line_of("a", 900), "WORKING/b": "x"})
    fork = context.head
    context.compress(request())
    context.compress(request(threshold=280, strategy="ARCHIVE"))
    one = context.head
    context.head = fork
    context.write({KEY: line_of("a", 800, "y")}, at=LATER)
    context.compress(request(strategy="ARCHIVE"))
    taken = context.item(KEY)
    context.head = context.graph.commit(
        [one, context.head],
        carry={KEY: Write(taken.value, taken.meta)},
        shown={KEY: Shown(taken.fidelity)},
        meta=CommitMeta("D3"),
    ).id
    context.decompress([KEY])
    assert context.fidelity(KEY) is Fidelity.FULL


def test_what_a_merge_raised_falls_back_to_the_merged_state() -> None:
    context = Context.of({KEY: line_of("a", 900)})
    fork = context.head
    context.compress(request())
    context.head = context.graph.commit([context.head, fork], shown={KEY: None}, meta=CommitMeta("D3")).id
    context.compress(request(strategy="ARCHIVE"))
    context.decompress([KEY])
    assert context.fidelity(KEY) is Fidelity.FULL


def test_a_restored_lowering_can_be_taken_back() -> None:
    context = Context.of({KEY: line_of("a", 900)})
    context.compress(request())
    compressed = context.head
    context.decompress([KEY])
    context.head = context.graph.restore(context.head, compressed, CommitMeta("restore", at=LATER)).id
    assert context.fidelity(KEY) is Fidelity.SUMMARY
    context.decompress([KEY])
    assert context.fidelity(KEY) is Fidelity.FULL


def test_an_unknown_head_is_refused() -> None:
    context = Context.of({KEY: "x"})
    with pytest.raises(UnknownSnapshot):
        context.compressor.decompress("nowhere", [KEY], LATER)
