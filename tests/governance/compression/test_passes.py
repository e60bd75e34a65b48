from __future__ import annotations

import pytest

from governance.vocabulary import Band, Fidelity
from tests.governance.compression.contexts import Context, line_of, request

AGES = {f"WORKING/{name}": f"2025-02-0{day}T00:00:00.000000Z" for day, name in enumerate("dacb", start=1)}


def working(count: int, chars: int) -> dict[str, str]:
    return {f"WORKING/{name}": line_of(name, chars) for name in "abcdefghij"[:count]}


def test_light_lowers_the_oldest_of_equals_until_it_is_below_the_band() -> None:
    context = Context.of(working(4, 300), AGES)
    decision = context.compress(request(threshold=1_550))
    assert decision.band is Band.LIGHT
    assert [change.key for change in decision.changes] == ["WORKING/d", "WORKING/a"]
    assert {change.to for change in decision.changes} == {Fidelity.SUMMARY}
    assert decision.after.pressure < 0.6


def test_light_goes_on_where_the_pressure_is_exactly_the_boundary() -> None:
    context = Context.of(working(3, 600))
    decision = context.compress(request(threshold=2_300))
    assert decision.band is Band.LIGHT
    assert (600 + 600 + 180) / 2_300 == 0.6
    assert len(decision.changes) == 2


def test_light_takes_the_least_relevant_first() -> None:
    entries = {
        "WORKING/weather": "The sun shone over the hills all day. " * 10,
        "WORKING/outage": "The database outage began at nine. " * 10,
        "WORKING/lunch": "Soup and bread were served at noon. " * 10,
    }
    context = Context.of(entries, {"WORKING/outage": "2020-01-01T00:00:00.000000Z"})
    decision = context.compress(request(threshold=1_800, query="root cause of the database outage"))
    assert decision.band is Band.LIGHT
    assert context.fidelity("WORKING/outage") is Fidelity.FULL


def test_light_leaves_other_layers_and_lower_rungs_alone() -> None:
    context = Context.of({"WORKING/a": line_of("a", 700), "HISTORY/h": line_of("h", 900)})
    first = context.compress(request())
    assert [change.key for change in first.changes] == ["WORKING/a"]
    again = context.compress(request(threshold=300))
    assert again.band is Band.LIGHT
    assert not again.compressed
    assert again.passes == 0
    assert again.snapshot_after == again.snapshot_before


@pytest.mark.parametrize(
    ("strategy", "rung"),
    [("SUMMARY", Fidelity.SUMMARY), ("AGGRESSIVE", Fidelity.KEY_ONLY), ("ARCHIVE", Fidelity.ARCHIVED)],
)
def test_medium_lowers_everything_eligible_to_the_rung_of_the_strategy(strategy: str, rung: Fidelity) -> None:
    entries = working(3, 300) | {"HISTORY/h": line_of("h", 300), "KNOWLEDGE/k": line_of("k", 300)}
    context = Context.of(entries)
    decision = context.compress(request(strategy=strategy))
    assert decision.band is Band.MEDIUM
    assert decision.passes == 1
    assert {key: fidelity for key, (fidelity, _) in context.shown().items()} == dict.fromkeys(entries, rung)


def test_usage_alone_brings_the_medium_band_to_all_layers() -> None:
    context = Context.of({"WORKING/a": "word " * 100, "HISTORY/h": "word " * 100})
    tokens = context.compressor.evaluate(context.head, request()).before.tokens
    decision = context.compress(request(threshold=100_000, window=int(tokens / 0.75)))
    assert decision.band is Band.MEDIUM
    assert {change.key for change in decision.changes} == {"WORKING/a", "HISTORY/h"}


def test_medium_goes_on_one_rung_lower_only_as_far_as_it_must() -> None:
    entries = working(5, 200) | {"HISTORY/h": line_of("h", 400), "WORKING/kept": line_of("kept", 4_000)}
    context = Context.of(entries, AGES)
    decision = context.compress(request(threshold=5_300, retain=("kept",)))
    assert decision.band is Band.MEDIUM
    assert decision.passes == 2
    rungs = {change.key: change.to for change in decision.changes}
    assert all(change.from_ is Fidelity.FULL for change in decision.changes)
    assert {key for key, rung in rungs.items() if rung is Fidelity.KEY_ONLY} == {f"WORKING/{name}" for name in "dac"}
    assert {key for key, rung in rungs.items() if rung is Fidelity.SUMMARY} == {"WORKING/b", "WORKING/e", "HISTORY/h"}
    assert decision.after.pressure <= 0.8


def test_medium_without_need_makes_no_second_pass() -> None:
    context = Context.of(working(5, 200))
    assert context.compress(request()).passes == 1


@pytest.mark.parametrize(("kept", "threshold"), [(800, 1_000), (850, 1_050)])
def test_medium_ends_when_it_fits_or_only_retained_entries_are_left(kept: int, threshold: int) -> None:
    context = Context.of({"WORKING/a": line_of("a", 200), "WORKING/kept": line_of("kept", kept)})
    decision = context.compress(request(threshold=threshold, retain=("kept",)))
    assert decision.band is Band.MEDIUM
    assert decision.passes == 3
    assert context.fidelity("WORKING/a") is Fidelity.ARCHIVED
    assert decision.after.chars == kept
    assert decision.overflow is None


def test_forced_goes_down_rung_by_rung_whatever_the_strategy() -> None:
    context = Context.of(working(5, 400))
    decision = context.compress(request(threshold=1_900, strategy="ARCHIVE"))
    assert decision.band is Band.FORCED
    assert decision.passes == 1
    assert {change.to for change in decision.changes} == {Fidelity.SUMMARY}
    assert decision.after.pressure <= 0.8
    assert decision.after.chars + 280 > 0.8 * 1_900


def test_forced_takes_as_many_passes_as_it_needs() -> None:
    context = Context.of(working(5, 400))
    decision = context.compress(request(threshold=600))
    assert decision.passes == 2
    assert [change.to for change in decision.changes] == [Fidelity.KEY_ONLY] * 3 + [Fidelity.SUMMARY] * 2
    decision = context.compress(request(threshold=1))
    assert decision.passes == 2
    assert not context.graph.contents(context.head).space("WORKING").rendered


def test_forced_takes_declared_inputs_last() -> None:
    context = Context.of(working(3, 400))
    inputs = frozenset({"a"})
    context.compress(request(threshold=520, inputs=inputs))
    assert context.fidelity("WORKING/a") is Fidelity.FULL
    context.compress(request(threshold=500, inputs=inputs))
    assert context.fidelity("WORKING/a") is Fidelity.FULL
    decision = context.compress(request(threshold=300, inputs=inputs))
    assert context.fidelity("WORKING/a") is Fidelity.SUMMARY
    assert decision.changes[-1].key == "WORKING/a"
    assert context.fidelity("WORKING/b") is context.fidelity("WORKING/c") is Fidelity.ARCHIVED


def test_forced_by_usage_goes_on_in_every_layer_until_below_70_percent() -> None:
    context = Context.of({f"{layer}/{n}": "some words " * 60 for layer in ("WORKING", "HISTORY") for n in range(5)})
    tokens = context.compressor.evaluate(context.head, request()).before.tokens
    decision = context.compress(request(threshold=100_000, window=int(tokens / 0.9)))
    assert decision.band is Band.FORCED
    assert decision.after.usage < 0.70


def test_forced_by_pressure_leaves_layers_alone_that_do_not_press() -> None:
    context = Context.of({"WORKING/kept": line_of("kept", 950), "WORKING/a": line_of("a", 300), "HISTORY/h": "h" * 500})
    decision = context.compress(request(retain=("kept",)))
    assert decision.band is Band.FORCED
    assert context.fidelity("WORKING/a") is Fidelity.ARCHIVED
    assert context.fidelity("HISTORY/h") is Fidelity.FULL


def test_forced_by_attention_alone_goes_on_until_below_the_light_band() -> None:
    context = Context.of(working(3, 220))
    decision = context.compress(request(band_floor=Band.FORCED))
    assert decision.band is Band.FORCED
    assert decision.after.pressure < 0.6
    assert len(decision.changes) == 1


def test_an_entry_falls_once_per_run_outside_the_forced_band() -> None:
    context = Context.of(working(3, 300))
    first = context.compress(request())
    lowered = frozenset(change.key for change in first.changes)
    assert len(lowered) == 3
    chars = first.after.chars
    assert not context.compress(request(threshold=chars, strategy="ARCHIVE", lowered=lowered)).compressed
    assert context.compress(request(threshold=chars - 1, lowered=lowered)).compressed


def test_forced_by_attention_alone_goes_on_where_the_pressure_is_exactly_the_boundary() -> None:
    context = Context.of(working(3, 600))
    assert len(context.compress(request(threshold=2_300, band_floor=Band.FORCED)).changes) == 2
