"""What people answer, the record of it, and merging after a restart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from governance.merging.errors import MergeDenied, MergeOpen, UnknownAnswer
from governance.merging.merge import Answer, Merger
from governance.merging.paths import DELETED
from governance.merging.rules import Head, MergeRules
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta
from governance.snapshots.model import Commit, CommitMeta
from governance.snapshots.values import ValueStore
from governance.vocabulary import MergeStrategy, Producer
from tests.governance.merging.branches import Branches, by, moment

ASK = MergeRules(default=MergeStrategy.HUMAN)


@pytest.fixture
def process() -> Branches:
    return Branches()


@pytest.fixture
def heads(process: Branches) -> dict[str, str]:
    split = process.start(x=0, v={"p": 0, "q": 0})
    return {
        "a": process.write(split, "a", x=1, v={"p": 1, "q": 1}),
        "b": process.write(split, "b", x=2, v={"p": 2, "q": 0}),
    }


def test_an_open_merge_is_not_made(process: Branches, heads: dict[str, str]) -> None:
    with pytest.raises(MergeOpen) as caught:
        process.merge(heads, ASK, answers={"x": Answer.take("a")})
    assert caught.value.conflicts == ("WORKING/v#/p",)


def test_a_branch_can_be_taken_a_value_given_or_the_place_removed(process: Branches, heads: dict[str, str]) -> None:
    answers = {"WORKING/x": Answer.take("a"), "WORKING/v#/p": Answer.value([7])}
    assert process.values(process.joined(heads, ASK, answers=answers)) == {"x": 1, "v": {"p": [7], "q": 1}}
    answers = {"x": Answer.delete(), "v#/p": Answer.delete()}
    assert process.values(process.joined(heads, ASK, answers=answers)) == {"v": {"q": 1}}


@pytest.mark.parametrize("name", ["WORKING/v#/p", "v#/p", "v.p", "v/p"])
def test_a_place_may_be_named_as_people_write_it(process: Branches, heads: dict[str, str], name: str) -> None:
    answers = {"x": Answer.take("a"), name: Answer.value(7)}
    assert process.value(process.joined(heads, ASK, answers=answers), "v") == {"p": 7, "q": 1}


def test_an_item_may_be_named_as_people_write_it(process: Branches) -> None:
    split = process.start(v=[{"id": "a/b", "q": 0}])
    heads = {branch: process.write(split, branch, v=[{"id": "a/b", "q": q}]) for q, branch in enumerate("ab", 1)}
    (conflict,) = process.plan(heads, ASK).conflicts
    assert conflict.place == 'v[id="a/b"].q'
    merged = process.joined(heads, ASK, answers={conflict.place: Answer.take("a")})
    assert process.value(merged, "v") == [{"id": "a/b", "q": 1}]


def test_a_name_that_two_conflicts_have_names_none(process: Branches) -> None:
    split = process.start({"v": {"p": 0}, "v.p": 0})
    heads = {branch: process.write(split, branch, {"v": {"p": q}, "v.p": q}) for q, branch in enumerate("ab", 1)}
    with pytest.raises(UnknownAnswer):
        process.merge(heads, ASK, answers={"v.p": Answer.take("a"), "v/p": Answer.take("a")})
    taken = {"WORKING/v.p": Answer.take("a"), "v/p": Answer.take("b")}
    assert process.values(process.joined(heads, ASK, answers=taken)) == {"v": {"p": 2}, "v.p": 1}


def test_a_given_value_is_a_persons_write_at_the_join(process: Branches, heads: dict[str, str]) -> None:
    answers = {"x": Answer.value(9), "v#/p": Answer.take("b")}
    merged = process.graph.get(process.joined(heads, ASK, answers=answers, at=50))
    written = meta(process.graph.values, merged.writes["WORKING/x"].meta)
    assert (written.producer, written.activity, written.created_at) == (Producer.HUMAN, "join", moment(50))
    stamp = merged.meta.won["WORKING/x"]
    assert (stamp.at, stamp.generation) == (moment(50), merged.generation)
    assert merged.meta.won["WORKING/v#/p"].branch == "b"


def test_an_answer_may_overrule_a_rule(process: Branches, heads: dict[str, str]) -> None:
    result = process.merge(heads, answers={"x": Answer.take("a")})
    assert process.value(result.snapshot, "x") == 1
    by_whom = {conflict["key"]: conflict["decided_by"] for conflict in result.record["conflicts"]}
    assert by_whom == {"WORKING/x": "person", "WORKING/v": "rule"}


@pytest.mark.parametrize(
    ("answers", "unknown"),
    [
        ({"y": Answer.take("a")}, "y"),
        ({"x": Answer.take("z")}, "WORKING/x: branch z"),
        ({"v": Answer.take("a")}, "v"),
    ],
)
def test_an_answer_that_fits_nothing_is_refused(
    process: Branches, heads: dict[str, str], answers: Mapping[str, Answer], unknown: str
) -> None:
    with pytest.raises(UnknownAnswer) as caught:
        process.merge(heads, answers=answers)
    assert caught.value.answer == unknown


def test_a_short_answer_must_mean_one_conflict(process: Branches) -> None:
    split = process.start({"WORKING/x": 0, "WORKING:call@3/x": 0})
    heads = {branch: process.write(split, branch, {"WORKING/x": branch, "WORKING:call@3/x": branch}) for branch in "ab"}
    with pytest.raises(UnknownAnswer):
        process.merge(heads, answers={"x": Answer.take("a")})
    merged = process.joined(heads, answers={"WORKING:call@3/x": Answer.take("a")})
    assert process.values(merged) == {"x": "b"}
    assert process.values(merged, "WORKING:call@3") == {"x": "a"}


def test_a_denied_merge_is_not_made_whatever_the_answer(process: Branches, heads: dict[str, str]) -> None:
    rules = MergeRules(default=MergeStrategy.LAST_WRITE, keys={"v/p": MergeStrategy.APPEND})
    with pytest.raises(MergeDenied) as caught:
        process.merge(heads, rules, answers={"v#/p": Answer.value([1])})
    assert caught.value.conflicts == ("WORKING/v#/p",)


def test_a_refused_merge_leaves_no_trace(process: Branches, heads: dict[str, str]) -> None:
    process.graph.drain()
    process.graph.values.drain()
    with pytest.raises(MergeOpen):
        process.merge(heads, ASK)
    assert (process.graph.drain(), process.graph.values.drain()) == ([], [])


def test_planning_leaves_no_trace(process: Branches, heads: dict[str, str]) -> None:
    process.graph.drain()
    process.graph.values.drain()
    process.plan(heads)
    assert (process.graph.drain(), process.graph.values.drain()) == ([], [])


def test_what_a_person_decided_is_settled_for_later_joins(process: Branches, heads: dict[str, str]) -> None:
    joined = process.joined(heads, ASK, answers={"x": Answer.take("a"), "v#/p": Answer.value(9)}, branch="ab")
    again = process.joined(heads, branch="other")
    c, d = process.write(joined, "c", y=1), process.write(joined, "d", z=1)
    assert process.plan({"c": c, "d": d}, ASK).conflicts == ()
    assert process.plan({"c": c, "again": again}, ASK).open != ()


def test_the_record_tells_what_was_lost_and_who_decided(process: Branches, heads: dict[str, str]) -> None:
    rules = MergeRules(keys={"x": MergeStrategy.HUMAN, "v": MergeStrategy.LAST_WRITE})
    record = process.merge(heads, rules, answers={"x": Answer.take("a")}).record
    assert [head["branch"] for head in record["heads"]] == ["a", "b"]
    v, x = record["conflicts"]
    assert (v["key"], v["path"], v["decided_by"], v["strategy"]) == ("WORKING/v", "/p", "rule", "LAST_WRITE")
    assert (v["winner"], v["value"], [(lost["branch"], lost["value"]) for lost in v["lost"]]) == ("b", 2, [("a", 1)])
    assert (x["key"], x["decided_by"], x["winner"], x["value"]) == ("WORKING/x", "person", "a", 1)
    assert [lost["branch"] for lost in x["lost"]] == ["b"]
    assert json.loads(json.dumps(record)) == record


def test_the_record_of_a_removal_and_of_a_fold(process: Branches) -> None:
    split = process.start(x=1, n=1)
    heads = {
        "a": process.write(split, "a", x=2, n=2),
        "b": process.write(split, "b", x=DELETED, n=2),
    }
    n, x = process.merge(heads, by(n=MergeStrategy.SUM, x=MergeStrategy.LAST_WRITE)).record["conflicts"]
    assert (n["winner"], n["value"], n["lost"]) == (None, 3, [])
    assert (x["deleted"], x["winner"], [lost["value"] for lost in x["lost"]]) == (True, "b", [2])
    assert "value" not in x


def test_a_plan_is_json(process: Branches, heads: dict[str, str]) -> None:
    dump = process.plan(heads, ASK).dump()
    assert json.loads(json.dumps(dump)) == dump
    assert dump["open"] == ["WORKING/v#/p", "WORKING/x"]
    assert dump["conflicts"][1]["values"][0] == {
        "branch": "a",
        "value": 1,
        "created_at": moment(2),
        "confidence": 1.0,
        "activity": "by a",
    }


class _Stored:
    """What a store would have kept."""

    def __init__(self, process: Branches) -> None:
        self._commits = {commit.id: commit for commit in process.graph.drain()}
        self._values = dict(process.graph.values.drain())

    def commits(self, snapshot: str) -> Iterable[Commit]:
        return [self._commits[snapshot]] if snapshot in self._commits else []

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        return None

    def value(self, value_hash: str) -> bytes:
        return self._values[value_hash]


def test_a_plan_made_after_a_restart_is_the_same_and_is_committed_the_same(
    process: Branches, heads: dict[str, str]
) -> None:
    before = process.plan(heads, ASK)
    stored = _Stored(process)
    merger = Merger(SnapshotGraph(ValueStore(load=stored.value), source=stored))
    after = merger.plan([Head(branch, heads[branch]) for branch in "ba"], ASK)
    assert after == before
    assert after.dump() == before.dump()
    answers = {"x": Answer.take("a"), "v#/p": Answer.value(3)}
    about = CommitMeta("D3", "join", "", moment(60))
    assert merger.commit(after, about, answers).snapshot == process.merger.commit(before, about, answers).snapshot
