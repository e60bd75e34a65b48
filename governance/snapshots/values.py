"""Values by content address: each stored once, read lazily, measured once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from orjson import dumps

from governance.errors import UnknownValue
from governance.snapshots.canonical import OPTIONS, decode, encode, spell
from governance.snapshots.model import made
from governance.tokens import EstimatingCounter, TokenCounter

Entries = tuple[tuple[str, str], ...]
"""(name, value hash) pairs."""


class Size(NamedTuple):
    """How large a text is: Unicode code points, and tokens by the store's counter."""

    chars: int
    tokens: int


class ValueStore:
    """JSON values by the hash of their canonical spelling.

    `load` fetches canonical bytes by hash from where drained values went; it raises KeyError for an unknown hash.
    """

    def __init__(self, load: Callable[[str], bytes] | None = None, tokens: TokenCounter | None = None) -> None:
        self._counter = tokens or EstimatingCounter()
        self._count_again = lru_cache(maxsize=4096)(self._counter.count)
        self._load = load
        self._values: dict[str, Any] = {}
        self._undrained: dict[str, bytes] = {}
        self._derived: dict[str, dict[str, Any]] = {}
        self.sizes: dict[str, Size] = self.derived("size")
        """What `size` has found, by hash."""
        self.text_sizes: dict[str, Size] = self.derived("text size")
        """What `text_size` has found, by hash."""
        self.record_sizes: dict[str, Size] = self.derived("record size")
        """Sizes of HISTORY records with their outputs in them, by the record's hash."""
        self.record_outputs: dict[str, Entries | None] = self.derived("record outputs")
        """Of the same records (name, value hash) of each output; None for what is no record."""
        self.labels: dict[str, int] = {}
        """What `label_tokens` has found, by name."""

    def put(self, value: Any) -> str:
        """Keep a private copy of `value`; its hash. The same value again is no second copy. Raises NotJson."""
        return self._keep(*encode(value))

    def put_own(self, document: dict[str, Any] | str) -> str:
        """The same for JSON that the caller made, names in order, and lets go of: neither copied nor checked.

        In order, for so it is read back: what goes through its names must not differ after a restart.
        """
        try:
            raw = dumps(document, option=OPTIONS)
        except TypeError:
            raw = spell(document)
        return self._keep(raw, document)

    def get(self, value_hash: str) -> Any:
        """The value, shared by all readers: never change it, `thaw` it. Raises UnknownValue."""
        try:
            return self._values[value_hash]
        except KeyError:
            return self._fetch(value_hash)

    def size(self, value_hash: str) -> Size:
        """Size of the value's canonical JSON text."""
        found = self.sizes.get(value_hash)
        if found is None:
            raw = self._undrained.get(value_hash) or spell(self.get(value_hash))
            found = self.sizes[value_hash] = self.measure(raw.decode())
        return found

    def text_size(self, value_hash: str) -> Size:
        """Size of a value that is text, as the text itself rather than as JSON."""
        found = self.text_sizes.get(value_hash)
        if found is None:
            found = self.text_sizes[value_hash] = self.measure(self.get(value_hash))
        return found

    def measure(self, text: str) -> Size:
        return made(Size, (len(text), self._counter.count(text)))

    def measure_again(self, text: str) -> Size:
        """The same for a short text that comes again and again."""
        return made(Size, (len(text), self._count_again(text)))

    def label_tokens(self, name: str) -> int:
        """Tokens of an entry's name and what stands between it and the text."""
        found = self.labels.get(name)
        if found is None:
            found = self.labels[name] = self._counter.count(f"{name}: ")
        return found

    def tokens(self, text: str) -> int:
        """Tokens of a short text that comes again and again."""
        return self._count_again(text)

    def derived(self, kind: str) -> dict[str, Any]:
        """A cache, by value hash, of what is computed from values; it never goes stale, for values never change."""
        return self._derived.setdefault(kind, {})

    def drain(self) -> list[tuple[str, bytes]]:
        """What was put since the last drain and was not known before, for storing: hash and canonical bytes."""
        drained = list(self._undrained.items())
        self._undrained = {}
        return drained

    def _keep(self, raw: bytes, value: Any) -> str:
        value_hash = sha256(raw).hexdigest()[:32]
        if value_hash not in self._values:
            self._values[value_hash] = value
            self._undrained[value_hash] = bytes(memoryview(raw))
        return value_hash

    def _fetch(self, value_hash: str) -> Any:
        if self._load is None:
            raise UnknownValue(value_hash)
        try:
            raw = self._load(value_hash)
        except KeyError:
            raise UnknownValue(value_hash) from None
        value = self._values[value_hash] = decode(raw)
        return value
