"""The tables of what holds for all instances: knowledge, dead ends, experiences, skills."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from sqlalchemy import Index, Text
from sqlmodel import Field

from engine.store.tables import Base

_CLUSTERED: Final[Any] = {"sqlite_with_rowid": False}


class KnowledgeRow(Base, table=True):
    """An item of knowledge, of all instances. `change` numbers the last change of each, so that readers can follow."""

    __tablename__ = "gov_knowledge"
    __table_args__: ClassVar[Any] = (
        Index("gov_knowledge_by_change", "change"),
        Index("gov_knowledge_by_source", "source"),
    )
    id: str = Field(primary_key=True)
    change: int
    source: str
    body: str = Field(sa_type=Text)


class KnowledgeSourceRow(Base, table=True):
    """A document that items were taken from, as it was then."""

    __tablename__ = "gov_knowledge_source"
    source: str = Field(primary_key=True)
    digest: str


class DeadEndRow(Base, table=True):
    """One fact about a dead end; they are only ever added. `body` is the fact's JSON."""

    __tablename__ = "gov_dead_end"
    __table_args__: ClassVar[Any] = (
        Index("gov_dead_end_by_scope", "scope", "action", "state", "seq"),
        Index("gov_dead_end_by_action", "action", "state", "seq"),
        Index("gov_dead_end_by_session", "session", "seq"),
        Index("gov_dead_end_by_id", "id", "seq"),
    )
    seq: int | None = Field(default=None, primary_key=True)
    id: str
    kind: str
    at: str
    scope: str
    action: str
    state: str
    session: str
    body: str = Field(sa_type=Text)


class DeadEndActionRow(Base, table=True):
    """Which actions of a process have dead ends: most have none, and need not be looked up."""

    __tablename__ = "gov_dead_end_action"
    __table_args__: ClassVar[Any] = _CLUSTERED
    scope: str = Field(primary_key=True)
    action: str = Field(primary_key=True)


class ExperienceRow(Base, table=True):
    """One time that an agent did an activity, well or badly; only added. `body` is the experience's JSON."""

    __tablename__ = "gov_experience"
    __table_args__: ClassVar[Any] = (Index("gov_experience_by_tool", "scope", "tool", "seq"),)
    seq: int | None = Field(default=None, primary_key=True)
    scope: str
    tool: str
    body: str = Field(sa_type=Text)


class SkillRow(Base, table=True):
    """A skill, learned in a process (`scope`) or taken in. `body` is its JSON."""

    __tablename__ = "gov_skill"
    __table_args__: ClassVar[Any] = (Index("gov_skill_by_scope", "scope"),)
    id: str = Field(primary_key=True)
    scope: str
    body: str = Field(sa_type=Text)
