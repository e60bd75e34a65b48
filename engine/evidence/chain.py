"""The hash chain of an instance's event log: pure functions from events to links.

    digest_i = SHA-256(salt_i, canonical JSON of the event's data)
    link_i   = SHA-256(link_(i-1), canonical JSON of [instance, seq, at, type, element, branch, digest_i])

The chain holds the digest of an event's data, not the data: they can be erased, and their salt with them, so that
nobody can try out what they were, while every link still holds. The salt of an event derives from that of its advance,
and so does what the advance was made by (its cause): the salts of the events are those of this cause, and no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from engine.events import Event
from governance.snapshots.canonical import canonical

LENGTH: Final = 32
"""Bytes of a link."""
SALT: Final = 16
"""Bytes of a salt."""
BOUND: Final = 1 + 2 * SALT
"""Bytes of an advance's salt that binds its cause: a form, the salt, the digest of the cause."""
_BINDS, _BOUND_ONCE = b"\x01", b"\x02"
GENESIS: Final = bytes(LENGTH)
"""What the first link is linked to."""
ERASED: Final = "$erased"
"""The only name in the data of an event that were erased; it holds the digest that the chain has of them."""


class Seal(NamedTuple):
    """What the chain keeps of an advance: `links` of its events, end to end; without events the last link before.

    `first` is the number of its first event, `length` how many it has. `salts` is the advance's one salt, with
    its cause bound to it but in seals from before that was done; once data of events were erased, one for each event.
    """

    version: int
    first: int
    length: int
    salts: bytes
    links: bytes

    def link(self, seq: int) -> bytes:
        """The link of one of its events."""
        place = (seq - self.first) * LENGTH
        return self.links[place : place + LENGTH]

    def salt(self, seq: int) -> bytes:
        """The salt of one of its events."""
        if len(self.salts) in (SALT, BOUND):
            return event_salt(_key(self.salts), seq)
        place = (seq - self.first) * SALT
        return self.salts[place : place + SALT]

    @property
    def bound(self) -> bytes | None:
        """The salts with the cause that is bound; None where none is, or something was erased."""
        return self.salts if len(self.salts) == BOUND and self.salts[:1] == _BINDS else None

    @property
    def lost(self) -> bool:
        """Whether it has the form of one in which something was erased."""
        if len(self.salts) == BOUND:
            return self.salts[:1] != _BINDS
        return len(self.salts) != SALT

    @property
    def head(self) -> bytes:
        return self.links[-LENGTH:]


def seal(before: bytes, instance: str, version: int, first: int, events: Iterable[Event], salt: bytes) -> Seal:
    """The seal of an advance that brought the instance to `version`; `before` is the head of the chain until then."""
    head, links = before, list[bytes]()
    for event in events:
        digest = data_digest(event_salt(_key(salt), event.seq), event.data)
        head = link(head, instance, event.seq, event.at, event.type, event.element, event.branch, digest)
        links.append(head)
    return Seal(version, first, len(links), salt, b"".join(links) or before)


def event_salt(advance_salt: bytes, seq: int) -> bytes:
    return sha256(advance_salt + seq.to_bytes(8, "big")).digest()[:SALT]


def bind(salt: bytes, version: int, at: str, cause: tuple[str, Mapping[str, Any]] | None) -> bytes:
    """The salt of an advance with its cause, kind and data, and its time; None where it has none."""
    row = [version] if cause is None else [version, at, str(cause[0]), dict(cause[1])]
    return _BINDS + salt + sha256(salt + _canonical(row)).digest()[:SALT]


def is_bound(bound: bytes, version: int, at: str, cause: tuple[str, Mapping[str, Any]] | None) -> bool:
    """Whether this is the cause that was bound."""
    return bind(bound[1 : 1 + SALT], version, at, cause) == bound


def unbind(salts: bytes) -> bytes:
    """The salt of an advance whose cause is erased: its events keep theirs, and nobody can try out what it was."""
    if salts[:1] != _BINDS or len(salts) != BOUND:
        return salts
    return _BOUND_ONCE + _key(salts)[-SALT:] + salts[1 + SALT :]


def _key(salt: bytes) -> bytes:
    """What the salts of an advance's events derive from.

    With a cause it is longer than a salt: none without a cause gives the same, so the binding cannot be taken off.
    """
    if len(salt) != BOUND:
        return salt
    return _BINDS + (salt[1 : 1 + SALT] if salt[:1] == _BOUND_ONCE else sha256(salt[1:]).digest()[:SALT])


def data_digest(salt: bytes, data: Mapping[str, Any]) -> bytes:
    """The digest of an event's data; of erased ones, that which they left. Raises ValueError for a bad tombstone."""
    if data.keys() == {ERASED}:
        return bytes.fromhex(str(data[ERASED]))
    return sha256(salt + _canonical(data)).digest()


def link(
    before: bytes, instance: str, seq: int, at: str, type: str, element: str | None, branch: str, digest: bytes
) -> bytes:
    """The link of an event to the one before it."""
    row = [instance, seq, at, str(type), element, branch, digest.hex()]
    return sha256(before + orjson.dumps(row)).digest()


def erased(digest: bytes) -> dict[str, str]:
    """What stands in place of an event's data that were erased."""
    return {ERASED: digest.hex()}


def _canonical(data: Any) -> bytes:
    """The same bytes for what was logged and for what is read back of it."""
    try:
        return orjson.dumps(data, option=orjson.OPT_SORT_KEYS, default=_plain)
    except TypeError:
        return canonical(data)  # an integer over 64 bits


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
