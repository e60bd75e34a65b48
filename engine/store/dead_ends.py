"""The facts of the dead-end registry: only ever added to, and read as far as an attempt may match them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Insert, Select, bindparam, select

from engine.store.database import Database
from engine.store.dialects import Dialect
from engine.store.experience_tables import DeadEndActionRow, DeadEndRow
from engine.store.tables import table
from governance.cda.dead_ends.model import DeadEndFact, Key

_FACT, _ACTION = table(DeadEndRow), table(DeadEndActionRow)
_ALL_ACTIONS: Final = select(_ACTION.c.action)
_ACTIONS_OF: Final = _ALL_ACTIONS.where(_ACTION.c.scope == bindparam("of_scope"))
_MOST_FACTS: Final = 2_000
"""Of one action in one state so many are looked at, the newest."""
_RECENT: Final = 500
"""Among so many of the last failures the most frequent are looked for."""
_LAST: Final = "g"
"""Sorts after whatever a hexadecimal id may go on with."""


class StoredDeadEnds:
    """`DeadEndSource` on the database, and what the command line reads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = FactWriter(database.dialect)

    def actions(self, scope: str | None) -> set[str]:
        if scope is None:
            return {action for (action,) in self._database.ask(_ALL_ACTIONS, {})}
        return {action for (action,) in self._database.ask(_ACTIONS_OF, {"of_scope": scope})}

    def facts(self, key: Key) -> list[DeadEndFact]:
        columns = _FACT.c
        statement = select(columns.body).where(columns.action == key.action, columns.state == key.state)
        statement = _of_scope(statement, columns.scope, key.scope).order_by(columns.seq.desc()).limit(_MOST_FACTS)
        return self._read(statement)[::-1]

    def of_session(self, session: str) -> list[DeadEndFact]:
        columns = _FACT.c
        statement = select(columns.body).where(columns.session == session, columns.kind == "failed")
        return self._read(statement.order_by(columns.seq))

    def hottest(self, scope: str | None, limit: int) -> list[DeadEndFact]:
        columns = _FACT.c
        statement = _of_scope(select(columns.body).where(columns.kind == "failed"), columns.scope, scope)
        recent = self._read(statement.order_by(columns.seq.desc()).limit(_RECENT))
        last = {fact.id: fact for fact in reversed(recent)}
        counted = Counter(fact.id for fact in recent)
        return [last[id] for id, _ in counted.most_common(limit)]

    def all(self, *, scope: str | None = None, id: str | None = None) -> list[DeadEndFact]:
        """Every fact, oldest first: of one process, of the dead ends whose ids begin with `id`."""
        columns = _FACT.c
        statement = _of_scope(select(columns.body), columns.scope, scope).order_by(columns.seq)
        if id is not None:
            statement = statement.where(columns.id >= id, columns.id < id + _LAST)
        return self._read(statement)

    def add(self, facts: Sequence[DeadEndFact]) -> None:
        """Keep facts in a transaction of their own, as those of an advance are kept in the advance's."""

        def write(connection: Connection, again: bool) -> None:
            same = select(_FACT.c.seq).where(_FACT.c.id == facts[-1].id, _FACT.c.body == _row(facts[-1])["body"])
            if not (again and connection.execute(same.limit(1)).first()):
                self._writer.write(connection, facts)

        if facts:
            self._database.change_once(write)

    def _read(self, statement: Select[Any]) -> list[DeadEndFact]:
        return [DeadEndFact.model_validate_json(body) for body in self._database.column(statement)]


class FactWriter:
    """Adds facts in the caller's transaction."""

    def __init__(self, dialect: Dialect) -> None:
        self._add: Insert = _FACT.insert()
        self._know = dialect.insert_or_ignore(_ACTION)

    def write(self, connection: Connection, facts: Iterable[DeadEndFact]) -> None:
        rows = [_row(fact) for fact in facts]
        if rows:
            connection.execute(self._add, rows)
            known = {(row["scope"], row["action"]) for row in rows}
            connection.execute(self._know, [{"scope": scope, "action": action} for scope, action in sorted(known)])


def _row(fact: DeadEndFact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "kind": fact.kind,
        "at": fact.at,
        "scope": fact.scope,
        "action": fact.signature.action,
        "state": fact.signature.state,
        "session": fact.session,
        "body": fact.model_dump_json(exclude_defaults=True),
    }


def _of_scope(statement: Select[Any], column: Any, scope: str | None) -> Select[Any]:
    return statement if scope is None else statement.where(column == scope)
