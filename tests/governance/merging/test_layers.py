"""What each layer does at a join."""

from __future__ import annotations

import pytest

from governance.merging.conflicts import Status
from governance.merging.errors import MergeDenied
from governance.merging.rules import MergeRules
from governance.vocabulary import MergeStrategy
from tests.governance.merging.branches import Branches, conflicting, sides

ASK = MergeRules(default=MergeStrategy.HUMAN)


@pytest.fixture
def process() -> Branches:
    return Branches()


def test_system_that_differs_is_denied(process: Branches) -> None:
    split = process.start({"SYSTEM/role": "clerk"})
    heads = {"a": process.write(split, "a", {"SYSTEM/role": "judge"}), "b": process.write(split, "b", x=1)}
    (conflict,) = process.plan(heads).denied
    assert (conflict.id, conflict.strategy, conflict.status) == ("SYSTEM/role", None, Status.DENIED)
    assert (conflict.base, sides(conflict)) == ("clerk", {"a": "judge", "b": "clerk"})
    with pytest.raises(MergeDenied, match="SYSTEM/role"):
        process.merge(heads)


def test_system_that_only_one_branch_has_is_denied_even_if_the_other_did_nothing(process: Branches) -> None:
    split = process.start(x=1)
    written = process.write(split, "a", {"SYSTEM/role": "clerk"})
    plan = process.plan({"a": written, "b": split})
    assert (len(plan.denied), plan.fast_forward) == (1, None)
    b = process.write(split, "b", y=1)
    (conflict,) = process.plan({"a": written, "b": b}).denied
    assert [value.deleted for value in conflict.values] == [False, True]


def test_the_same_system_written_to_all_branches_is_merged(process: Branches) -> None:
    split = process.start({"SYSTEM/role": "clerk"})
    heads = {branch: process.write(split, branch, {"SYSTEM/role": "judge"}) for branch in "ab"}
    assert process.plan(heads, ASK).conflicts == ()
    assert process.values(process.joined(heads, ASK), "SYSTEM") == {"role": "judge"}


def test_path_marks_of_all_branches_are_kept_and_the_last_one_of_a_name_stands_silently(process: Branches) -> None:
    split = process.start(x=0)
    a = process.write(split, "a", {"PROCESS/path/a": "taken", "PROCESS/now": "a"})
    b = process.write(split, "b", {"PROCESS/path/b": "taken", "PROCESS/now": "b"})
    plan = process.plan({"a": a, "b": b}, ASK)
    assert (plan.conflicts, plan.notices) == ((), ())
    merged = process.joined({"a": a, "b": b}, ASK)
    assert process.values(merged, "PROCESS") == {"path/a": "taken", "path/b": "taken", "now": "b"}


def test_history_is_the_union_of_records_and_nothing_comes_twice(process: Branches) -> None:
    split = process.start({"HISTORY/@1:start": {"activity": "start"}})
    a = process.write(split, "a", {"HISTORY/a@2:t": {"activity": "t"}})
    b = process.write(split, "b", {"HISTORY/b@2:t": {"activity": "t"}})
    merged = process.joined({"a": a, "b": b}, ASK)
    assert list(process.values(merged, "HISTORY")) == ["@1:start", "a@2:t", "b@2:t"]
    assert process.plan({"a": a, "b": b}, ASK).conflicts == ()


def test_a_called_process_has_variables_of_its_own(process: Branches) -> None:
    split = process.start({"WORKING/x": 0, "WORKING:call@3/x": 0})
    a = process.write(split, "a", {"WORKING:call@3/x": 1})
    b = process.write(split, "b", {"WORKING/x": 2})
    assert process.plan({"a": a, "b": b}, ASK).conflicts == ()
    c = process.write(split, "c", {"WORKING:call@3/x": 3})
    assert conflicting(process.plan({"a": a, "c": c}, ASK)) == ["WORKING:call@3/x"]
