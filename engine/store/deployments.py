"""Versions of processes, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, func, select

from engine.store.access_tables import DeploymentRow
from engine.store.database import Database
from engine.store.errors import VersionOvertaken
from engine.store.tables import table

_DEPLOYMENT = table(DeploymentRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A process as it was deployed: `version` counts from 1, `definition` is the hash of what was deployed.

    `reason` says why it is right, and `seen` is the hash of the changes that were looked at, where that was asked for.
    """

    process: str
    version: int
    definition: str
    name: str
    file: str
    at: str
    by: str
    reason: str | None = None
    seen: str | None = None


class Deployments:
    """The table of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, deployed: Version, after: int | None = None) -> Version:
        """Keep one as the next version of its process; where it is the last one again, that stays it.

        With `after` (0: none) only if the last version still is that one. Raises VersionOvertaken.
        """
        last = select(_DEPLOYMENT).where(_DEPLOYMENT.c.process == deployed.process)

        def write(connection: Connection, again: bool) -> Version:
            self._database.dialect.alone(connection, "deployments")
            found = connection.execute(last.order_by(_DEPLOYMENT.c.version.desc()).limit(1)).one_or_none()
            last_number = 0 if found is None else found.version
            if again and found is not None and _version(found) == replace(deployed, version=last_number):
                return _version(found)
            if after is not None and after != last_number:
                raise VersionOvertaken(deployed.process, after, last_number)
            if found is not None and found.definition == deployed.definition:
                return _version(found)
            next = replace(deployed, version=last_number + 1)
            connection.execute(_DEPLOYMENT.insert(), asdict(next))
            return next

        return self._database.change_once(write)

    def latest(self) -> Sequence[Version]:
        """The last version of each process, by process."""
        numbers = select(_DEPLOYMENT.c.process, func.max(_DEPLOYMENT.c.version).label("version"))
        last = numbers.group_by(_DEPLOYMENT.c.process).subquery()
        joined = (_DEPLOYMENT.c.process == last.c.process) & (_DEPLOYMENT.c.version == last.c.version)
        statement = select(_DEPLOYMENT).join(last, joined).order_by(_DEPLOYMENT.c.process)
        return [_version(row) for row in self._database.rows(statement)]

    def of(self, process: str) -> Sequence[Version]:
        """All versions of a process, the newest first."""
        statement = select(_DEPLOYMENT).where(_DEPLOYMENT.c.process == process)
        return [_version(row) for row in self._database.rows(statement.order_by(_DEPLOYMENT.c.version.desc()))]

    def find(self, definition: str) -> Version | None:
        """The newest version that a definition is; None if it was not deployed as one."""
        statement = select(_DEPLOYMENT).where(_DEPLOYMENT.c.definition == definition)
        found = self._database.rows(statement.order_by(_DEPLOYMENT.c.version.desc()).limit(1))
        return _version(found[0]) if found else None


def _version(row: Row[Any]) -> Version:
    return Version(**row._mapping)
