"""Writes one advance, in the caller's transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, Connection, Update, bindparam, delete, select, update
from sqlalchemy.exc import IntegrityError

from engine.evidence.chain import Seal, bind
from engine.store.advance import ENDED, Advance
from engine.store.advance_rows import (
    checkpoint_rows,
    commit_rows,
    event_rows,
    intervention_json,
    listed,
    live_rows,
    state_row,
    value_rows,
)
from engine.store.causes import cause_rows
from engine.store.database import Database
from engine.store.dead_ends import FactWriter
from engine.store.documents import dump_work_item
from engine.store.errors import ContradictoryAdvance, UnknownInstance, VersionConflict
from engine.store.experience import ExperienceWriter
from engine.store.knowledge import KnowledgeWriter
from engine.store.known import Held, StaleKnowledge
from engine.store.plain import Driver, Plain, Row
from engine.store.posts import PostWriter
from engine.store.seals import instance_and_seal, next_seal
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
from governance.budgets import NOTHING

_INSTANCE, _LIVE, _JOURNAL, _SEAL = table(InstanceRow), table(LiveRow), table(JournalRow), table(SealRow)


class AdvanceWriter:
    """The statements of an advance; made once, since making one costs as much as executing it."""

    def __init__(self, database: Database) -> None:
        dialect, self._database_name = database.dialect, database.name
        self._together = dialect.together
        self._held, self._held_by_us = instance_and_seal(), instance_and_seal(hold=True)
        self._knowledge = KnowledgeWriter(database)
        self._taints = TaintWriter(dialect)
        self._migrate = _migration()
        self._dead_ends = FactWriter(dialect)
        self._posts = PostWriter(database)
        self._experience, self._spent = ExperienceWriter(dialect), SpentWriter(dialect)
        self._rows = RowWriter(database)

    def write(
        self, connection: Connection, advance: Advance, salt: bytes, held: Held | None = None, *, sure: bool = False
    ) -> Held:
        """How the instance stands then. `salt` is the advance's own, `held` how it stood, where that is known; where it
        is not `sure` that it still does so, StaleKnowledge says that it does not.

        Raises VersionConflict, UnknownInstance, ContradictoryAdvance.
        """
        sure, more = sure or held is None, not says_little(advance)
        held = held or self._asked(connection, advance)
        made = Held(held.number, advance.version + 1, advance.epoch, next_seal(advance, held.seal, salt))
        try:
            with self._together(connection) as driver:
                claim = self._rows.claim(driver, made.number, advance)
                if not more:
                    self._rows.write(driver, made, advance)
            if claim.rowcount != 1:
                raise self._conflict(connection, advance) if sure else StaleKnowledge
            if more:
                self._write_more(connection, made.number, advance)
                with self._together(connection) as driver:
                    self._rows.write(driver, made, advance)
        except IntegrityError as error:
            if not sure:
                raise StaleKnowledge from error
            raise ContradictoryAdvance(advance.instance, str(error.orig)) from error
        return made

    def claim(self, driver: Driver, advance: Advance, salt: bytes, held: Held) -> Held:
        """The same for an advance that `says_little`, in a transaction that is kept only if the instance still stands
        as it is `held`.
        """
        made = Held(held.number, advance.version + 1, advance.epoch, next_seal(advance, held.seal, salt))
        self._rows.claim(driver, made.number, advance)
        self._rows.write(driver, made, advance)
        return made

    def is_there(self, connection: Connection, instance: str, advance: Advance | None, salt: bytes) -> bool:
        """Whether the advance with this salt was committed; None: whether the instance was made."""
        held = connection.execute(self._held, {"of_id": instance}).one_or_none()
        if held is None or advance is None:
            return held is not None
        version = advance.version + 1
        found = select(_SEAL.c.salts).where(_SEAL.c.instance == held.number, _SEAL.c.version == version)
        return connection.execute(found).scalar() == bind(salt, version, advance.at, advance.cause)

    def _write_more(self, connection: Connection, number: int, advance: Advance) -> None:
        """What few advances have, and what has to be asked for while it is written."""
        for row in _migration_rows(number, advance):
            connection.execute(self._migrate, row)
        self._posts.take(connection, advance.instance, advance.version, advance.taken)
        on, off = advance.waiting_on, advance.waiting_off
        self._posts.write(connection, number, posts=advance.posts, on=on, off=off)
        self._knowledge.write(connection, advance.knowledge)
        self._dead_ends.write(connection, advance.dead_ends)
        self._taints.write(connection, number, advance)
        self._spent.write(connection, advance.spent)
        add_raises(connection, advance.raises)
        self._experience.write(connection, advance.experiences, advance.skills)

    def _asked(self, connection: Connection, advance: Advance) -> Held:
        """How the instance stands until we are done."""
        row = connection.execute(self._held_by_us, {"of_id": advance.instance}).one_or_none()
        if row is None:
            raise UnknownInstance(advance.instance, self._database_name)
        if (row.version, row.epoch) != (advance.version, advance.epoch):
            raise VersionConflict(advance.instance, (advance.version, advance.epoch), (row.version, row.epoch))
        seal = None if row.links is None else Seal(row.version, *row[3:])
        return Held(row.number, row.version, row.epoch, seal)

    def _conflict(self, connection: Connection, advance: Advance) -> VersionConflict:
        row = connection.execute(self._held, {"of_id": advance.instance}).one()
        return VersionConflict(advance.instance, (advance.version, advance.epoch), (row.version, row.epoch))


class RowWriter:
    """What every advance has: rows that are written without a look at what is there."""

    def __init__(self, database: Database) -> None:
        dialect, sql = database.dialect, database.connections.dialect
        self._claim = Plain(_claim(), sql)
        self._add_values = Plain(dialect.insert_or_ignore(table(ValueRow)), sql)
        self._add_commits = Plain(dialect.insert_or_ignore(table(SnapshotRow)), sql)
        self._add_checkpoint = Plain(dialect.insert_or_ignore(table(CheckpointRow)), sql)
        self._add_events = Plain(table(EventRow).insert(), sql)
        self._add_seal, self._add_cause = Plain(_SEAL.insert(), sql), Plain(table(CauseRow).insert(), sql)
        self._put_live = Plain(dialect.upsert(_LIVE), sql)
        self._put_work_items = Plain(dialect.upsert(table(WorkItemRow)), sql)
        self._put_interventions = Plain(dialect.upsert(table(InterventionRow)), sql)
        of_instance: BindParameter[int] = bindparam("of_instance")
        drop = delete(_LIVE).where(_LIVE.c.instance == of_instance, _LIVE.c.key == bindparam("of_key"))
        purge = delete(_JOURNAL).where(_JOURNAL.c.instance == of_instance)
        self._drop_live, self._purge = Plain(drop, sql), Plain(purge, sql)
        self._purge_run = Plain(purge.where(_JOURNAL.c.run == bindparam("of_run")), sql)

    def claim(self, driver: Driver, number: int, advance: Advance) -> Any:
        """The compare-and-set; it changed one row, or the instance is not as the advance takes it to be."""
        return driver.run(self._claim, [{"of_instance": number, "of_id": advance.instance, **state_row(advance)}])

    def write(self, driver: Driver, made: Held, advance: Advance) -> None:
        run, number = driver.run, made.number
        assert made.seal is not None
        run(self._add_values, value_rows(advance))
        run(self._add_commits, commit_rows(number, advance))
        run(self._add_checkpoint, checkpoint_rows(number, advance))
        run(self._add_events, event_rows(number, advance))
        run(self._add_seal, [{"instance": number, **made.seal._asdict()}])
        run(self._add_cause, cause_rows(number, advance))
        run(self._put_live, live_rows(number, advance))
        run(self._drop_live, [{"of_instance": number, "of_key": key} for key in advance.live_deletes])
        run(self._put_work_items, [listed(number, each, dump_work_item(each)) for each in advance.work_items])
        run(self._put_interventions, [listed(number, each, intervention_json(each)) for each in advance.interventions])
        if advance.status in ENDED:
            run(self._purge, [{"of_instance": number}])
        else:
            run(self._purge_run, [{"of_instance": number, "of_run": each} for each in advance.journal_purge])


def says_little(advance: Advance) -> bool:
    """Whether it writes no more than most do."""
    rest = (
        advance.definition, advance.taken, advance.posts, advance.waiting_on, advance.waiting_off, advance.knowledge,
        advance.dead_ends, advance.taints, advance.untaints, advance.raises, advance.experiences, advance.skills,
    )  # fmt: skip
    return not any(rest) and advance.spent == NOTHING


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
            columns.id == bindparam("of_id"),
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
