"""The tables, and nothing else.

Times are fixed-width UTC timestamps, so that text order is time order. Hashes are 16 raw bytes. What is kept for good
and in great numbers is packed bytes, the rest is JSON text. An instance has a number, which its other rows carry in
place of its id. Tables of small rows are clustered by their key (WITHOUT ROWID); values are not, for they are long and
their keys random.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from sqlalchemy import BindParameter, Index, ScalarSelect, Table, Text, select, text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

SCHEMA_VERSION: Final = 16
"""The number of the last revision in `migrations`: every change of a table is one."""

_INSTANCE: Final = "gov_instance.number"
_CLUSTERED: Final[Any] = {"sqlite_with_rowid": False}


class Base(SQLModel, registry=registry()):
    """Our own registry: a host program may have SQLModel tables, too."""


class SchemaRow(Base, table=True):
    """One row: which version of these tables the database has."""

    __tablename__ = "gov_schema"
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})


class DefinitionRow(Base, table=True):
    __tablename__ = "gov_definition"
    hash: str = Field(primary_key=True)
    name: str
    file: str
    source: bytes
    """Packed."""
    body: bytes
    """Packed JSON."""


class InstanceRow(Base, table=True):
    __tablename__ = "gov_instance"
    __table_args__: ClassVar[Any] = (
        Index("gov_instance_by_time", "created_at", "id"),
        Index("gov_instance_by_status", "status", "created_at", "id"),
        Index(
            "gov_instance_by_due",
            "due",
            sqlite_where=text("due IS NOT NULL"),
        ),
        Index("gov_instance_by_definition", "definition"),
        Index(
            "gov_instance_by_tenant",
            "tenant",
            "due",
            "number",
            sqlite_where=text("due IS NOT NULL"),
        ),
    )
    number: int | None = Field(default=None, primary_key=True)
    id: str = Field(unique=True)
    definition: str = Field(foreign_key="gov_definition.hash")
    process: str
    status: str
    reason: str | None
    starter: str | None
    settings: str = Field(sa_type=Text)
    counters: str = Field(sa_type=Text)
    head: bytes | None
    due: str | None
    version: int
    epoch: int
    uncheckpointed: int
    created_at: str
    updated_at: str
    tenant: str = Field(default="", sa_column_kwargs={"server_default": ""})
    protocol: int = Field(default=1, sa_column_kwargs={"server_default": "1"})


class LiveRow(Base, table=True):
    """A scope or a task that is alive; changed in place."""

    __tablename__ = "gov_live"
    __table_args__: ClassVar[Any] = (
        Index(
            "gov_live_by_incident",
            "instance",
            "key",
            sqlite_where=text("incident = 1"),
        ),
        _CLUSTERED,
    )
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    key: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)
    incident: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """1: a task that has failed and waits for somebody."""


class PostRow(Base, table=True):
    """A message or signal that is on its way from one instance to another."""

    __tablename__ = "gov_post"
    __table_args__: ClassVar[Any] = (
        Index("gov_post_by_topic", "topic"),
        Index("gov_post_by_sender", "sender"),
        Index("gov_post_by_recipient", "recipient"),
        Index("gov_post_by_until", "until"),
        Index("gov_post_untried", "sender", sqlite_where=text("tried = 0")),
    )
    number: int | None = Field(default=None, primary_key=True)
    id: str = Field(unique=True)
    kind: str
    topic: str
    sender: str | None
    recipient: str | None
    until: str | None
    tried: int
    """0: thrown, and nobody has tried yet to deliver it."""
    body: str = Field(sa_type=Text)


class WaitingRow(Base, table=True):
    """An instance waits for a message or a signal."""

    __tablename__ = "gov_waiting"
    __table_args__: ClassVar[Any] = _CLUSTERED
    topic: str = Field(primary_key=True)
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)


class EventRow(Base, table=True):
    __tablename__ = "gov_event"
    __table_args__: ClassVar[Any] = _CLUSTERED
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    seq: int = Field(primary_key=True)
    at: str
    type: str
    element: str | None
    branch: str
    data: bytes
    """Packed JSON."""


class SealRow(Base, table=True):
    """An advance in the hash chain of the event log (`engine.evidence.chain`); `version` is the one that it made."""

    __tablename__ = "gov_seal"
    __table_args__: ClassVar[Any] = _CLUSTERED
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    version: int = Field(primary_key=True)
    first: int
    length: int
    salts: bytes
    links: bytes


class CauseRow(Base, table=True):
    """What an advance was made by (`engine.replay.cause`); `version` is the one that it made."""

    __tablename__ = "gov_cause"
    __table_args__: ClassVar[Any] = _CLUSTERED
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    version: int = Field(primary_key=True)
    at: str
    kind: str
    body: bytes
    """Packed JSON; values stand in it by hash."""


class SnapshotRow(Base, table=True):
    """A commit: what one step wrote, carried and shows. Those that are read together stand together."""

    __tablename__ = "gov_snapshot"
    __table_args__: ClassVar[Any] = (Index("gov_snapshot_by_id", "instance", "id", unique=True), _CLUSTERED)
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    generation: int = Field(primary_key=True)
    id: bytes = Field(primary_key=True)
    body: bytes
    """Packed JSON of `dump_commit`."""


class CheckpointRow(Base, table=True):
    """The whole contents of a snapshot, so that rebuilding them need not begin at the start."""

    __tablename__ = "gov_checkpoint"
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    snapshot: bytes = Field(primary_key=True)
    body: bytes
    """Packed JSON of `Contents.dump()`."""


class ValueRow(Base, table=True):
    """A JSON value by content address, shared by all instances."""

    __tablename__ = "gov_value"
    hash: bytes = Field(primary_key=True)
    body: bytes
    """Packed canonical JSON."""


class WorkItemRow(Base, table=True):
    __tablename__ = "gov_work_item"
    __table_args__: ClassVar[Any] = (
        Index("gov_work_item_by_status", "status", "created_at", "id"),
        Index("gov_work_item_by_instance", "instance", "status", "created_at", "id"),
    )
    id: str = Field(primary_key=True)
    instance: int = Field(foreign_key=_INSTANCE)
    status: str
    created_at: str
    body: str = Field(sa_type=Text)


class InterventionRow(Base, table=True):
    __tablename__ = "gov_intervention"
    __table_args__: ClassVar[Any] = (
        Index("gov_intervention_by_status", "status", "created_at", "id"),
        Index("gov_intervention_by_instance", "instance", "status", "created_at", "id"),
    )
    id: str = Field(primary_key=True)
    instance: int = Field(foreign_key=_INSTANCE)
    status: str
    created_at: str
    body: str = Field(sa_type=Text)


class JournalRow(Base, table=True):
    """A model's answer in a running activity; the only EPHEMERAL data ever stored, and not for long.

    No foreign key: with one, SQLite deletes row by row and would not wipe the pages (`rewrite_journal`).
    """

    __tablename__ = "gov_journal"
    instance: int = Field(primary_key=True)
    run: str = Field(primary_key=True)
    call: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class SpentRow(Base, table=True):
    """One row: what the model calls of all instances used."""

    __tablename__ = "gov_spent"
    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    tokens: int
    cost: float
    minutes: float


class RaiseRow(Base, table=True):
    """By what people raised the budget of all instances together; only added."""

    __tablename__ = "gov_raise"
    number: int | None = Field(default=None, primary_key=True)
    body: str = Field(sa_type=Text)


class TaintRow(Base, table=True):
    """A content (by hash) that came from outside to an instance, or derives from what did."""

    __tablename__ = "gov_taint"
    __table_args__: ClassVar[Any] = _CLUSTERED
    instance: int = Field(primary_key=True, foreign_key=_INSTANCE)
    hash: bytes = Field(primary_key=True)


def table(row: type[Base]) -> Table:
    """The table of a row class, for Core statements."""
    return Base.metadata.tables[str(row.__tablename__)]


def number_of(instance: str | BindParameter[str]) -> ScalarSelect[int]:
    """The number of the instance with this id, for use inside a statement; NULL if there is none."""
    instances = table(InstanceRow)
    return select(instances.c.number).where(instances.c.id == instance).scalar_subquery()
