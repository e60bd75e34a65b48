"""The tables of a server: who may do what, who is signed in, what everybody did. Of secrets there are only hashes."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import Index, Text
from sqlmodel import Field

from engine.store.tables import Base


class UserRow(Base, table=True):
    """`password` is scrypt's hash with its parameters; `roles` is a JSON array."""

    __tablename__ = "gov_user"
    name: str = Field(primary_key=True)
    password: str
    roles: str = Field(sa_type=Text)
    created_at: str
    disabled_at: str | None


class ApiKeyRow(Base, table=True):
    """A program's key: what it may do is what its owner may do, but no more than `roles`."""

    __tablename__ = "gov_api_key"
    __table_args__: ClassVar[Any] = (Index("gov_api_key_by_owner", "owner", "created_at"),)
    id: str = Field(primary_key=True)
    hash: str = Field(unique=True)
    owner: str = Field(foreign_key="gov_user.name")
    label: str
    roles: str = Field(sa_type=Text)
    created_at: str
    expires_at: str | None
    revoked_at: str | None


class SignedInRow(Base, table=True):
    """A browser that is signed in."""

    __tablename__ = "gov_signed_in"
    __table_args__: ClassVar[Any] = (
        Index("gov_signed_in_by_owner", "owner"),
        Index("gov_signed_in_by_expiry", "expires_at"),
    )
    hash: str = Field(primary_key=True)
    owner: str = Field(foreign_key="gov_user.name")
    csrf: str
    created_at: str
    expires_at: str


class AuditRow(Base, table=True):
    """One write that somebody made, or was refused; only added."""

    __tablename__ = "gov_audit"
    seq: int | None = Field(default=None, primary_key=True)
    at: str
    who: str
    action: str
    target: str
    status: int


class ReplyRow(Base, table=True):
    """What a request was answered that carried an idempotency key; `status` 0: it is being worked on."""

    __tablename__ = "gov_reply"
    __table_args__: ClassVar[Any] = (Index("gov_reply_by_time", "at"),)
    who: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    request: str
    at: str
    status: int
    body: bytes
    """Packed: a line with the Location, then the body."""


class MemoryRow(Base, table=True):
    """What happened to a memory that programs use over the API; only added."""

    __tablename__ = "gov_memory"
    session: str = Field(primary_key=True)
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    body: bytes
    """Packed JSON."""


class DeploymentRow(Base, table=True):
    """A version of a process: which definition it was when, and who deployed it; only added."""

    __tablename__ = "gov_deployment"
    __table_args__: ClassVar[Any] = (Index("gov_deployment_by_definition", "definition"),)
    process: str = Field(primary_key=True)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    definition: str = Field(foreign_key="gov_definition.hash")
    name: str
    file: str
    at: str
    by: str
    reason: str | None = None
    seen: str | None = None
