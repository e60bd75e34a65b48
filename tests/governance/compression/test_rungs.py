from __future__ import annotations

from typing import Any

import pytest

from governance.compression.compressor import ContextCompressor
from governance.compression.rungs import MARK
from governance.snapshots.canonical import canonical
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Shown, Write
from governance.vocabulary import Fidelity
from tests.governance.compression.contexts import LATER, Context, Quarters, Truncating, line_of, request


@pytest.mark.parametrize("chars", [200, 333, 1_000, 2_000])
@pytest.mark.parametrize("name", ["a", "a_longer_name"])
def test_a_summary_is_marked_and_at_most_30_percent_of_the_line(name: str, chars: int) -> None:
    context = Context.of({f"WORKING/{name}": line_of(name, chars)})
    context.compress(request(threshold=int(chars / 0.7)))
    assert context.fidelity(f"WORKING/{name}") is Fidelity.SUMMARY
    assert context.line(f"WORKING/{name}").startswith(f"{name}: {MARK}")
    assert len(context.line(f"WORKING/{name}")) <= 0.3 * chars


def test_key_only_is_the_key_and_at_most_80_characters() -> None:
    context = Context.of({"WORKING/report": line_of("report", 900)})
    context.compress(request(strategy="AGGRESSIVE"))
    assert context.fidelity("WORKING/report") is Fidelity.KEY_ONLY
    line = context.line("WORKING/report")
    assert line.startswith("report: xx")
    assert line.endswith("…")
    assert len(line) == len("report: ") + 80


def test_key_only_is_at_most_half_of_the_summary_it_replaces() -> None:
    context = Context.of({"WORKING/a": line_of("a", 300)})
    context.compress(request(threshold=400))
    summary = context.line("WORKING/a")
    context.compress(request(threshold=len(summary), strategy="AGGRESSIVE"))
    assert context.fidelity("WORKING/a") is Fidelity.KEY_ONLY
    assert len(context.line("WORKING/a")) - 3 <= (len(summary) - 3) / 2


def test_without_room_for_a_summary_an_entry_falls_one_rung_lower() -> None:
    name = "n" * 150
    context = Context.of({f"WORKING/{name}": line_of(name, 350)})
    decision = context.compress(request(threshold=500))
    assert [change.to for change in decision.changes] == [Fidelity.KEY_ONLY]


def test_a_summariser_that_exceeds_its_limit_is_cut() -> None:
    class Talkative:
        def summarise(self, value: Any, *, query: str, limit: int) -> str:
            return "blah " * 1_000

    context = Context.of({"WORKING/a": line_of("a", 1_000)})
    compressor = ContextCompressor(context.graph, Talkative())
    decision = compressor.compress(context.head, request(threshold=1_400), LATER)
    assert decision.changes[0].to is Fidelity.SUMMARY
    assert decision.changes[0].chars_after == 300


def test_the_summariser_gets_the_query_and_a_history_record_with_its_outputs() -> None:
    seen: list[tuple[Any, str]] = []

    class Noting(Truncating):
        def summarise(self, value: Any, *, query: str, limit: int) -> str:
            seen.append((value, query))
            return super().summarise(value, query=query, limit=limit)

    context = Context.of({"WORKING/report": line_of("report", 850)})
    output = context.item("WORKING/report").value
    context.write({"HISTORY/main@1:draft": {"activity": "draft", "outputs": {"report": output}}})
    compressor = ContextCompressor(context.graph, Noting())
    compressor.compress(context.head, request(query="the report"), LATER)
    text = context.graph.values.get(output)
    assert (text, "the report") in seen
    assert ({"activity": "draft", "outputs": {"report": text}}, "the report") in seen


def test_a_history_record_is_stored_with_hashes_and_shown_with_outputs() -> None:
    context = Context.of({"WORKING/report": line_of("report", 850)})
    output = context.item("WORKING/report").value
    record = {"activity": "draft", "outputs": {"report": output}}
    context.write({"HISTORY/main@1:draft": record})
    context.compress(request())
    assert output not in context.line("HISTORY/main@1:draft")
    assert context.graph.values.get(context.item("HISTORY/main@1:draft").value) == record
    assert canonical(record) == canonical(context.graph.values.get(context.item("HISTORY/main@1:draft").value))


@pytest.mark.parametrize(("chars", "rung"), [(216, Fidelity.KEY_ONLY), (217, Fidelity.SUMMARY)])
def test_a_summary_has_at_least_20_characters_beside_key_and_mark(chars: int, rung: Fidelity) -> None:
    name = "n" * 30
    context = Context.of({f"WORKING/{name}": line_of(name, chars)})
    assert context.compress(request(threshold=300)).changes[0].to is rung


def test_a_text_that_would_not_be_smaller_is_not_shown() -> None:
    context = Context.of({"WORKING/b": line_of("b", 850)})
    values = context.graph.values
    write = Write(values.put("y" * 500), put_meta(values, EntryMeta()))
    shown = {"WORKING/a": Shown(Fidelity.SUMMARY, values.put(""))}
    meta = CommitMeta("activity")
    context.head = context.graph.commit([context.head], writes={"WORKING/a": write}, shown=shown, meta=meta).id
    decision = context.compress(request(strategy="AGGRESSIVE"))
    assert [change.key for change in decision.changes] == ["WORKING/b"]


def test_a_text_with_more_tokens_than_it_replaces_is_not_shown() -> None:
    class DearMarks(Quarters):
        def count(self, text: str) -> int:
            return super().count(text) + 1_000 * text.count(MARK)

    context = Context.of({"WORKING/a": line_of("a", 900)}, tokens=DearMarks())
    assert context.compress(request()).changes[0].to is Fidelity.KEY_ONLY


def test_a_key_only_text_that_was_cut_already_is_not_cut_twice() -> None:
    class Clipping(Truncating):
        def summarise(self, value: Any, *, query: str, limit: int) -> str:
            return super().summarise(value, query=query, limit=limit - 1) + "…"

    context = Context.of({"WORKING/a": line_of("a", 900)})
    compressor = ContextCompressor(context.graph, Clipping())
    context.head = compressor.compress(context.head, request(strategy="AGGRESSIVE"), LATER).snapshot_after
    assert context.line("WORKING/a").endswith("x…")
