"""Puts a Governor together as the command line runs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import orjson

from engine.activities.choose import ActivityHandlers, activity_handlers
from engine.events import Event
from engine.governor import Governor
from engine.models.choose import OFFLINE
from engine.store.database import Database
from engine.store.ids import Ids, RandomIds
from engine.store.location import default_url
from engine.store.store import SqlStore
from governance.ports import SystemClock

DATABASE: Final = "GOVERNOR_DB"
_NOTHING: Final[Mapping[str, Any]] = {}


def open_governor(
    db: str | None = None,
    listener: Callable[[Event], None] | None = None,
    *,
    ids: Ids | None = None,
    instead: Mapping[str, Any] = _NOTHING,
    must_exist: bool = False,
) -> Governor:
    """A Governor on a database: `db`, else what GOVERNOR_DB says, else the user's own.

    `instead` are settings that hold instead of those an instance was started with. If it `must_exist`, a database that
    is named is not made; the user's own is made at need. Close the `store` in the end. Raises StoreError.
    """
    named = db or os.environ.get(DATABASE)
    store = SqlStore(Database(named or default_url(), must_exist=must_exist and bool(named)))
    handlers = HandlersBySettings(instead)
    return Governor(
        store,
        clock=SystemClock(),
        ids=ids or RandomIds(),
        summariser=RuleSummaries(),
        handlers=handlers,
        listener=listener,
    )


@contextmanager
def governor_on(
    db: str | None = None,
    listener: Callable[[Event], None] | None = None,
    *,
    ids: Ids | None = None,
    instead: Mapping[str, Any] = _NOTHING,
    must_exist: bool = False,
) -> Iterator[Governor]:
    """The same for a `with` statement, which closes it."""
    governor = open_governor(db, listener, ids=ids, instead=instead, must_exist=must_exist)
    try:
        yield governor
    finally:
        governor.store.close()


class HandlersBySettings:
    """Handlers for an instance's settings: `model`, `handlers`, `folder` (where relative paths start), `simulate`.

    Made once for the same settings, so that what a module of handlers keeps is kept.
    """

    def __init__(self, instead: Mapping[str, Any] = _NOTHING) -> None:
        self._instead = instead
        self._made: dict[bytes, ActivityHandlers] = {}

    def __call__(self, settings: Mapping[str, Any]) -> ActivityHandlers:
        wanted = {**settings, **self._instead}
        key = orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)
        if key not in self._made:
            self._made[key] = activity_handlers(
                model=wanted.get("model") or OFFLINE,
                modules=wanted.get("handlers") or (),
                simulated=bool(wanted.get("simulate")),
                folder=Path(wanted["folder"]) if wanted.get("folder") else None,
            )
        return self._made[key]


class RuleSummaries:
    """Summaries by rule. They need a stemmer, which most runs never load."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        from governance.summaries.summary import summarise

        return summarise(value, query=query, limit=limit)
