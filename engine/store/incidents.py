"""What has failed and waits for somebody, of all instances: its live rows are marked, and are found by an index.

Cost: as many rows as are asked for, however many instances there are.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import func, select, tuple_

from engine.store.advance import OpenIncident
from engine.store.database import Database
from engine.store.documents import load
from engine.store.errors import UnknownInstance
from engine.store.tables import InstanceRow, LiveRow, number_of, table

_INSTANCE, _LIVE = table(InstanceRow), table(LiveRow)
_SAYS_SO: Final = b'"phase":"incident"'
_TASK: Final = "t"
_CHILD: Final = " [child]"
"""Behind the name of one instance of a multi-instance activity."""


def is_incident(key: str, body: bytes) -> bool:
    """Whether a live row is that of a task which has failed. Nearly all are told by a look for a few bytes."""
    return _SAYS_SO in body and key.startswith(_TASK) and _phase(load(body)) == "incident"


def open_incidents(
    database: Database, instance: str | None, limit: int | None, after: tuple[str, str] | None = None
) -> list[OpenIncident]:
    """The oldest instance first; `after` is (instance, task) of the last one on the page before.

    Raises UnknownInstance where the instance of `after` is no more.
    """
    columns, live = _INSTANCE.c, _LIVE.c
    place = (live.instance, func.length(live.key), live.key)
    statement = (
        select(columns.id, columns.process, columns.status, live.key, live.body)
        .join(_LIVE, live.instance == columns.number)
        .where(live.incident == 1)
        .order_by(*place)
        .limit(limit)
    )
    if instance is not None:
        statement = statement.where(live.instance == number_of(instance))
    if after is not None:
        number, key = database.cell(select(columns.number).where(columns.id == after[0])), after[1]
        if number is None:
            raise UnknownInstance(after[0], database.name)
        behind = tuple_(*place) > tuple_(number, len(key), key)
        statement = statement.where(live.instance >= number, behind)
    return [_incident(*row) for row in database.rows(statement)]


def _incident(id: str, process: str, status: str, key: str, body: str) -> OpenIncident:
    row = load(body)
    _, spec, *_, token, run = row
    return OpenIncident(
        instance=id,
        process=process,
        status=status,
        task=key,
        element=str(spec).removesuffix(_CHILD),
        branch="" if token is None else str(token[1]),
        error=str(run.get("error") or ""),
        kind=str(run.get("error_kind") or ""),
        since=str(run["started_at"]),
    )


def _phase(row: Any) -> Any:
    run = row[-1]
    return run.get("phase") if isinstance(run, dict) else None
