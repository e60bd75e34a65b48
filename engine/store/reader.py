"""Reads instances, their events and what waits for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    bindparam,
    func,
    select,
    tuple_,
)

from engine.events import Event
from engine.people.work_item import WorkItem
from engine.store.advance import RUNNING, InstanceRecord, Stand, StoredInstance
from engine.store.database import Database
from engine.store.documents import dump_time, load, load_event, load_time, load_work_item
from engine.store.errors import AmbiguousInstance, UnknownDefinition, UnknownInstance, UnknownTask
from engine.store.packing import unpack
from engine.store.tables import (
    DefinitionRow,
    EventRow,
    InstanceRow,
    InterventionRow,
    LiveRow,
    PostRow,
    SnapshotRow,
    TaintRow,
    WorkItemRow,
    number_of,
    table,
)
from governance.human_loop.intervention import Intervention

_INSTANCE, _EVENT, _LIVE = table(InstanceRow), table(EventRow), table(LiveRow)
_WORK_ITEM, _INTERVENTION, _DEFINITION = table(WorkItemRow), table(InterventionRow), table(DefinitionRow)
_TAINT, _POST, _SNAPSHOT = table(TaintRow), table(PostRow), table(SnapshotRow)

_CANDIDATES: Final = 5
_LAST: Final = "\U0010ffff"
"""Sorts after whatever an id may go on with."""


class Reader:
    """Queries, each by an index."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def definition(self, definition_hash: str) -> bytes:
        """Its JSON. Raises UnknownDefinition."""
        return self._of_definition(_DEFINITION.c.body, definition_hash)

    def definition_source(self, definition_hash: str) -> bytes:
        """The file it was read from. Raises UnknownDefinition."""
        return self._of_definition(_DEFINITION.c.source, definition_hash)

    def load(self, instance: str) -> StoredInstance:
        """All of it as of one moment. Raises UnknownInstance."""
        live = select(_LIVE.c.key, _LIVE.c.body).where(_LIVE.c.instance == number_of(instance))
        taints = select(_TAINT.c.hash).where(_TAINT.c.instance == number_of(instance))
        last = select(func.max(_EVENT.c.seq)).where(_EVENT.c.instance == number_of(instance))

        def read(connection: Connection) -> StoredInstance:
            def column(statement: Select[Any]) -> Sequence[Any]:
                return connection.execute(statement).scalars().all()

            return StoredInstance(
                instance=self._record(connection, instance),
                live={key: body.encode() for key, body in connection.execute(live)},
                work_items=_work_items(column(_listed(_WORK_ITEM, instance, "open", None))),
                interventions=_interventions(column(_listed(_INTERVENTION, instance, "open", None))),
                next_seq=_next(connection.execute(last).scalar()),
                taints=[each.hex() for each in column(taints)],
            )

        return self.database.look(read)

    def find_instance(self, prefix: str) -> str:
        """The instance with this id, else the only one whose id begins so.

        Raises UnknownInstance, AmbiguousInstance.
        """
        columns = _INSTANCE.c
        statement = select(columns.id).where(columns.id >= prefix, columns.id < prefix + _LAST)
        found: list[str] = self.database.column(statement.order_by(columns.id).limit(_CANDIDATES))
        if not found or not prefix:
            raise UnknownInstance(prefix, self.database.name)
        if len(found) > 1 and found[0] != prefix:
            raise AmbiguousInstance(prefix, found)
        return found[0]

    def instance(self, instance: str) -> InstanceRecord:
        """Its row alone. Raises UnknownInstance."""
        return self.database.glance(lambda connection: self._record(connection, instance))

    def stands(self, instances: Collection[str]) -> dict[str, Stand]:
        """Definition and version of each; an instance that is not there is absent."""
        columns = _INSTANCE.c
        statement = select(columns.id, columns.definition, columns.epoch, columns.version)
        rows = self.database.rows(statement.where(columns.id.in_(list(instances))))
        return {row.id: Stand(row.definition, row.epoch, row.version) for row in rows}

    def instances(
        self,
        *,
        status: str | None = None,
        process: str | None = None,
        definition: str | None = None,
        before: InstanceRecord | None = None,
        limit: int = 50,
    ) -> list[InstanceRecord]:
        """Newest first; `before` is the last one of the page before."""
        columns = _INSTANCE.c
        statement = select(_INSTANCE).order_by(columns.created_at.desc(), columns.id.desc()).limit(limit)
        wanted = {columns.status: status, columns.process: process, columns.definition: definition}
        for column, value in wanted.items():
            if value is not None:
                statement = statement.where(column == value)
        if before is not None:
            statement = statement.where(tuple_(columns.created_at, columns.id) < (before.created_at, before.id))
        return [_record(row) for row in self.database.rows(statement)]

    def due_instances(self, now: datetime, limit: int = 50) -> list[str]:
        """Ids of instances whose next timer is due, longest due first; and of those whose program died before it
        delivered what they had thrown. One that runs is its program's, which delivers when it waits."""
        columns = _INSTANCE.c
        statement = select(columns.id).where(columns.due <= dump_time(now)).order_by(columns.due).limit(limit)
        due = self.database.column(statement)
        thrown = select(_POST.c.sender).where(_POST.c.tried == 0)
        left = select(columns.id).where(columns.id.in_(thrown), columns.status != RUNNING).limit(limit)
        return list(dict.fromkeys([*due, *self.database.column(left)]))[:limit]

    def events(
        self,
        instance: str,
        *,
        after: int = -1,
        types: Collection[str] | None = None,
        element: str | None = None,
        limit: int | None = None,
    ) -> list[Event]:
        """In order, those numbered higher than `after`."""
        if after == -1 and types is None and element is None and limit is None:
            return [load_event(*row) for row in self.database.ask(_ALL_EVENTS, {"of_id": instance})]
        columns = _EVENT.c
        statement = _EVENTS.where(columns.instance == number_of(instance), columns.seq > after)
        if types is not None:
            statement = statement.where(columns.type.in_([str(each) for each in types]))
        if element is not None:
            statement = statement.where(columns.element == element)
        return [load_event(*row) for row in self.database.rows(statement.order_by(columns.seq).limit(limit))]

    def snapshots(self, instance: str) -> list[str]:
        """Ids of its snapshots, parents before children."""
        columns = _SNAPSHOT.c
        statement = select(columns.id).where(columns.instance == number_of(instance))
        found = self.database.column(statement.order_by(columns.generation, columns.id))
        return [each.hex() for each in found]

    def work_items(
        self,
        *,
        instance: str | None = None,
        status: str | None = "open",
        process: str | None = None,
        after: tuple[str, str] | None = None,
        limit: int | None = None,
    ) -> list[WorkItem]:
        """Oldest first; `status` None: all. `after`: when the last one on the page before was made, and its id."""
        return _work_items(self.database.column(_listed(_WORK_ITEM, instance, status, limit, process, after)))

    def work_item(self, id: str) -> WorkItem:
        """Raises UnknownTask."""
        return load_work_item(self._body(_WORK_ITEM, id, "work item"))

    def interventions(
        self,
        *,
        instance: str | None = None,
        status: str | None = "open",
        process: str | None = None,
        after: tuple[str, str] | None = None,
        limit: int | None = None,
    ) -> list[Intervention]:
        """Oldest first; `status` None: all. `after` as of work items."""
        if instance is not None and status is None and process is None and after is None and limit is None:
            return _interventions(body for (body,) in self.database.ask(_ALL_ASKED, {"of_id": instance}))
        return _interventions(self.database.column(_listed(_INTERVENTION, instance, status, limit, process, after)))

    def open_for_people(self) -> int:
        """How many work items and interventions are open."""
        counts = (select(func.count()).where(each.c.status == "open") for each in (_WORK_ITEM, _INTERVENTION))
        return sum(self.database.cell(count) for count in counts)

    def intervention(self, id: str) -> Intervention:
        """Raises UnknownTask."""
        return Intervention.model_validate_json(self._body(_INTERVENTION, id, "intervention"))

    def _of_definition(self, column: ColumnElement[Any], definition_hash: str) -> bytes:
        found = self.database.cell(select(column).where(_DEFINITION.c.hash == definition_hash))
        if found is None:
            raise UnknownDefinition(definition_hash, self.database.name)
        return unpack(found)

    def _body(self, listed: Table, id: str, kind: str) -> str:
        found = self.database.cell(select(listed.c.body).where(listed.c.id == id))
        if found is None:
            raise UnknownTask(kind, id, self.database.name)
        body: str = found
        return body

    def _record(self, connection: Connection, instance: str) -> InstanceRecord:
        found = connection.execute(select(_INSTANCE).where(_INSTANCE.c.id == instance)).one_or_none()
        if found is None:
            raise UnknownInstance(instance, self.database.name)
        return _record(found)


def _record(row: Row[Any]) -> InstanceRecord:
    fields = {
        **{name: value for name, value in row._mapping.items() if name != "number"},
        "settings": load(row.settings),
        "counters": load(row.counters),
        "head": None if row.head is None else row.head.hex(),
        "due": load_time(row.due),
    }
    return InstanceRecord(**fields)


def _next(last: int | None) -> int:
    return 0 if last is None else last + 1


def _listed(
    listed: Table,
    instance: str | BindParameter[str] | None,
    status: str | None,
    limit: int | None,
    process: str | None = None,
    after: tuple[str, str] | None = None,
) -> Select[Any]:
    """Bodies of work items or interventions, oldest first."""
    columns = listed.c
    statement = select(columns.body).order_by(columns.created_at, columns.id).limit(limit)
    if instance is not None:
        statement = statement.where(columns.instance == number_of(instance))
    if process is not None:
        statement = statement.join(_INSTANCE, _INSTANCE.c.number == columns.instance)
        statement = statement.where(_INSTANCE.c.process == process)
    if after is not None:
        statement = statement.where(tuple_(columns.created_at, columns.id) > after)
    return statement if status is None else statement.where(columns.status == status)


def _work_items(bodies: Iterable[str]) -> list[WorkItem]:
    return [load_work_item(body) for body in bodies]


_OF: Final[BindParameter[str]] = bindparam("of_id")
_EVENTS: Final = select(_EVENT.c.seq, _EVENT.c.at, _EVENT.c.type, _EVENT.c.element, _EVENT.c.branch, _EVENT.c.data)
_ALL_EVENTS: Final = _EVENTS.where(_EVENT.c.instance == number_of(_OF)).order_by(_EVENT.c.seq)
_ALL_ASKED: Final = _listed(_INTERVENTION, _OF, None, None)


def _interventions(bodies: Iterable[str]) -> list[Intervention]:
    return [Intervention.model_validate_json(body) for body in bodies]
