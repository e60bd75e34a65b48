"""What waits for people is listed page by page, by when it was made, at the cost of a page."""

from __future__ import annotations

import pytest

from engine.people.waiting import MOST_LOOKED_AT, Item, Waiting, place_of, waiting
from engine.store.store import SqlStore
from tests.engine.store.making import Run, at, intervention, work_item


@pytest.fixture
def items(store: SqlStore, run: Run) -> list[Item]:
    """Open ones of both kinds, several made at once, in the order of the list; and some that are done."""
    tasks = [work_item(f"w{number:03}", created_at=at(number // 3)) for number in range(130)]
    asked = [intervention(f"i{number:03}", created_at=at(number // 2)) for number in range(70)]
    done = [work_item("w-done", status="completed", created_at=at(1)), intervention("i-done", status="withdrawn")]
    store.commit(run.step({}, work_items=[*tasks, done[0]], interventions=[*asked, done[1]]))
    return sorted([*tasks, *asked], key=place_of)


def everything(item: Item) -> bool:
    return True


def test_pages_follow_each_other_without_a_gap(store: SqlStore, items: list[Item]) -> None:
    page = Waiting([], None)
    found: list[Item] = []
    while page.next is not None or not found:
        page = waiting(store, everything, after=page.next, most=7)
        assert len(page.items) == min(7, len(items) - len(found))
        found += page.items
    assert found == items
    assert store.open_for_people() == len(items)


def test_a_page_has_what_fits_alone(store: SqlStore, items: list[Item]) -> None:
    page = waiting(store, lambda item: item.id.endswith("7"), most=100)
    assert [item.id for item in page.items] == [item.id for item in items if item.id.endswith("7")]
    assert page.next is None
    assert waiting(store, everything, process="main", most=500).items == items
    assert waiting(store, everything, process="another").items == []


def test_a_page_looks_at_so_much_and_says_where_to_go_on(store: SqlStore, run: Run) -> None:
    store.commit(run.step({}, work_items=[work_item(f"w{n:04}", created_at=at(n)) for n in range(MOST_LOOKED_AT + 9)]))
    page = waiting(store, lambda item: item.id >= f"w{MOST_LOOKED_AT:04}")
    assert page == Waiting([], (at(MOST_LOOKED_AT - 1), f"w{MOST_LOOKED_AT - 1:04}"))
    assert len(waiting(store, everything, after=page.next).items) == 9
