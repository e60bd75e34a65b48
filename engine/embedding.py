"""Puts a Governor together, for the command line and for programs that embed the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

import orjson

from engine.activities.choose import ActivityHandlers, activity_handlers
from engine.activities.work import HearFor
from engine.events import Event
from engine.governor import Governor, HandlersFor
from engine.models.choose import OFFLINE
from engine.models.rates import Pace
from engine.personal.masked_store import masked as masked_store
from engine.store.database import Database
from engine.store.ids import Ids, RandomIds
from engine.store.location import default_url
from engine.store.store import SqlStore
from governance.policy import Limits
from governance.ports import Clock, SystemClock

_NOTHING: Final[Mapping[str, Any]] = {}


def open_governor(
    database: str | None = None,
    *,
    settings: Mapping[str, Any] = _NOTHING,
    handlers: HandlersFor | None = None,
    listener: Callable[[Event], None] | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    must_exist: bool = False,
    hear: HearFor | None = None,
    budget: Limits | None = None,
    detached: bool = False,
    masked: bool = False,
) -> Governor:
    """A Governor on a database: a SQLite file, `sqlite:///PATH` or `postgresql://…`, None: the user's own.

    `settings` hold instead of those that an instance was started with: `model`, `handlers` (modules or .py files, with
    those of installed distributions), `folder` (where relative paths start), `simulate`. `handlers` finds who does the
    activities of an instance with given settings, in place of ours. `hear` says who hears what agents' models say, as
    it comes. `budget` is what the model calls of all instances of the database may use together. `detached`: the work
    is for workers, where it is not resumed here. If it `must_exist`, the database is not made. `masked`: only to look,
    without what policies call personal. Close it in the end, or use it in a `with` statement. Raises StoreError.
    """
    store = SqlStore(Database(database or default_url(), must_exist=must_exist))
    return Governor(
        masked_store(store) if masked else store,
        clock=clock or SystemClock(),
        ids=ids or RandomIds(),
        summariser=RuleSummaries(),
        handlers=handlers or HandlersBySettings(settings, hear),
        listener=listener,
        budget=budget,
        elsewhere=_never if detached else None,
    )


def _never() -> bool:
    return False


class HandlersBySettings:
    """Handlers for an instance's settings: `model`, `handlers`, `folder` (where relative paths start), `simulate`.

    Made once for the same settings, so that what a module of handlers keeps is kept. May be called from any thread.
    `pace` says how often models may be called.
    """

    def __init__(
        self, instead: Mapping[str, Any] = _NOTHING, hear: HearFor | None = None, pace: Pace | None = None
    ) -> None:
        self._instead, self._hear, self._pace = instead, hear, pace
        self._making = Lock()
        self._made: dict[bytes, ActivityHandlers] = {}

    def __call__(self, settings: Mapping[str, Any]) -> ActivityHandlers:
        wanted = {**settings, **self._instead}
        key = orjson.dumps(wanted, option=orjson.OPT_SORT_KEYS)
        with self._making:
            if key not in self._made:
                self._made[key] = activity_handlers(
                    model=wanted.get("model") or OFFLINE,
                    modules=wanted.get("handlers") or (),
                    simulated=bool(wanted.get("simulate")),
                    folder=Path(wanted["folder"]) if wanted.get("folder") else None,
                    hear=self._hear,
                    pace=self._pace,
                )
            return self._made[key]


class RuleSummaries:
    """Summaries by rule. They need a stemmer, which most runs never load."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        from governance.summaries.summary import summarise

        return summarise(value, query=query, limit=limit)
