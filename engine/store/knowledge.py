"""Items of knowledge in the database: they outlive instances, and are changed but never deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, func, select

from engine.store.database import Database
from engine.store.documents import dump, load
from engine.store.experience_tables import KnowledgeRow, KnowledgeSourceRow
from engine.store.tables import table
from governance.flywheel.item import KnowledgeItem

_ITEM, _SOURCE = table(KnowledgeRow), table(KnowledgeSourceRow)


class KnowledgeWriter:
    """Writes items in the caller's transaction, of which one at a time comes this far: changes are numbered in the
    order of commits, so that who follows them misses none."""

    def __init__(self, database: Database) -> None:
        self._dialect, self._put = database.dialect, database.dialect.upsert(_ITEM)

    def write(self, connection: Connection, items: Sequence[KnowledgeItem]) -> None:
        if not items:
            return
        self._dialect.alone(connection, "knowledge")
        last = connection.execute(select(func.coalesce(func.max(_ITEM.c.change), 0))).scalar_one()
        rows = [
            {"id": item.id, "change": last + number, "source": item.provenance.source, "body": dump(item.dump())}
            for number, item in enumerate(items, 1)
        ]
        connection.execute(self._put, rows)


class KnowledgeTable:
    """Reads items, and writes those that no advance of an instance changes."""

    def __init__(self, database: Database) -> None:
        self._database, self._writer = database, KnowledgeWriter(database)
        self._put_source = database.dialect.upsert(_SOURCE)

    def since(self, change: int) -> tuple[int, list[KnowledgeItem]]:
        """Items changed after this number, and the number of the last change. Cost: those items."""
        statement = select(_ITEM.c.change, _ITEM.c.body).where(_ITEM.c.change > change).order_by(_ITEM.c.change)
        rows = self._database.rows(statement)
        return (rows[-1].change if rows else change), [KnowledgeItem.load(load(row.body)) for row in rows]

    def find(self, prefix: str, limit: int = 5) -> list[KnowledgeItem]:
        """Items whose id begins so, by id."""
        statement = select(_ITEM.c.body).where(_ITEM.c.id >= prefix, _ITEM.c.id < prefix + "\U0010ffff")
        found = self._database.column(statement.order_by(_ITEM.c.id).limit(limit))
        return [KnowledgeItem.load(load(body)) for body in found]

    def of_source(self, source: str) -> list[KnowledgeItem]:
        """All items taken from a source, out of use or not."""
        statement = select(_ITEM.c.body).where(_ITEM.c.source == source).order_by(_ITEM.c.id)
        return [KnowledgeItem.load(load(body)) for body in self._database.column(statement)]

    def put(self, items: Iterable[KnowledgeItem], sources: Mapping[str, str] | None = None) -> None:
        """Keep items, and which state (digest) of their sources they were taken from, in one transaction."""
        kept = list(items)

        def write(connection: Connection, again: bool) -> None:
            if again and kept and self._has(connection, kept):
                return
            self._writer.write(connection, kept)
            if sources:
                rows = [{"source": source, "digest": digest} for source, digest in sources.items()]
                connection.execute(self._put_source, rows)

        self._database.change_once(write)

    def _has(self, connection: Connection, items: Sequence[KnowledgeItem]) -> bool:
        """Whether they are here as they are."""
        bodies = select(_ITEM.c.id, _ITEM.c.body).where(_ITEM.c.id.in_([item.id for item in items]))
        found = {row.id: row.body for row in connection.execute(bodies)}
        return found == {item.id: dump(item.dump()) for item in items}

    def sources(self) -> dict[str, str]:
        """The digest of each document when items were taken from it last."""
        return {row.source: row.digest for row in self._database.rows(select(_SOURCE))}
