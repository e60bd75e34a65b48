"""Where the ids of instances come from."""

from __future__ import annotations

import itertools
import secrets
from typing import Final, Protocol

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without the letters that look like others (Crockford): an id is read out and typed."""


class Ids(Protocol):
    """Makes ids, a new one each time."""

    def new(self) -> str: ...


class RandomIds:
    """Twelve characters, 60 random bits."""

    def new(self) -> str:
        return "".join(secrets.choice(_ALPHABET) for _ in range(12))


class SequentialIds:
    """`prefix` and a number from 1: for tests and recorded runs, which must say the same each time."""

    def __init__(self, prefix: str = "instance-") -> None:
        self._prefix, self._numbers = prefix, itertools.count(1)

    def new(self) -> str:
        return f"{self._prefix}{next(self._numbers)}"
