"""Branches as lanes: where they begin, end and come together."""

from __future__ import annotations

from typing import Any

from engine.events import Event, EventType
from engine.report.model.branches import MOST_LANES, Crossing, Line, crossings
from engine.report.model.family import Family


def log(*parts: tuple[EventType, str, dict[str, Any]]) -> list[Event]:
    return [Event(seq, "", type, "x", branch, data) for seq, (type, branch, data) in enumerate(parts)]


def done(branch: str) -> tuple[EventType, str, dict[str, Any]]:
    return EventType.ACTIVITY_COMPLETED, branch, {}


def split(parent: str, *branches: str) -> tuple[EventType, str, dict[str, Any]]:
    return EventType.D2, parent, {"branches": list(branches)}


def join(into: str, *branches: str) -> tuple[EventType, str, dict[str, Any]]:
    return EventType.D3, into, {"branches": list(branches)}


END = (EventType.INSTANCE_COMPLETED, "", dict[str, Any]())


def test_one_branch_is_one_lane_from_its_beginning_to_its_end() -> None:
    rows, lanes = crossings(log(done(""), done(""), END), {})
    assert lanes == 1
    assert [row.lines for row in rows] == [
        (Line(0, above=False, below=True),),
        (Line(0, above=True, below=True),),
        (Line(0, above=True, below=False),),
    ]


def test_a_split_opens_lanes_and_a_join_closes_them() -> None:
    rows, lanes = crossings(log(done(""), split("", "/a", "/b"), done("/b"), join("", "/a", "/b"), done("")), {})
    assert lanes == 3
    assert (rows[1].lane, rows[1].forks) == (0, (1, 2))
    assert rows[2] == Crossing(
        lane=2, lines=(Line(0, True, True, waits=True), Line(1, True, True), Line(2, True, True))
    )
    assert (rows[3].lane, rows[3].joins, rows[3].lines) == (0, (1, 2), (Line(0, True, True),))
    assert rows[4].lines == (Line(0, True, True),)


def test_a_nested_split_waits_inside_its_own_lane() -> None:
    events = log(split("", "/a", "/b"), split("/a", "/a/c", "/a/d"), done("/a/d"), join("/a", "/a/c", "/a/d"))
    rows, lanes = crossings(events, {})
    assert lanes == 5
    assert [line.lane for line in rows[2].lines if line.waits] == [0, 1]
    assert rows[3].joins == (3, 4)
    assert [line.lane for line in rows[3].lines if line.waits] == [0]


def test_branches_that_join_in_part_go_on_as_one() -> None:
    rows, _ = crossings(log(split("", "/a", "/b", "/c"), join("/ab", "/a", "/b"), done("/ab")), {})
    assert (rows[1].lane, rows[1].joins) == (1, (2,))
    assert rows[2].lane == 1


def test_an_event_opens_a_branch_beside_the_one_that_goes_on() -> None:
    beside = "/timer@3:0.event"
    rows, lanes = crossings(log(done(""), split("", beside), done(""), done(beside), END), {})
    assert lanes == 2
    assert rows[1].forks == (1,)
    assert not any(line.waits for row in rows for line in row.lines)
    assert rows[4].lines == (Line(0, above=True, below=False), Line(1, above=True, below=False))


def test_an_interruption_ends_the_branches_that_it_lost() -> None:
    events = log(split("", "/a", "/b"), (EventType.INTERRUPTED, "", {}), done(""))
    rows, _ = crossings(events, {1: ["/a", "/b"]})
    assert rows[1].lines == (Line(0, True, True), Line(1, True, False), Line(2, True, False))
    assert rows[2].lines == (Line(0, True, True),)


def test_a_branch_that_never_moved_ends_with_its_split() -> None:
    rows, _ = crossings(log(split("", "/i.0", "/i.1"), done("/i.a"), join("", "/i.a", "/i.b"), done("")), {})
    assert rows[3].lines == (Line(0, True, True),)


def test_many_branches_share_the_last_lane() -> None:
    names = [f"/{number}" for number in range(50)]
    rows, lanes = crossings(log(split("", *names), *(done(name) for name in names), join("", *names), done("")), {})
    assert lanes == MOST_LANES + 1
    assert max(len(row.lines) for row in rows) == MOST_LANES + 1
    assert rows[-1].lines == (Line(0, True, True),)


def test_lanes_are_used_again() -> None:
    rounds = [step for _ in range(20) for step in (split("", "/a", "/b"), join("", "/a", "/b"))]
    assert crossings(log(*rounds), {})[1] == 3


def test_a_family_knows_what_is_over_and_what_goes_on_beside() -> None:
    family = Family()
    beside = "/late@3:0.event"
    for branch in ("", "/g@1:2.a", "/g@1:2.b", "/g@1:2.a/h@2:2.c", beside, f"{beside}/x@4:2.d"):
        family.add(branch)
    assert set(family.under("/g@1:2.a")) == {"/g@1:2.a/h@2:2.c"}
    assert set(family.rejoin("")) == {"/g@1:2.a", "/g@1:2.b", "/g@1:2.a/h@2:2.c"}
    assert set(family.under("")) == {beside, f"{beside}/x@4:2.d"}
    assert family.rejoin("") == []
