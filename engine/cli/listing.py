"""`governor instances` and `governor show`."""

from __future__ import annotations

from typing import Any, Final

from engine.cli.exits import Exit
from engine.cli.hints import Hints
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.stored import names_of
from engine.cli.telling.eventlog import tell_events
from engine.cli.telling.outcome import LOOKS, Outcome
from engine.cli.telling.times import moment
from engine.cli.wiring import looking_at
from engine.events import Event
from engine.store.advance import InstanceRecord

_SHOWN: Final = ("id", "status", "reason", "process", "definition", "starter", "created_at", "updated_at", "settings")


def list_instances(db: str | None, status: str | None, limit: int, *, as_json: bool) -> None:
    """Print them, the newest first."""
    with looking_at(db) as governor:
        records = governor.store.instances(status=status, limit=limit)
    if as_json:
        print_json({"instances": [_record(record) for record in records]})
        return
    screen = output()
    if not records:
        screen.line("There are no instances" + (f" that are {status}." if status else " yet: governor run FILE"))
        return
    screen.table(
        ["instance", "status", "process", "started", "by", "last moved"],
        [
            [
                (record.id, Style.STRONG),
                (record.status, LOOKS.get(record.status, Style.STRONG)),
                record.process,
                moment(record.created_at),
                record.starter or "-",
                moment(record.updated_at),
            ]
            for record in records
        ],
        flexible=2,
    )
    if len(records) == limit:
        screen.line((f"There may be more than these {limit}: --limit", Style.DIM))


def show_instance(db: str | None, prefix: str, *, events: bool, masked: bool, as_json: bool) -> Exit:
    """Print what an instance came to so far; `masked`: without what is personal."""
    with looking_at(db, masked=masked) as governor:
        instance = governor.store.find_instance(prefix)
        record, result = governor.store.instance(instance), governor.result(instance)
        logged = governor.store.events(instance) if events else []
        names = names_of(governor, instance)
    if as_json:
        about = {name: value for name, value in _record(record).items() if name not in ("id", "status", "reason")}
        document = {**result.to_json(), **about}
        print_json({**document, "events": [_event(event) for event in logged]} if events else document)
        return Exit.DONE
    screen = output()
    Outcome(screen, names, Hints(db)).tell(result, names.process(record.process))
    life = f"started {moment(record.created_at)} by {record.starter or '-'}, last moved {moment(record.updated_at)}"
    screen.line((f"  {life}", Style.DIM))
    if events:
        screen.line()
        tell_events(screen, names, logged)
    return Exit.DONE


def _record(record: InstanceRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in _SHOWN}


def _event(event: Event) -> dict[str, Any]:
    return event._asdict()
