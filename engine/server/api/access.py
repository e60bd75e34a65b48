"""`/v1/users`, `/v1/keys` and `/v1/audit`: who may do what, and what everybody did."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, Field

from engine.server.api.documents import Given, Word
from engine.server.api.parts import BIGGEST, Admin, Id, Limit, Viewer, router
from engine.server.identity.roles import Role
from engine.server.services import services_of
from engine.store.access import ApiKey, User

routes = router("access")


class UserDocument(BaseModel):
    """A user; never the password."""

    name: str
    roles: list[str]
    created_at: str
    disabled_at: str | None

    @classmethod
    def of(cls, user: User) -> UserDocument:
        return cls(**{name: getattr(user, name) for name in cls.model_fields} | {"roles": list(user.roles)})


class KeyDocument(BaseModel):
    """An API key; `secret` is told once, when it is made."""

    id: str
    owner: str
    label: str
    roles: list[str]
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    secret: str | None = None

    @classmethod
    def of(cls, key: ApiKey, secret: str | None = None) -> KeyDocument:
        fields = {name: getattr(key, name) for name in cls.model_fields if name not in ("secret", "roles")}
        return cls(**fields, roles=list(key.roles), secret=secret)


class UserList(BaseModel):
    users: list[UserDocument]


class KeyList(BaseModel):
    keys: list[KeyDocument]


class AuditEntry(BaseModel):
    """One write: who did what, and the status that it was answered with."""

    seq: int
    at: str
    who: str
    action: str
    target: str
    status: int


class AuditPage(BaseModel):
    """Newest first; `next` is the `before` of the page after this one."""

    entries: list[AuditEntry]
    next: int | None


class NewUser(Given):
    name: Word
    password: str = Field(min_length=1, max_length=1_000)
    roles: list[Word] = Field(max_length=50)


class ChangedUser(Given):
    password: str | None = Field(default=None, min_length=1, max_length=1_000)
    roles: list[Word] | None = Field(default=None, max_length=50)
    disabled: bool | None = None


class NewKey(Given):
    label: Word
    roles: list[Word] = Field(default_factory=list, max_length=50, description="Some of yours; none: all.")
    days: int | None = Field(default=None, ge=1, le=3_650, description="After which it ends; none: never.")


@routes.get("/users")
def list_users(request: Request, person: Admin) -> UserList:
    """Everybody who may sign in."""
    return UserList(users=[UserDocument.of(each) for each in services_of(request).identity.users()])


@routes.post("/users")
def add_user(request: Request, person: Admin, asked: NewUser) -> UserDocument:
    """Let somebody sign in. Beside roles of the server they may have others, which processes ask for."""
    return UserDocument.of(services_of(request).identity.add_user(asked.name, asked.password, asked.roles))


@routes.patch("/users/{id}")
def change_user(request: Request, person: Admin, id: Id, asked: ChangedUser) -> UserDocument:
    """Change what is given. With another password, or disabled, they are signed out everywhere."""
    identity = services_of(request).identity
    changed = identity.change_user(id, password=asked.password, roles=asked.roles, disabled=asked.disabled)
    return UserDocument.of(changed)


@routes.get("/keys")
def list_keys(request: Request, person: Viewer) -> KeyList:
    """Your API keys; an administrator sees everybody's."""
    owner = None if person.may(Role.ADMIN) else person.name
    return KeyList(keys=[KeyDocument.of(each) for each in services_of(request).identity.keys(owner)])


@routes.post("/keys")
def add_key(request: Request, person: Viewer, asked: NewKey) -> KeyDocument:
    """Make an API key of yours. Its secret is told now, and never again."""
    lasting = None if asked.days is None else timedelta(days=asked.days)
    return KeyDocument.of(*services_of(request).identity.add_key(person, asked.label, asked.roles, lasting))


@routes.delete("/keys/{id}")
def revoke_key(request: Request, person: Viewer, id: Id) -> KeyDocument:
    """End an API key of yours; an administrator anybody's."""
    owner = None if person.may(Role.ADMIN) else person.name
    return KeyDocument.of(services_of(request).identity.revoke_key(id, owner))


@routes.get("/audit")
def list_audit(
    request: Request,
    person: Admin,
    before: Annotated[int | None, Query(ge=0, le=BIGGEST, description="The `next` of the page before.")] = None,
    limit: Limit = 100,
) -> AuditPage:
    """Every write that somebody made or tried, the newest first."""
    found = services_of(request).access.audited(before=before, limit=limit + 1)
    entries = [AuditEntry(**{name: getattr(each, name) for name in AuditEntry.model_fields}) for each in found[:limit]]
    return AuditPage(entries=entries, next=entries[-1].seq if len(found) > limit else None)
