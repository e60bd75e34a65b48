"""An event as it is stored, which somebody may have altered."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from engine.evidence.chain import ERASED, data_digest, link
from engine.store.documents import load
from engine.store.packing import unpack


class LoggedEvent(NamedTuple):
    """`data` is None where it cannot be read."""

    seq: int
    at: str
    type: str
    element: str | None
    branch: str
    data: Mapping[str, Any] | None

    @classmethod
    def stored(cls, seq: int, at: str, type: str, element: str | None, branch: str, data: bytes) -> Self:
        return cls(seq, at, type, element, branch, _read(data))

    @property
    def erased(self) -> bool:
        """Whether its data were erased."""
        return self.data is not None and self.data.keys() == {ERASED}

    def link(self, before: bytes, instance: str, salt: bytes) -> bytes | None:
        """What links it to the event before it; None where its data cannot be read."""
        if self.data is None:
            return None
        try:
            digest = data_digest(salt, self.data)
        except ValueError:
            return None
        return link(before, instance, self.seq, self.at, self.type, self.element, self.branch, digest)


def _read(data: bytes) -> Mapping[str, Any] | None:
    try:
        read = load(unpack(data))
    except (zlib.error, ValueError):
        return None
    return read if isinstance(read, dict) else None
