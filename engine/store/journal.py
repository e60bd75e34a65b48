"""Answers of models, kept before they are used (Design: a model call's result is journaled)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from engine.store.advance import ENDED
from engine.store.database import Database
from engine.store.documents import dump, load
from engine.store.errors import UnknownInstance, VersionConflict
from engine.store.tables import InstanceRow, JournalRow, number_of, table

_INSTANCE, _JOURNAL = table(InstanceRow), table(JournalRow)


class InstanceJournal:
    """The journal of one instance, for who loaded it in an `epoch` (None: any). May be used from any thread."""

    def __init__(self, database: Database, instance: str, epoch: int | None = None) -> None:
        self._database, self._instance, self._epoch = database, instance, epoch

    def get(self, run: str, call: str) -> dict[str, Any] | None:
        columns = _JOURNAL.c
        statement = select(columns.body).where(
            columns.instance == number_of(self._instance), columns.run == run, columns.call == call
        )
        body = self._database.cell(statement)
        answer: dict[str, Any] | None = None if body is None else load(body)
        return answer

    def put(self, run: str, call: str, answer: Mapping[str, Any]) -> None:
        """Keep an answer, durably on return. The first one for a call stays.

        An answer that comes after the instance has ended is not kept: nothing would purge it any more.
        Raises UnknownInstance, NotJson, VersionConflict in another epoch than ours: somebody else does this now.
        """
        body = dump(answer)
        columns = _INSTANCE.c
        # The row is held until the answer is there: an advance that completes the instance purges it, or comes before.
        statement = select(columns.number, columns.status, columns.version, columns.epoch).with_for_update(read=True)
        statement = statement.where(columns.id == self._instance)

        def write(connection: Connection) -> None:
            found = connection.execute(statement).one_or_none()
            if found is None:
                raise UnknownInstance(self._instance, self._database.name)
            if self._epoch not in (None, found.epoch):
                ours = (found.version, self._epoch or 0)
                raise VersionConflict(self._instance, ours, (found.version, found.epoch))
            if found.status not in ENDED:
                add = self._database.dialect.insert_or_ignore(_JOURNAL)
                connection.execute(add, {"instance": found.number, "run": run, "call": call, "body": body})

        self._database.change(write)
