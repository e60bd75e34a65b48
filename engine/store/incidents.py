"""What has failed and waits for somebody, of all instances: read from their live rows, when somebody asks.

Looking costs the number of live rows; nothing is kept for it while instances move.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import func, select

from engine.store.advance import OpenIncident
from engine.store.database import Database
from engine.store.documents import load
from engine.store.tables import InstanceRow, LiveRow, table

_INSTANCE, _LIVE = table(InstanceRow), table(LiveRow)
_FAILED: Final = '%"phase":"incident"%'
_TASK: Final = "t%"
_CHILD: Final = " [child]"
"""Behind the name of one instance of a multi-instance activity."""


def open_incidents(database: Database, instance: str | None, limit: int | None) -> list[OpenIncident]:
    """The oldest instance first."""
    columns = _INSTANCE.c
    statement = (
        select(columns.id, columns.process, columns.status, _LIVE.c.body)
        .join(_LIVE, _LIVE.c.instance == columns.number)
        .where(_LIVE.c.body.like(_FAILED), _LIVE.c.key.like(_TASK))
        .order_by(columns.number, func.length(_LIVE.c.key), _LIVE.c.key)
        .limit(limit)
    )
    if instance is not None:
        statement = statement.where(columns.id == instance)
    rows = database.rows(statement)
    found = [_incident(id, process, status, load(body)) for id, process, status, body in rows]
    return [each for each in found if each is not None]


def _incident(id: str, process: str, status: str, row: Any) -> OpenIncident | None:
    _, spec, *_, token, run = row
    if not isinstance(run, dict) or run.get("phase") != "incident":
        return None
    return OpenIncident(
        instance=id,
        process=process,
        status=status,
        element=str(spec).removesuffix(_CHILD),
        branch="" if token is None else str(token[1]),
        error=str(run.get("error") or ""),
        kind=str(run.get("error_kind") or ""),
        since=str(run["started_at"]),
    )
