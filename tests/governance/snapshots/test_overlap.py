"""Duplication between KNOWLEDGE, HISTORY and WORKING, by example and against every pair compared."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.snapshots.overlap import NO_OVERLAP, Overlap, OverlapEdit
from governance.snapshots.values import Entries

Entry = tuple[str, str, str]
LAYERS = ("SYSTEM", "KNOWLEDGE", "HISTORY", "WORKING")


def of(*entries: Entry, base: Overlap = NO_OVERLAP) -> Overlap:
    edit = OverlapEdit(base)
    for layer, name, value in entries:
        edit.replace(layer, name, None, value)
    return edit.finish()


def counts(overlap: Overlap) -> tuple[int, int]:
    return overlap.duplicated, overlap.entries


def test_a_name_or_a_value_in_two_layers_makes_both_entries_duplicated() -> None:
    assert counts(of(("WORKING", "claim", "h1"), ("KNOWLEDGE", "claim", "h2"))) == (2, 2)
    assert counts(of(("WORKING", "claim", "h1"), ("KNOWLEDGE", "doc", "h1"))) == (2, 2)
    assert counts(of(("WORKING", "claim", "h1"), ("KNOWLEDGE", "doc", "h2"))) == (0, 2)


def test_within_one_layer_nothing_is_duplicated() -> None:
    assert counts(of(("WORKING", "a", "h1"), ("WORKING", "b", "h1"))) == (0, 2)


def test_an_entry_that_shares_name_and_value_counts_once() -> None:
    assert counts(of(("WORKING", "a", "h1"), ("KNOWLEDGE", "a", "h1"), ("KNOWLEDGE", "b", "h1"))) == (3, 3)


def test_other_layers_do_not_count() -> None:
    assert counts(of(("SYSTEM", "a", "h1"), ("PROCESS", "a", "h1"), ("WORKING", "a", "h1"))) == (0, 1)


def test_a_record_counts_by_its_outputs() -> None:
    edit = OverlapEdit(of(("WORKING", "claim", "h1"), ("WORKING", "other", "h9")))
    edit.replace("HISTORY", "@1:check", None, "record", (("claim", "h1"), ("note", "h2")))
    with_record = edit.finish()
    assert counts(with_record) == (2, 4)
    assert dict(with_record.records) == {"@1:check": (("claim", "h1"), ("note", "h2"))}
    gone = OverlapEdit(with_record)
    gone.replace("HISTORY", "@1:check", "record", None)
    assert gone.finish() == of(("WORKING", "claim", "h1"), ("WORKING", "other", "h9"))


def test_a_record_without_outputs_is_no_entry() -> None:
    edit = OverlapEdit(of(("WORKING", "@1:check", "record")))
    edit.replace("HISTORY", "@1:check", None, "record", ())
    assert counts(edit.finish()) == (0, 1)


def test_editing_leaves_the_overlap_it_started_from() -> None:
    before = of(("WORKING", "a", "h1"))
    of(("KNOWLEDGE", "a", "h1"), base=before)
    assert counts(before) == (0, 1)


NAMES, HASHES = st.sampled_from("abc"), st.sampled_from(("h1", "h2", "h3"))
PUT = st.tuples(
    st.sampled_from(LAYERS),
    NAMES,
    st.one_of(st.none(), HASHES),
    st.one_of(st.none(), st.lists(st.tuples(NAMES, HASHES), max_size=3, unique_by=lambda pair: pair[0]).map(tuple)),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PUT, max_size=25))
def test_counts_equal_every_pair_compared(puts: list[tuple[str, str, str | None, Entries | None]]) -> None:
    overlap = NO_OVERLAP
    standing: dict[tuple[str, str], tuple[str, Entries | None]] = {}
    for layer, name, value, outputs in puts:
        outputs = outputs if layer == "HISTORY" and value else None
        was = standing.pop((layer, name), (None, None))[0]
        if value is not None:
            standing[layer, name] = (value, outputs)
        edit = OverlapEdit(overlap)
        edit.replace(layer, name, was, value, outputs)
        overlap = edit.finish()
        entries = [
            (layer, entry, value_hash)
            for (layer, name), (value, outputs) in standing.items()
            for entry, value_hash in (((name, value),) if outputs is None else outputs)
            if layer != "SYSTEM"
        ]
        duplicated = [
            one
            for one in entries
            if any(one[0] != other[0] and (one[1] == other[1] or one[2] == other[2]) for other in entries)
        ]
        assert counts(overlap) == (len(duplicated), len(entries))
    empty = OverlapEdit(overlap)
    for (layer, name), (value, _) in standing.items():
        empty.replace(layer, name, value, None)
    assert empty.finish() == NO_OVERLAP
