"""Writes one advance, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Executable, Update, bindparam, delete, select, update

from engine.evidence.chain import Seal
from engine.people.work_item import WorkItem
from engine.store.advance import ENDED, Advance
from engine.store.causes import cause_rows
from engine.store.checkpoints import entries_held, entries_in
from engine.store.database import Database
from engine.store.dead_ends import FactWriter
from engine.store.documents import dump, dump_bytes, dump_time, dump_work_item
from engine.store.errors import UnknownInstance, VersionConflict
from engine.store.experience import ExperienceWriter
from engine.store.knowledge import KnowledgeWriter
from engine.store.packing import pack
from engine.store.posts import PostWriter
from engine.store.seals import instance_and_seal, seal_row
from engine.store.spending import SpentWriter, add_raises
from engine.store.tables import (
    CauseRow,
    CheckpointRow,
    EventRow,
    InstanceRow,
    InterventionRow,
    JournalRow,
    LiveRow,
    SealRow,
    SnapshotRow,
    ValueRow,
    WorkItemRow,
    table,
)
from engine.store.taints import TaintWriter
from governance.human_loop.intervention import Intervention
from governance.snapshots.commits import dump_commit

_INSTANCE, _LIVE, _JOURNAL, _SEAL = table(InstanceRow), table(LiveRow), table(JournalRow), table(SealRow)

_NO_CHARACTER = "\ufffd"
"""Stands for NUL, which no text of PostgreSQL may hold, in what a failed handler says."""

Row = Mapping[str, Any]


class AdvanceWriter:
    """The statements of an advance; made once, since making one costs as much as executing it."""

    def __init__(self, database: Database) -> None:
        dialect, self._database_name = database.dialect, database.name
        self._together = dialect.together
        self._claim, self._held = _claim(), instance_and_seal()
        self._knowledge = KnowledgeWriter(database)
        self._add_values = dialect.insert_or_ignore(table(ValueRow))
        self._add_commits = dialect.insert_or_ignore(table(SnapshotRow))
        self._add_checkpoint = dialect.insert_or_ignore(table(CheckpointRow))
        self._taints = TaintWriter(dialect)
        self._add_events = table(EventRow).insert()
        self._migrate = _migration()
        self._put_live = dialect.upsert(_LIVE)
        self._put_work_items = dialect.upsert(table(WorkItemRow))
        self._put_interventions = dialect.upsert(table(InterventionRow))
        self._dead_ends = FactWriter(dialect)
        self._posts = PostWriter(database)
        self._add_seal = table(SealRow).insert()
        self._add_cause = table(CauseRow).insert()
        self._experience, self._spent = ExperienceWriter(dialect), SpentWriter(dialect)
        self._drop_live = delete(_LIVE).where(
            _LIVE.c.instance == bindparam("of_instance"), _LIVE.c.key == bindparam("of_key")
        )
        self._purge = delete(_JOURNAL).where(_JOURNAL.c.instance == bindparam("of_instance"))
        self._purge_run = self._purge.where(_JOURNAL.c.run == bindparam("of_run"))

    def write(self, connection: Connection, advance: Advance, salt: bytes) -> int:
        """The instance's new version. `salt` is the advance's own. Raises VersionConflict or UnknownInstance."""

        def execute(statement: Executable, rows: Sequence[Row]) -> None:
            if rows:
                connection.execute(statement, rows if len(rows) > 1 else rows[0])

        number, sealed = self._claimed(connection, advance)
        execute(self._migrate, _migration_rows(number, advance))
        self._posts.take(connection, advance.instance, advance.version, advance.taken)
        on, off = advance.waiting_on, advance.waiting_off
        self._posts.write(connection, number, posts=advance.posts, on=on, off=off)
        self._knowledge.write(connection, advance.knowledge)
        self._dead_ends.write(connection, advance.dead_ends)
        self._taints.write(connection, number, advance)
        self._spent.write(connection, advance.spent)
        add_raises(connection, advance.raises)
        self._experience.write(connection, advance.experiences, advance.skills)
        with self._together(connection):
            execute(self._add_values, _value_rows(advance))
            execute(self._add_commits, _commit_rows(number, advance))
            execute(self._add_checkpoint, _checkpoint_rows(number, advance))
            execute(self._add_events, _event_rows(number, advance))
            execute(self._add_seal, [seal_row(number, advance, sealed, salt)])
            execute(self._add_cause, cause_rows(number, advance))
            execute(self._put_live, _live_rows(number, advance))
            execute(self._drop_live, [{"of_instance": number, "of_key": key} for key in advance.live_deletes])
            execute(self._put_work_items, [_listed(number, each, dump_work_item(each)) for each in advance.work_items])
            execute(self._put_interventions, [_listed(number, each, _json(each)) for each in advance.interventions])
            if advance.status in ENDED:
                execute(self._purge, [{"of_instance": number}])
            else:
                execute(self._purge_run, [{"of_instance": number, "of_run": run} for run in advance.journal_purge])
        return advance.version + 1

    def is_there(self, connection: Connection, instance: str, version: int, salt: bytes) -> bool:
        """Whether the advance with this salt was the one that brought the instance to a version; 0: it was made."""
        held = connection.execute(self._held, {"of_id": instance}).one_or_none()
        if held is None or version == 0:
            return held is not None
        found = select(_SEAL.c.salts).where(_SEAL.c.instance == held.number, _SEAL.c.version == version)
        return bool(connection.execute(found).scalar() == salt)

    def _claimed(self, connection: Connection, advance: Advance) -> tuple[int, Seal | None]:
        """The instance's number and its last seal, after the compare-and-set of its row."""
        held = connection.execute(self._held, {"of_id": advance.instance}).one_or_none()
        if held is None:
            raise UnknownInstance(advance.instance, self._database_name)
        number: int = held.number
        if connection.execute(self._claim, {"of_instance": number, **_state(advance)}).rowcount != 1:
            held = connection.execute(self._held, {"of_id": advance.instance}).one()
            raise VersionConflict(advance.instance, (advance.version, advance.epoch), (held.version, held.epoch))
        return number, None if held.links is None else Seal(held.version, *held[3:])


def _migration() -> Update:
    """Another definition, from now on."""
    columns = _INSTANCE.c
    put: dict[str, Any] = {"definition": bindparam("to_definition"), "process": bindparam("to_process")}
    return update(_INSTANCE).where(columns.number == bindparam("of_instance")).values(put)


def _migration_rows(number: int, advance: Advance) -> list[Row]:
    if advance.definition is None:
        return []
    hash, process = advance.definition
    return [{"of_instance": number, "to_definition": hash, "to_process": process}]


def _claim() -> Update:
    """The compare-and-set: whoever loaded another version, or lost the instance to another worker, changes no row."""
    columns = _INSTANCE.c
    return (
        update(_INSTANCE)
        .where(
            columns.number == bindparam("of_instance"),
            columns.version == bindparam("of_version"),
            columns.epoch == bindparam("of_epoch"),
        )
        .values(
            version=columns.version + 1,
            status=bindparam("status"),
            reason=bindparam("reason"),
            head=bindparam("head"),
            due=bindparam("due"),
            counters=bindparam("counters"),
            updated_at=bindparam("updated_at"),
            protocol=bindparam("protocol"),
            uncheckpointed=columns.uncheckpointed * bindparam("kept") + bindparam("counted"),
        )
    )


def _state(advance: Advance) -> Row:
    checkpoint = advance.checkpoint
    return {
        "of_version": advance.version,
        "of_epoch": advance.epoch,
        "status": str(advance.status),
        "reason": None if advance.reason is None else advance.reason.replace("\x00", _NO_CHARACTER),
        "head": None if advance.head is None else bytes.fromhex(advance.head),
        "due": dump_time(advance.due),
        "counters": dump(advance.counters),
        "updated_at": advance.at,
        "protocol": advance.protocol,
        "kept": 1 if checkpoint is None else 0,
        "counted": entries_in(advance.commits) if checkpoint is None else -entries_held(checkpoint[1]),
    }


def _value_rows(advance: Advance) -> list[Row]:
    """In one order for all, so that two transactions with the same values do not wait for each other."""
    return [{"hash": bytes.fromhex(value_hash), "body": pack(body)} for value_hash, body in sorted(advance.values)]


def _commit_rows(number: int, advance: Advance) -> list[Row]:
    return [
        {
            "instance": number,
            "generation": commit.generation,
            "id": bytes.fromhex(commit.id),
            "body": pack(dump_commit(commit)),
        }
        for commit in advance.commits
    ]


def _checkpoint_rows(number: int, advance: Advance) -> list[Row]:
    if advance.checkpoint is None:
        return []
    snapshot, contents = advance.checkpoint
    return [{"instance": number, "snapshot": bytes.fromhex(snapshot), "body": pack(dump_bytes(contents))}]


def _event_rows(number: int, advance: Advance) -> list[Row]:
    return [
        {
            "instance": number,
            "seq": event.seq,
            "at": event.at,
            "type": event.type.value,
            "element": event.element,
            "branch": event.branch,
            "data": pack(dump_bytes(event.data)),
        }
        for event in advance.events
    ]


def _live_rows(number: int, advance: Advance) -> list[Row]:
    return [{"instance": number, "key": key, "body": body.decode()} for key, body in advance.live_upserts]


def _json(intervention: Intervention) -> str:
    return intervention.model_dump_json(exclude_defaults=True)


def _listed(number: int, record: WorkItem | Intervention, body: str) -> Row:
    """What lists are made of is in columns; the record is in the body."""
    return {
        "id": record.id,
        "instance": number,
        "status": record.status,
        "created_at": record.created_at,
        "body": body,
    }
