"""Runs a worker, and lists those there are."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from typing import Any

from engine.cli.errors import BadOption
from engine.cli.exits import Exit
from engine.cli.output import print_json
from engine.cli.running import RunOptions
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.wiring import budget, on_a_server
from engine.distributed.errors import NeedsDbos, TakenForDead
from engine.models.rates import rate_of
from engine.store.database import Database
from engine.store.dispatch import DispatchTable
from engine.store.workers import WorkerTable


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """What the options say; `given` are those that `WorkerSettings` has by the same names."""

    db: str | None = None
    model: str | None = None
    handlers: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)


def work(options: WorkerOptions) -> Exit:
    """Be a worker until told to stop. Raises BadRate, NeedsDbos, NeedsPostgresql, StoreError."""
    rates = tuple(rate_of(each) for each in options.rates)
    if options.given["lease"] < 2 * options.given["beat"]:
        raise BadOption("--lease", str(options.given["lease"]), "give at least twice --beat")
    url = on_a_server(options.db)
    if find_spec("dbos") is None:
        raise NeedsDbos
    # Half a second of imports, which only a worker pays.
    from engine.distributed.settings import WorkerSettings
    from engine.distributed.worker import Worker

    instead = RunOptions(model=options.model, handlers=options.handlers).settings
    settings = WorkerSettings(**options.given, rates=rates, instead=instead)
    worker = Worker(url, settings, budget=budget(), tell=_tell, die=_die)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop())
    left = worker.run()
    if left:
        # What did not end in time would keep the program alive; others have it already.
        _leave(Exit.DONE)
    worker.close()
    return Exit.DONE


def show_workers(db: str | None, *, as_json: bool) -> None:
    """Who works, and what could not be moved. Raises NeedsPostgresql, StoreError."""
    database = Database(on_a_server(db), must_exist=True)
    try:
        found, table = WorkerTable(database).all(), DispatchTable(database)
        given_up, in_flight = table.given_up(), table.in_flight()
    finally:
        database.close()
    if as_json:
        rows = {"workers": [asdict(each) for each in found], "not_moved": [asdict(each) for each in given_up]}
        print_json({**rows, "in_flight": in_flight})
        return
    screen = output(plain=False)
    if not found:
        screen.line("No worker works on this database.")
    for each in found:
        state = "draining" if each.draining else "working"
        screen.line((each.id, Style.NAME), f"  {state}  {each.slots} slots  heartbeat {each.age:.0f} s ago")
    for lost in given_up:
        again = "left alone until somebody moves it" if lost.retry_in is None else f"again in {lost.retry_in:.0f} s"
        screen.line((lost.instance, Style.NAME), "  ", ("not moved", Style.BAD), f"  {lost.error}  ({again})")


def _tell(text: str) -> None:
    # That nobody listens any more is no reason to stop working.
    with suppress(OSError, ValueError):
        print(text, flush=True)


def _die(why: TakenForDead) -> None:
    """At once, whatever runs: others do it already."""
    try:
        os.write(2, f"governor: {why}\n".encode())
    finally:
        _leave(Exit.FAILED)


def _leave(code: Exit) -> None:
    os._exit(code)
