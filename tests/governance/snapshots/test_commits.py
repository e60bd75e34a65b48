"""Commits as compact JSON, and ids that hash all that a commit says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.snapshots.commits import dump_commit, load_commit, make_commit
from governance.snapshots.model import Commit, CommitMeta, Shown, Stamp, Write
from governance.vocabulary import Fidelity

A, B, C = (digit * 32 for digit in "abc")
META = CommitMeta("activity", "check", "fork/1", "2026-11-30T10:00:00.000000Z")
PARTS: dict[str, Any] = {
    "parents": [A],
    "writes": {"WORKING/x": Write(A, B), "WORKING/y": Write(None, B)},
    "carry": {},
    "shown": {"HISTORY/@1:a": Shown(Fidelity.SUMMARY, C)},
    "meta": META,
    "generation": 3,
    "step": 2,
}
HASHES = st.sampled_from((A, B, C))
KEYS = st.sampled_from(("WORKING/x", "WORKING:call@1/y", "HISTORY/@3:check"))
WRITES = st.dictionaries(
    KEYS,
    st.builds(
        Write,
        value=st.one_of(st.none(), HASHES),
        meta=HASHES,
        paths=st.one_of(st.none(), st.lists(st.sampled_from(("", "a", "b.c")), max_size=2).map(tuple)),
    ),
    max_size=3,
)
SHOWN = st.dictionaries(
    KEYS,
    st.one_of(st.none(), st.builds(Shown, st.sampled_from(Fidelity), st.one_of(st.none(), HASHES))),
    max_size=3,
)
METAS = st.builds(
    CommitMeta,
    kind=st.sampled_from(("start", "D3")),
    activity=st.sampled_from(("", "check")),
    branch=st.sampled_from(("", "fork/1")),
    at=st.sampled_from(("", META.at)),
    won=st.dictionaries(
        KEYS, st.builds(Stamp, st.just(META.at), st.integers(1, 9), st.just("fork/2"), HASHES), max_size=2
    ),
    bases=st.lists(HASHES, max_size=2).map(tuple),
    lost=st.lists(HASHES, max_size=1).map(tuple),
)
COMMITS = st.builds(
    make_commit, st.lists(HASHES, max_size=2), WRITES, WRITES, SHOWN, METAS, st.integers(1, 9), st.integers(0, 9)
)


def made(**changes: Any) -> Commit:
    return make_commit(**{**PARTS, **changes})


@given(COMMITS)
def test_a_commit_comes_back_from_json_with_its_id(commit: Commit) -> None:
    assert load_commit(orjson.loads(dump_commit(commit))) == commit


@given(COMMITS, COMMITS)
def test_commits_have_one_id_exactly_if_they_say_the_same(one: Commit, other: Commit) -> None:
    same = one._replace(id="", body=b"", generation=0, step=0) == other._replace(id="", body=b"", generation=0, step=0)
    assert (one.id == other.id) == same


@pytest.mark.parametrize(
    "changes",
    [
        {"parents": [A, B]},
        {"parents": [B]},
        {"writes": {}},
        {"writes": {**PARTS["writes"], "WORKING/x": Write(B, B)}},
        {"writes": {**PARTS["writes"], "WORKING/x": Write(A, C)}},
        {"writes": {**PARTS["writes"], "WORKING/x": Write(A, B, ())}},
        {"writes": {}, "carry": PARTS["writes"]},
        {"shown": {"HISTORY/@1:a": None}},
        {"shown": {"HISTORY/@1:a": Shown(Fidelity.KEY_ONLY, C)}},
        {"meta": META._replace(kind="D1")},
        {"meta": META._replace(activity="other")},
        {"meta": META._replace(branch="fork/2")},
        {"meta": META._replace(at="2026-11-30T10:00:00.000001Z")},
        {"meta": META._replace(won={"WORKING/x": Stamp(META.at, 1, "fork/1", A)})},
        {"meta": META._replace(bases=(A,))},
        {"meta": META._replace(lost=(A,))},
    ],
)
def test_the_id_hashes_every_part(changes: Mapping[str, Any]) -> None:
    assert made(**changes).id != made().id


def test_the_id_does_not_hang_on_the_order_of_keys_nor_on_what_parents_tell() -> None:
    turned = dict(reversed(PARTS["writes"].items()))
    assert made(writes=turned, generation=9, step=8).id == made().id


def test_an_altered_document_has_another_id() -> None:
    document = orjson.loads(dump_commit(made()))
    document["w"][B]["WORKING/x"] = C
    assert load_commit(document).id != made().id


def test_a_commit_keeps_its_own_copy_of_what_it_was_given() -> None:
    writes = dict(PARTS["writes"])
    commit = made(writes=writes)
    writes["WORKING/z"] = Write(C, C)
    assert "WORKING/z" not in commit.writes


@pytest.mark.parametrize(("keys", "most"), [(2, 280), (3, 330)])
def test_a_document_is_short(keys: int, most: int) -> None:
    writes = dict.fromkeys(("HISTORY/@12:check_claim", "WORKING/claim", "WORKING/decision")[:keys], Write(A, B))
    commit = make_commit([A], writes, {}, {}, CommitMeta("activity", "check_claim", "", META.at), 12, 12)
    assert len(dump_commit(commit)) <= most


def test_one_metadata_hash_stands_once_for_all_keys() -> None:
    assert orjson.loads(dump_commit(made()))["w"] == {B: {"WORKING/x": A, "WORKING/y": None}}
