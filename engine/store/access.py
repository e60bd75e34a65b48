"""Who may do what with a server, who is signed in, and what everybody did, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from engine.store.access_tables import ApiKeyRow, AuditRow, SignedInRow, UserRow
from engine.store.database import Database
from engine.store.documents import dump, load
from engine.store.tables import table

_USER, _KEY, _SIGNED_IN, _AUDIT = table(UserRow), table(ApiKeyRow), table(SignedInRow), table(AuditRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """`password` is its hash; `roles` are those of the server and those that processes ask for."""

    name: str
    password: str
    roles: tuple[str, ...]
    created_at: str
    disabled_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """`hash` is that of the secret; `roles` hold as far as the owner still has them."""

    id: str
    hash: str
    owner: str
    label: str
    roles: tuple[str, ...]
    created_at: str
    expires_at: str | None = None
    revoked_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A browser that is signed in, by the hash of its session."""

    hash: str
    owner: str
    csrf: str
    created_at: str
    expires_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """`status` is that of the answer: 4xx and 5xx were refused or went wrong."""

    seq: int
    at: str
    who: str
    action: str
    target: str
    status: int


class AccessTables:
    """Reads and writes them, each in a transaction of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._put_user = database.dialect.upsert(_USER)
        self._put_key = database.dialect.upsert(_KEY)
        self._sign_in = database.dialect.insert_or_ignore(_SIGNED_IN)

    def users(self) -> list[User]:
        """By name."""
        return [_user(row) for row in self._database.rows(select(_USER).order_by(_USER.c.name))]

    def user(self, name: str) -> User | None:
        found = self._database.rows(select(_USER).where(_USER.c.name == name))
        return _user(found[0]) if found else None

    def put_user(self, user: User) -> None:
        """Add one, or change it."""
        row = {
            "name": user.name,
            "password": user.password,
            "roles": dump(user.roles),
            "created_at": user.created_at,
            "disabled_at": user.disabled_at,
        }
        self._database.change(lambda connection: connection.execute(self._put_user, row))

    def keys(self, owner: str | None = None) -> list[ApiKey]:
        """Oldest first, revoked ones too; of one owner, or all."""
        statement = select(_KEY).order_by(_KEY.c.created_at, _KEY.c.id)
        if owner is not None:
            statement = statement.where(_KEY.c.owner == owner)
        return [_key(row) for row in self._database.rows(statement)]

    def put_key(self, key: ApiKey) -> None:
        """Add one, or change it."""
        row = {name: getattr(key, name) for name in ApiKey.__slots__} | {"roles": dump(key.roles)}
        self._database.change(lambda connection: connection.execute(self._put_key, row))

    def owner_of_key(self, hash: str) -> tuple[ApiKey, User] | None:
        """A key by the hash of its secret, and whose it is."""

        def read(connection: Connection) -> tuple[Row[Any], Row[Any]] | None:
            found = connection.execute(select(_KEY).where(_KEY.c.hash == hash)).one_or_none()
            if found is None:
                return None
            return found, connection.execute(select(_USER).where(_USER.c.name == found.owner)).one()

        both = self._database.look(read)
        return None if both is None else (_key(both[0]), _user(both[1]))

    def owner_of_session(self, hash: str) -> tuple[SignedIn, User] | None:
        """A browser by the hash of its session, and whose it is."""

        def read(connection: Connection) -> tuple[Row[Any], Row[Any]] | None:
            found = connection.execute(select(_SIGNED_IN).where(_SIGNED_IN.c.hash == hash)).one_or_none()
            if found is None:
                return None
            return found, connection.execute(select(_USER).where(_USER.c.name == found.owner)).one()

        both = self._database.look(read)
        return None if both is None else (SignedIn(**both[0]._mapping), _user(both[1]))

    def sign_in(self, signed: SignedIn) -> None:
        """Keep a session; those that have expired by its beginning go."""
        row = {name: getattr(signed, name) for name in SignedIn.__slots__}

        def write(connection: Connection) -> None:
            connection.execute(_SIGNED_IN.delete().where(_SIGNED_IN.c.expires_at < signed.created_at))
            connection.execute(self._sign_in, row)

        self._database.change(write)

    def sign_out(self, *, hash: str | None = None, owner: str | None = None) -> None:
        """Forget one session, or all of one owner."""
        which = _SIGNED_IN.c.hash == hash if owner is None else _SIGNED_IN.c.owner == owner
        self._database.change(lambda connection: connection.execute(_SIGNED_IN.delete().where(which)))

    def audit(self, at: str, who: str, action: str, target: str, status: int) -> None:
        """Write down what somebody did, or was refused."""
        row = {"at": at, "who": who, "action": action, "target": target, "status": status}
        same = select(_AUDIT.c.seq).where(*(_AUDIT.c[name] == value for name, value in row.items())).limit(1)

        def write(connection: Connection, again: bool) -> None:
            if not (again and connection.execute(same).first()):
                connection.execute(_AUDIT.insert(), row)

        self._database.change_once(write)

    def audited(self, *, before: int | None = None, limit: int = 50) -> Sequence[Audited]:
        """Newest first; `before` is the number of the last one of the page before."""
        statement = select(_AUDIT).order_by(_AUDIT.c.seq.desc()).limit(limit)
        if before is not None:
            statement = statement.where(_AUDIT.c.seq < before)
        return [Audited(**row._mapping) for row in self._database.rows(statement)]

    def has_users(self) -> bool:
        return bool(self._database.cell(select(func.count()).select_from(_USER)))


def _user(row: Row[Any]) -> User:
    return User(**{**row._mapping, "roles": tuple(load(row.roles))})


def _key(row: Row[Any]) -> ApiKey:
    return ApiKey(**{**row._mapping, "roles": tuple(load(row.roles))})
