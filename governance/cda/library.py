"""Cold memory: every entry, its index, its graph, the rows of its values. Grows one entry at a time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from governance.cda.asked import addresses, asking, held, of_oneself
from governance.cda.dates import Days, day_in
from governance.cda.embedding import Embedding
from governance.cda.entry import Entry, Message, calls_of, text_of
from governance.cda.errors import BadMessage, UnknownEntry
from governance.cda.names import name_key
from governance.cda.records import Record, holds_values, records_of
from governance.cda.scg import SemanticContextGraph
from governance.cda.settings import CdaSettings
from governance.similarity.index import Bm25Index
from governance.tokens import TokenCounter
from governance.vocabulary import Fidelity


class Library:
    """The entries of one memory, by number and id; which of them are context items, and how far they are lowered."""

    def __init__(
        self, session: str, counter: TokenCounter, embedding: Embedding, settings: CdaSettings | None = None
    ) -> None:
        self._session, self._counter, self._embedding = session, counter, embedding
        self._settings = settings or CdaSettings()
        self.entries: list[Entry] = []
        self.index = Bm25Index()
        self.graph = SemanticContextGraph()
        self.days = Days()
        """When the entries were said, of those of which the caller says it."""
        self.meanings = embedding.index()
        """Vectors of the entries, where the embedding knows more than their words."""
        self.used: Counter[str] = Counter()
        """How often each value stood in a call or in what an agent said."""
        self.shown_tokens = 0
        """Tokens of all context items as they are shown."""
        self.bearing = 0
        """How many entries hold values."""
        self._numbers: dict[str, int] = {}
        self._items: dict[int, None] = {}
        self._lowered: dict[int, Fidelity] = {}
        self._costs: dict[int, int] = {}
        self._records: dict[int, tuple[Record, ...]] = {}
        self._sharing: dict[str, list[int]] = {}
        self._same: dict[str, int] = {}
        self._said_last: dict[str, int] = {}
        self._calling: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.entries)

    def add_all(
        self, messages: Iterable[Message], *, turn: int, scope: str, tools: Sequence[str], at: str
    ) -> list[Entry]:
        """A turn's messages as the next entries, as they were given; all or none. Raises BadMessage."""
        owns = [_copied(message, position) for position, message in enumerate(messages)]
        ids = [str(own.get("id") or f"e{len(self.entries) + at}") for at, own in enumerate(owns)]
        for position, id in enumerate(ids):
            if id in self._numbers or id in ids[:position]:
                raise BadMessage(position, f"the id {id!r} again", "an id that no entry has yet")
        days = [_day(own, position) for position, own in enumerate(owns)]
        for after, day in enumerate(days, start=len(self.entries)):
            if day is not None:
                self.days.add(after, day)
        return [
            self._add(own, id, turn=turn, scope=scope, tools=tools, at=at) for own, id in zip(owns, ids, strict=True)
        ]

    def _add(self, own: Message, id: str, *, turn: int, scope: str, tools: Sequence[str], at: str) -> Entry:
        number, text = len(self.entries), text_of(own)
        name = str(own.get("name") or own.get("title") or "")
        calls = [call for _, _, call in calls_of(own) if call]
        answered = own.get("tool_call_id")
        entry = Entry(
            id=id,
            number=number,
            turn=turn,
            message=own,
            text=text,
            tokens=self._counter.count(text),
            scope=str(own.get("scope") or scope),
            name=name_key(name),
            tools=frozenset([*tools, *(called for called, _, _ in calls_of(own)), *_listed(own.get("data"))]),
            calls=frozenset([*calls, *([str(answered)] if answered else [])]),
            causes=tuple(_listed(own.get("causes"))),
            at=at,
            kinds=held(text),
            asking=asking(text),
            of_oneself=of_oneself(text),
            to=self._addressed(str(own.get("scope") or scope), text),
        )
        self._keep(entry, name)
        return entry

    @property
    def nearest(self) -> Callable[[str, int], Sequence[tuple[int, float]]] | None:
        """Finds entries by meaning; None where the embedding knows words only."""
        meanings = self.meanings
        if meanings is None:
            return None
        return lambda query, limit: meanings.top(self._embedding.embed(query), limit)

    def entry(self, id: str) -> Entry:
        """Raises UnknownEntry."""
        number = self._numbers.get(id)
        if number is None:
            raise UnknownEntry(self._session, id)
        return self.entries[number]

    def calling(self, tool: str) -> Sequence[int]:
        """The entries that call a tool, oldest first."""
        return self._calling.get(tool, ())

    def together(self, number: int) -> list[int]:
        """The entries that are shown together with this one: a call and its results."""
        calls = self.entries[number].calls
        return sorted({number, *(other for call in calls for other in self._sharing[call])})

    def is_item(self, number: int) -> bool:
        """Whether an entry is a context item: assemblies choose among those only."""
        return number in self._items

    @property
    def all_items(self) -> bool:
        """Whether every entry is a context item."""
        return len(self._items) == len(self.entries)

    def is_current(self, number: int) -> bool:
        """Whether the index finds an entry; not where a later one says the same."""
        return str(number) in self.index

    def items(self) -> Iterator[Entry]:
        """The context items; those that were restored come last."""
        return (self.entries[number] for number in self._items)

    def fidelity(self, number: int) -> Fidelity:
        """How far an entry is lowered."""
        return self._lowered.get(number, Fidelity.FULL)

    @property
    def any_lowered(self) -> bool:
        return bool(self._lowered)

    def lower(self, number: int, fidelity: Fidelity, cost: int) -> None:
        """Show an item less from now on, at `cost` tokens; ARCHIVED: it is no item any more."""
        self.shown_tokens += cost - self.cost(number)
        self._lowered[number], self._costs[number] = fidelity, cost
        if fidelity is Fidelity.ARCHIVED:
            self._items.pop(number, None)

    def raise_whole(self, number: int) -> None:
        """Make an entry a whole item again."""
        self.shown_tokens += self.entries[number].tokens - self.cost(number)
        self._lowered.pop(number, None)
        self._costs.pop(number, None)
        self._items.setdefault(number)

    def cost(self, number: int) -> int:
        """Tokens of an item as it is shown."""
        return self._costs.get(number, self.entries[number].tokens)

    def records(self, number: int) -> tuple[Record, ...]:
        """The rows of an entry's values."""
        found = self._records.get(number)
        if found is None:
            found = self._records[number] = tuple(records_of(self.entries[number]))
        return found

    def _addressed(self, scope: str, text: str) -> str:
        """Who spoke last, if that is who a text speaks of."""
        before = self._said_last.get(scope)
        return self.entries[before].name if before is not None and addresses(text) else ""

    def _answered(self, entry: Entry) -> str:
        """What somebody else said before, which this goes on from: "nine places" is found by what was looked at."""
        before = self._said_last.get(entry.scope)
        if before is None or entry.calls or entry.role == "tool":
            return ""
        last = self.entries[before]
        if last.calls or last.role == "tool" or (last.role, last.name) == (entry.role, entry.name):
            return ""
        return last.text if len(last.text) <= _LONGEST_AROUND else ""

    def _keep(self, entry: Entry, name: str) -> None:
        self.entries.append(entry)
        self._items[entry.number] = None
        self._numbers[entry.id] = entry.number
        said = entry.text if not name or entry.text.startswith(name) else f"{name}: {entry.text}"
        before = self._same.get(said)
        if before is not None and str(before) in self.index:
            # Said again word for word: found once, where it was said last.
            self.index.remove(str(before))
        self._same[said] = entry.number
        self.index.add(str(entry.number), said, self._answered(entry), self._settings.around_share)
        self._said_last[entry.scope] = entry.number
        self.graph.add(entry)
        self._embedding.learn(said)
        if self.meanings is not None:
            self.meanings.add(entry.number, self._embedding.embed(said))
        self.shown_tokens += entry.tokens
        for tool in dict.fromkeys(called for called, _, _ in calls_of(entry.message)):
            self._calling.setdefault(tool, []).append(entry.number)
        self.bearing += holds_values(entry)
        for call in entry.calls:
            self._sharing.setdefault(call, []).append(entry.number)
        if entry.role == "assistant":
            self.used.update({value.lower() for record in self.records(entry.number) for _, value in record.fields})


_LONGEST_AROUND = 1_000
"""Characters of a turn that helps to find the next one; a longer one speaks of many things."""


def _copied(message: Any, position: int) -> dict[str, Any]:
    """A private copy, keys in their order. Raises BadMessage for what is no plain message."""
    allowed = "an object of JSON values with a text `role`"
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise BadMessage(position, type(message).__name__, allowed)
    try:
        copied: dict[str, Any] = json.loads(json.dumps(message, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadMessage(position, str(error), allowed) from error
    return copied


def _day(own: Message, position: int) -> date | None:
    """The day on which a message was said, where it says so. Raises BadMessage."""
    said = own.get("said_at")
    if said is None:
        return None
    day = day_in(said) if isinstance(said, str) else None
    if day is None:
        raise BadMessage(position, f"`said_at` {said!r}", "a text with a date, as 2026-05-08 or 8 May 2026")
    return day


def _listed(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []
