"""The order of branches, and with it of writes, is total."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from governance.snapshots.model import Stamp, branch_order

branches = st.text(alphabet="0179ra/.@", max_size=6)


def test_numbers_in_branches_compare_as_numbers() -> None:
    names = ["r10.a", "10", "2", "s1", "r", "", "r10", "1", "r2"]
    assert sorted(names, key=branch_order) == ["", "1", "2", "10", "r", "r2", "r10", "r10.a", "s1"]


@given(branches, branches)
def test_only_the_same_branch_has_the_same_place_in_the_order(one: str, other: str) -> None:
    assert (branch_order(one) == branch_order(other)) == (one == other)
    first, second = (Stamp("t", 1, branch, "v").order() for branch in (one, other))
    assert (first == second) == (one == other)


def test_a_leading_zero_tells_writes_apart() -> None:
    assert Stamp("t", 1, "r001", "a").order() < Stamp("t", 1, "r1", "a").order()
