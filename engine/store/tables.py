"""The tables, and nothing else.

Times are fixed-width UTC timestamps, so that text order is time order. Hashes are 16 raw bytes. JSON is text, but for
values and definitions, whose bytes are what their hash is of. Only live rows are small for sure: the other tables keep
their rows in the order they were written, since SQLite moves what is long out of a table clustered by key.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from sqlalchemy import Index, Table, Text, text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

SCHEMA_VERSION: Final = 1

_INSTANCE: Final = "gov_instance.id"


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
    body: bytes


class InstanceRow(Base, table=True):
    __tablename__ = "gov_instance"
    __table_args__: ClassVar[Any] = (
        Index("gov_instance_by_time", "created_at", "id"),
        Index("gov_instance_by_status", "status", "created_at", "id"),
        Index(
            "gov_instance_by_due",
            "due",
            sqlite_where=text("due IS NOT NULL"),
            postgresql_where=text("due IS NOT NULL"),
        ),
    )
    id: str = Field(primary_key=True)
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


class LiveRow(Base, table=True):
    """A scope or a task that is alive; changed in place."""

    __tablename__ = "gov_live"
    __table_args__: ClassVar[Any] = {"sqlite_with_rowid": False}
    instance: str = Field(primary_key=True, foreign_key=_INSTANCE)
    key: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class EventRow(Base, table=True):
    __tablename__ = "gov_event"
    instance: str = Field(primary_key=True, foreign_key=_INSTANCE)
    seq: int = Field(primary_key=True)
    at: str
    type: str
    element: str | None
    branch: str
    data: str = Field(sa_type=Text)


class SnapshotRow(Base, table=True):
    """A commit: what one step wrote, carried and shows."""

    __tablename__ = "gov_snapshot"
    __table_args__: ClassVar[Any] = (Index("gov_snapshot_by_generation", "instance", "generation"),)
    instance: str = Field(primary_key=True, foreign_key=_INSTANCE)
    id: bytes = Field(primary_key=True)
    generation: int
    body: str = Field(sa_type=Text)


class CheckpointRow(Base, table=True):
    """The whole contents of a snapshot, so that rebuilding them need not begin at the start."""

    __tablename__ = "gov_checkpoint"
    instance: str = Field(primary_key=True, foreign_key=_INSTANCE)
    snapshot: bytes = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class ValueRow(Base, table=True):
    """A JSON value by content address, shared by all instances."""

    __tablename__ = "gov_value"
    hash: bytes = Field(primary_key=True)
    body: bytes


class WorkItemRow(Base, table=True):
    __tablename__ = "gov_work_item"
    __table_args__: ClassVar[Any] = (
        Index("gov_work_item_by_status", "status", "created_at", "id"),
        Index("gov_work_item_by_instance", "instance", "status", "created_at", "id"),
    )
    id: str = Field(primary_key=True)
    instance: str = Field(foreign_key=_INSTANCE)
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
    instance: str = Field(foreign_key=_INSTANCE)
    status: str
    created_at: str
    body: str = Field(sa_type=Text)


class JournalRow(Base, table=True):
    """A model's answer in a running activity; the only EPHEMERAL data ever stored, and not for long."""

    __tablename__ = "gov_journal"
    instance: str = Field(primary_key=True, foreign_key=_INSTANCE)
    run: str = Field(primary_key=True)
    call: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)


def table(row: type[Base]) -> Table:
    """The table of a row class, for Core statements."""
    return Base.metadata.tables[str(row.__tablename__)]
