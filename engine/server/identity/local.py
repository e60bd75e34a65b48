"""Who is there, kept by the server itself: users with passwords, and API keys for programs."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from hmac import compare_digest
from typing import Final

from engine.server.identity.errors import BadUser, UnknownKey, UnknownUser, WrongPassword
from engine.server.identity.port import Credentials, Person
from engine.server.identity.roles import Role
from engine.server.identity.secrets import Passwords, hash_of, new_secret
from engine.server.identity.tries import Tries
from engine.store.access import AccessTables, ApiKey, SignedIn, User
from governance.ports import Clock, timestamp

LASTING: Final = timedelta(hours=12)
"""How long a browser stays signed in."""
_PREFIX: Final = "gov_"
_NAME: Final = re.compile(r"[\w.@+-]{1,80}")
_ROLE: Final = re.compile(r"[\w.:-]{1,80}")


class LocalIdentity:
    """`Identity` on the store's own tables. While there is no user yet, `link` lets the first one in."""

    def __init__(self, kept: AccessTables, clock: Clock, passwords: Passwords | None = None) -> None:
        self._kept, self._clock = kept, clock
        self._passwords, self._tries = passwords or Passwords(), Tries(clock)
        self.link = "" if kept.has_users() else new_secret()
        """The secret of the one-time link, "" once it was used."""

    def recognise(self, given: Credentials) -> Person | None:
        if given.token:
            return self._by_key(given.token)
        return self._by_session(given.session) if given.session else None

    def is_first(self, secret: str) -> bool:
        """Whether it is the secret of the one-time link, which was not used yet."""
        return bool(self.link) and compare_digest(secret.encode(), self.link.encode())

    def open_link(self, secret: str, name: str, password: str) -> str:
        """Make the first user, an administrator; their session. Raises WrongPassword for another secret, BadUser."""
        if not self.is_first(secret) or self._kept.has_users():
            raise WrongPassword
        self.add_user(name, password, [Role.ADMIN])
        self.link = ""
        return self._sign_in(name)

    def sign_in(self, name: str, password: str, address: str) -> str:
        """A session. `address` is where the request came from. Raises WrongPassword, TooManyTries."""
        whose = (f"name {name}", f"address {address}")
        self._tries.require_few(*whose)
        user = self._kept.user(name)
        known = user is not None and user.disabled_at is None
        if not self._passwords.fits(password, user.password if user and known else None):
            self._tries.add(*whose)
            raise WrongPassword
        self._tries.forget(*whose)
        return self._sign_in(name)

    def sign_out(self, session: str) -> None:
        self._kept.sign_out(hash=hash_of(session))

    def users(self) -> Sequence[User]:
        return self._kept.users()

    def add_user(self, name: str, password: str, roles: Collection[str]) -> User:
        """Raises BadUser, WeakPassword."""
        if not _NAME.fullmatch(name):
            raise BadUser(name, "a name has 1 to 80 letters, digits, and any of . _ @ + -")
        if self._kept.user(name) is not None:
            raise BadUser(name, "there is one already")
        made = User(
            name=name, password=self._passwords.hash(password), roles=_roles(name, roles), created_at=self._now()
        )
        self._kept.put_user(made)
        return made

    def change_user(
        self, name: str, *, password: str | None = None, roles: Collection[str] | None = None,
        disabled: bool | None = None,
    ) -> User:  # fmt: skip
        """Change what is given. With another password, or disabled, they are signed out everywhere.

        Raises UnknownUser, BadUser where nobody would be left to administer, WeakPassword.
        """
        user = self._user(name)
        changed = user if roles is None else replace(user, roles=_roles(name, roles))
        if password is not None:
            changed = replace(changed, password=self._passwords.hash(password))
        if disabled is not None:
            changed = replace(changed, disabled_at=self._now() if disabled else None)
        others = [each for each in self._kept.users() if each.name != name]
        if not any(_administers(each) for each in [*others, changed]):
            raise BadUser(name, "nobody would be left to administer")
        self._kept.put_user(changed)
        if password is not None or disabled:
            self._kept.sign_out(owner=name)
        return changed

    def keys(self, owner: str | None = None) -> Sequence[ApiKey]:
        return self._kept.keys(owner)

    def add_key(
        self, owner: Person, label: str, roles: Collection[str] = (), lasting: timedelta | None = None
    ) -> tuple[ApiKey, str]:
        """A key with at most the roles that its owner has now (none: these), and its secret, which is told only now.

        Raises BadUser for roles the owner lacks.
        """
        chosen = _roles(owner.name, roles or owner.roles)
        lacking = [each for each in chosen if each not in owner.roles and Role.ADMIN not in owner.roles]
        if lacking:
            raise BadUser(owner.name, f"has not the roles {', '.join(lacking)}")
        secret = _PREFIX + new_secret()
        now = self._clock.now()
        key = ApiKey(
            id=secrets.token_hex(6), hash=hash_of(secret), owner=owner.name, label=label, roles=chosen,
            created_at=timestamp(now), expires_at=None if lasting is None else timestamp(now + lasting),
        )  # fmt: skip
        self._kept.put_key(key)
        return key, secret

    def revoke_key(self, id: str, owner: str | None = None) -> ApiKey:
        """End a key, of one owner or of anybody. Raises UnknownKey."""
        found = next((each for each in self._kept.keys(owner) if each.id == id), None)
        if found is None:
            raise UnknownKey(id)
        revoked = found if found.revoked_at else replace(found, revoked_at=self._now())
        self._kept.put_key(revoked)
        return revoked

    def _sign_in(self, owner: str) -> str:
        session, now = new_secret(), self._clock.now()
        self._kept.sign_in(
            SignedIn(
                hash=hash_of(session), owner=owner, csrf=new_secret(),
                created_at=timestamp(now), expires_at=timestamp(now + LASTING),
            )
        )
        return session

    def _by_session(self, session: str) -> Person | None:
        found = self._kept.owner_of_session(hash_of(session))
        if found is None or found[0].expires_at < self._now() or found[1].disabled_at:
            return None
        return Person(name=found[1].name, roles=frozenset(found[1].roles), csrf=found[0].csrf)

    def _by_key(self, secret: str) -> Person | None:
        found = self._kept.owner_of_key(hash_of(secret))
        if found is None:
            return None
        key, owner = found
        if key.revoked_at or owner.disabled_at or (key.expires_at is not None and key.expires_at < self._now()):
            return None
        held = frozenset(key.roles) if Role.ADMIN in owner.roles else frozenset(key.roles).intersection(owner.roles)
        return Person(name=owner.name, roles=held)

    def _user(self, name: str) -> User:
        found = self._kept.user(name)
        if found is None:
            raise UnknownUser(name)
        return found

    def _now(self) -> str:
        return timestamp(self._clock.now())


def _administers(user: User) -> bool:
    return Role.ADMIN in user.roles and user.disabled_at is None


def _roles(name: str, roles: Collection[str]) -> tuple[str, ...]:
    wrong = [each for each in roles if not _ROLE.fullmatch(each)]
    if wrong:
        raise BadUser(name, f"{wrong[0]!r} is no role: 1 to 80 letters, digits, and any of . _ : -")
    return tuple(sorted({str(each) for each in roles}))
