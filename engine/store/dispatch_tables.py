"""The tables that workers share: who they are, which instances they have, how often models may be called."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import Index, Text
from sqlmodel import Field

from engine.store.tables import Base


class WorkerRow(Base, table=True):
    """A worker that lives, as far as is known. Times are seconds of the database's clock."""

    __tablename__ = "gov_worker"
    id: str = Field(primary_key=True)
    host: str
    pid: int
    protocol: int
    slots: int
    started_at: str
    beat_at: float
    draining: bool


class DispatchRow(Base, table=True):
    """An instance that workers have: `ticket` is its place in their queue.

    With `error` none of them has it any more: it is tried again at `retry_at` (seconds of the database's clock), or
    when it was moved from `version` by somebody else.
    """

    __tablename__ = "gov_dispatch"
    __table_args__: ClassVar[Any] = (Index("gov_dispatch_by_ticket", "ticket", unique=True),)
    instance: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    ticket: str
    version: int
    attempts: int
    put_at: float
    error: str | None = Field(sa_type=Text)
    retry_at: float | None


class ModelRateRow(Base, table=True):
    """When a model may be called next: seconds of the database's clock."""

    __tablename__ = "gov_model_rate"
    model: str = Field(primary_key=True)
    free_at: float
