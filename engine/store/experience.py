"""Experiences, which are only added, and the skills that came of them or were taken in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, delete, select

from engine.store.database import Database
from engine.store.dialects import Dialect
from engine.store.experience_tables import ExperienceRow, SkillRow
from engine.store.tables import table
from governance.cda.experience.model import Experience, Skill

_EXPERIENCE, _SKILL = table(ExperienceRow), table(SkillRow)
_LOOKED_AT: Final = 100
_MOST_SKILLS: Final = 1_000


class StoredExperience:
    """What all instances of a database learned."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = ExperienceWriter(database.dialect)

    def recent(self, scope: str, tool: str) -> list[Experience]:
        """The last experiences with a tool in a process, oldest first."""
        columns = _EXPERIENCE.c
        statement = select(columns.body).where(columns.scope == scope, columns.tool == tool)
        found = self._database.column(statement.order_by(columns.seq.desc()).limit(_LOOKED_AT))
        return [Experience.model_validate_json(body) for body in found][::-1]

    def skills(self, scope: str | None = None) -> list[Skill]:
        """Those of a process and those of no process, None: all; by id."""
        statement = select(_SKILL.c.body).order_by(_SKILL.c.id).limit(_MOST_SKILLS)
        if scope is not None:
            statement = statement.where(_SKILL.c.scope.in_([scope, ""]))
        return [Skill.model_validate_json(body) for body in self._database.column(statement)]

    def put(self, skills: Iterable[Skill], scope: str = "") -> None:
        """Keep skills, in the place of those with the same ids; all or nothing."""
        rows = [(scope, skill) for skill in skills]
        self._database.change(lambda connection: self._writer.write(connection, (), rows))

    def drop(self, id: str) -> bool:
        """Forget a skill. False: there is none."""
        gone, dropped = delete(_SKILL).where(_SKILL.c.id == id), list[bool]()

        def write(connection: Connection, again: bool) -> bool:
            found = connection.execute(gone).rowcount > 0
            dropped.append(found or (again and dropped[-1]))
            return dropped[-1]

        return self._database.change_once(write)


class ExperienceWriter:
    """Adds to them in the caller's transaction."""

    def __init__(self, dialect: Dialect) -> None:
        self._add, self._put = _EXPERIENCE.insert(), dialect.upsert(_SKILL)

    def write(
        self, connection: Connection, experiences: Sequence[Experience], skills: Sequence[tuple[str, Skill]]
    ) -> None:
        if experiences:
            rows = [
                {"scope": each.scope, "tool": each.tool, "body": each.model_dump_json(exclude_defaults=True)}
                for each in experiences
            ]
            connection.execute(self._add, rows)
        for scope, skill in skills:
            connection.execute(self._put, {"id": skill.id, "scope": scope, "body": skill.model_dump_json()})
