"""What waits for people, page by page: tasks and questions together, the oldest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Final, Protocol

from engine.people.work_item import WorkItem
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Intervention

Item = WorkItem | Intervention
Place = tuple[str, str]
"""When an item was made, and its id: what pages go on from."""
MOST_LOOKED_AT: Final = 1_000
"""Items that one page looks at; where a filter leaves fewer than a page of them, it says where to go on."""
_AT_ONCE: Final = 60


class _List(Protocol):
    def __call__(self, *, process: str | None, after: Place | None, limit: int) -> Sequence[Item]: ...


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page. `next` is where to go on, None where nothing is left."""

    items: Sequence[Item]
    next: Place | None


def waiting(
    store: InstanceStore,
    fits: Callable[[Item], bool],
    *,
    process: str | None = None,
    after: Place | None = None,
    most: int = 50,
) -> Waiting:
    """At most `most` open items behind `after` that fit. Cost: those looked at."""
    found: list[Item] = []
    place = after
    both = merge(_each(store.work_items, process, after), _each(store.interventions, process, after), key=place_of)
    for number, item in enumerate(islice(both, MOST_LOOKED_AT + 1)):
        if number == MOST_LOOKED_AT or len(found) == most:
            return Waiting(found, place)
        place = place_of(item)
        if fits(item):
            found.append(item)
    return Waiting(found, None)


def place_of(item: Item) -> Place:
    return item.created_at, item.id


def _each(listed: _List, process: str | None, after: Place | None) -> Iterator[Item]:
    while True:
        page = listed(process=process, after=after, limit=_AT_ONCE)
        yield from page
        if len(page) < _AT_ONCE:
            return
        after = place_of(page[-1])
