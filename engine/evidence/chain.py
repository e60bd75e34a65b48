"""The hash chain of an instance's event log: pure functions from events to links.

    digest_i = SHA-256(salt_i, canonical JSON of the event's data)
    link_i   = SHA-256(link_(i-1), canonical JSON of [instance, seq, at, type, element, branch, digest_i])

The chain holds the digest of an event's data, not the data: they can be erased, and their salt with them, so that
nobody can try out what they were, while every link still holds. The salt of an event derives from that of its advance.
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
GENESIS: Final = bytes(LENGTH)
"""What the first link is linked to."""
ERASED: Final = "$erased"
"""The only name in the data of an event that were erased; it holds the digest that the chain has of them."""


class Seal(NamedTuple):
    """What the chain keeps of an advance: `links` of its events, end to end; without events the last link before.

    `first` is the number of its first event, `length` how many it has. `salts` is the advance's one salt, or, once
    something in it was erased, one for each event.
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
        if len(self.salts) == SALT:
            return event_salt(self.salts, seq)
        place = (seq - self.first) * SALT
        return self.salts[place : place + SALT]

    @property
    def head(self) -> bytes:
        return self.links[-LENGTH:]


def seal(before: bytes, instance: str, version: int, first: int, events: Iterable[Event], salt: bytes) -> Seal:
    """The seal of an advance that brought the instance to `version`; `before` is the head of the chain until then."""
    head, links = before, list[bytes]()
    for event in events:
        digest = data_digest(event_salt(salt, event.seq), event.data)
        head = link(head, instance, event.seq, event.at, event.type, event.element, event.branch, digest)
        links.append(head)
    return Seal(version, first, len(links), salt, b"".join(links) or before)


def event_salt(advance_salt: bytes, seq: int) -> bytes:
    return sha256(advance_salt + seq.to_bytes(8, "big")).digest()[:SALT]


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


def _canonical(data: Mapping[str, Any]) -> bytes:
    """The same bytes for what was logged and for what is read back of it."""
    try:
        return orjson.dumps(data, option=orjson.OPT_SORT_KEYS, default=_plain)
    except TypeError:
        return canonical(data)  # an integer over 64 bits


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
