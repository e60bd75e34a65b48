"""The list of the inbox: a page of what waits for people, filtered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from engine.people.waiting import Item, Place, waiting
from engine.people.work_item import WorkItem
from engine.server.claims import Claims
from engine.server.identity.port import Person
from engine.server.views.naming import Naming
from engine.store.port import InstanceStore
from engine.told import joined, recorded
from governance.ports import Clock, timestamp

MOST: Final = 50
"""Lines of a page."""
_APART: Final = "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the list. Times are timestamps; `whom` is for whom it is, "" for anybody, `at_it` who is at it."""

    id: str
    kind: str
    title: str
    process: str
    message: str
    at: str
    due: str | None
    whom: str
    is_mine: bool
    at_it: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody wants to see. `only`: all, mine (named, or of a role of theirs, or for anybody), or overdue."""

    only: str = ""
    process: str = ""
    after: str = ""

    @property
    def query(self) -> str:
        """Of an address that shows the same, "" for the first page of everything."""
        given = {"only": self.only, "process": self.process, "after": self.after}
        return urlencode({name: value for name, value in given.items() if value})

    def page(self, after: str) -> Wanted:
        return Wanted(only=self.only, process=self.process, after=after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A page of lines. `total` counts all that is open, whatever is wanted; `next` is "" on the last page."""

    lines: Sequence[Line]
    wanted: Wanted
    total: int
    next: str


class InboxList:
    """Makes pages of the list."""

    def __init__(self, store: InstanceStore, naming: Naming, claims: Claims, clock: Clock) -> None:
        self._store, self._naming, self._claims, self._clock = store, naming, claims, clock

    def page(self, person: Person, wanted: Wanted) -> Lines:
        """Cost: the items looked at, for which see `waiting`."""
        now = timestamp(self._clock.now())

        def fits(item: Item) -> bool:
            if wanted.only == "mine":
                return is_mine(item, person)
            return wanted.only != "overdue" or (item.due is not None and item.due < now)

        found = waiting(
            self._store, fits, process=wanted.process or None, after=_place(wanted.after), most=MOST
        )
        lines = [self._line(item, person) for item in found.items]
        total, next = self._store.open_for_people(), _APART.join(found.next) if found.next else ""
        return Lines(lines=lines, wanted=wanted, total=total, next=next)

    def _line(self, item: Item, person: Person) -> Line:
        names, process = self._naming.of(item.instance)
        claim = self._claims.of(item.id)
        if isinstance(item, WorkItem):
            kind, title, message = "task", item.name, str(item.shown.get("documentation", ""))
            whom: str = joined(item.whom)
        else:
            kind, title, message = "question", names.element(item.element), recorded(item.message)
            whom = item.delegate or joined(item.asked_roles)
        return Line(
            id=item.id, kind=kind, title=title, process=process, message=message, at=item.created_at, due=item.due,
            whom=whom, is_mine=is_mine(item, person), at_it=claim.by if claim else "",
        )  # fmt: skip


def is_mine(item: Item, person: Person) -> bool:
    """Whether it is for somebody: by name, by a role, or because it is for anybody."""
    if isinstance(item, WorkItem):
        named = item.restricted or not item.whom or person.name in item.whom
        return named and item.is_for(person.name, person.roles)
    if item.delegate:
        return item.delegate == person.name
    return not item.asked_roles or bool(person.roles & set(item.asked_roles))


def _place(after: str) -> Place | None:
    at, _, id = after.partition(_APART)
    return (at, id) if id else None
