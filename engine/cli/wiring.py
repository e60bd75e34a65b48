"""The Governor that a command works with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

from engine.activities.work import HearFor
from engine.cli.errors import BadOption
from engine.distributed.errors import NeedsPostgresql
from engine.embedding import open_governor
from engine.events import Event
from engine.governor import Governor
from engine.store.errors import StoreUnavailable
from engine.store.ids import Ids
from engine.store.location import default_url
from governance.budgets import limits_of
from governance.policy import Limits

DATABASE: Final = "GOVERNOR_DB"
BUDGET: Final = "GOVERNOR_BUDGET"
DETACH: Final = "GOVERNOR_DETACH"
_NOTHING: Final[Mapping[str, Any]] = {}


@contextmanager
def governor_on(
    db: str | None = None,
    listener: Callable[[Event], None] | None = None,
    *,
    ids: Ids | None = None,
    instead: Mapping[str, Any] = _NOTHING,
    must_exist: bool = False,
    hear: HearFor | None = None,
    detached: bool = False,
) -> Iterator[Governor]:
    """A Governor that moves instances, for a `with` statement: on `db`, else on what GOVERNOR_DB says, else the user's.

    `instead` are settings that hold instead of those an instance was started with. If it `must_exist`, a database that
    is named is not made; the user's own is made at need. If `detached`, or GOVERNOR_DETACH says 1, its work is for
    workers. Raises StoreError, NeedsPostgresql.
    """
    detached = detached or os.environ.get(DETACH) == "1"
    if detached:
        on_a_server(db)
    governor = _open(db, must_exist, settings=instead, listener=listener, ids=ids, hear=hear, detached=detached)
    try:
        yield governor
    finally:
        # Who purges next does what cannot be done now, for another program writes or the disk is full.
        with suppress(StoreUnavailable):
            governor.close()


@contextmanager
def looking_at(db: str | None = None, *, masked: bool = False) -> Iterator[Governor]:
    """A Governor to look at instances with. It takes no lock that keeps others from writing.

    `masked`: without what policies call personal.
    """
    governor = _open(db, must_exist=True, masked=masked)
    try:
        yield governor
    finally:
        governor.store.close()


def on_a_server(db: str | None) -> str:
    """The URL of the database that workers share. Raises NeedsPostgresql."""
    url = db or os.environ.get(DATABASE) or default_url()
    if not url.startswith("postgres"):
        raise NeedsPostgresql(url.removeprefix("sqlite:///"))
    return url


def _open(db: str | None, must_exist: bool, **given: Any) -> Governor:
    named = db or os.environ.get(DATABASE)
    return open_governor(named, must_exist=must_exist and bool(named), budget=budget(), **given)


def budget() -> Limits:
    """What all instances of the database may use together. Raises BadOption."""
    text = os.environ.get(BUDGET, "")
    try:
        return limits_of(text)
    except ValueError as error:
        raise BadOption(BUDGET, text, str(error)) from error
