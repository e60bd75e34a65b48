"""The walk: what lies between heads and what they all share, at the cost of that and no more."""

from __future__ import annotations

from governance.merging.walk import diverge
from tests.governance.merging.branches import Branches


def test_the_base_is_where_the_branches_parted() -> None:
    process = Branches()
    split = process.start(x=1)
    a, b = process.write(split, "a", x=2), process.write(split, "b", y=1)
    found = diverge(process.graph.get, [a, b])
    assert found.bases == (split,)
    assert {(seen.commit.id, seen.heads) for seen in found.commits} == {(a, 0b01), (b, 0b10)}
    assert found.live == 0b11


def test_a_head_that_another_has_seen_is_not_live() -> None:
    process = Branches()
    split = process.start(x=1)
    a = process.write(split, "a", x=2)
    found = diverge(process.graph.get, [split, a])
    assert (found.bases, found.live) == ((split,), 0b10)


def test_a_criss_cross_has_two_bases() -> None:
    process = Branches()
    split = process.start(x=0, y=0)
    a, b = process.write(split, "a", x=1), process.write(split, "b", y=1)
    one, other = process.joined({"a": a, "b": b}, branch="j1"), process.joined({"a": a, "b": b}, branch="j2")
    assert set(diverge(process.graph.get, [one, other]).bases) == {a, b}


def test_a_bypass_of_the_base_is_no_branch() -> None:
    """`old` is seen by the first head through a merge and by the second only below the common commit."""
    process = Branches()
    old = process.start(x=0)
    at = old
    for step in range(5):
        at = process.write(old if step == 0 else at, "main", y=step)
    side = process.write(old, "side", z=1)
    a = process.joined({"main": at, "side": side}, branch="a")
    b = process.write(at, "b", x=1)
    found = diverge(process.graph.get, [a, b])
    assert found.bases == (at,)
    assert {seen.commit.id for seen in found.commits} == {a, b, side}


def test_the_cost_is_what_was_done_since_the_split() -> None:
    visited = []
    for history in (10, 1000):
        process = Branches()
        at = process.start(x=0)
        for step in range(history):
            at = process.write(at, "", x=step)
        a = b = at
        for step in range(20):
            a, b = process.write(a, "a", a=step), process.write(b, "b", b=step)
        visited.append(process.plan({"a": a, "b": b}).visited)
    assert visited == [41, 41]


def test_the_rounds_of_a_loop_cost_the_same() -> None:
    process = Branches()
    at = process.start(n=0)
    visited = []
    for step in range(50):
        heads = {"a": process.write(at, "a", n=step), "b": process.write(at, "b", m=step)}
        visited.append(process.plan(heads).visited)
        at = process.joined(heads)
    assert set(visited) == {3}
