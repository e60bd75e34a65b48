"""What the layers hold at most, and which knowledge outlives its activity (Design: the six layers)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeVar

from governance.snapshots.contents import Contents
from governance.snapshots.metadata import meta
from governance.snapshots.model import Item, key_of
from governance.snapshots.render import full_size
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer

SYSTEM_TOKENS: Final = 2_000
"""What the lines of the SYSTEM layer hold together; a write above it is refused."""

INJECTION_TOKENS: Final = 8_000
"""What one injection of knowledge holds; the least confident items above it are left out."""

LASTING_CONFIDENCE: Final = 0.7
"""Only what is surer than this outlives its activity, or a split that keeps retained entries only."""


class Injected(Protocol):
    """An item of knowledge about to be injected."""

    @property
    def confidence(self) -> float:
        """How sure it is, 0..1."""
        ...

    @property
    def tokens(self) -> int:
        """How many tokens its line has."""
        ...


ItemT = TypeVar("ItemT", bound=Injected)


def fit_injection(items: Sequence[ItemT], tokens: int = INJECTION_TOKENS) -> tuple[list[ItemT], list[ItemT]]:
    """The items that are injected and those left out, both in the order given.

    An item that is larger than `tokens` by itself is left out; of the others the least confident go, later ones
    first, until the rest fits.
    """
    by_confidence = sorted(range(len(items)), key=lambda index: (-items[index].confidence, index))
    kept: set[int] = set()
    room = tokens
    for index in by_confidence:
        if items[index].tokens > tokens:
            continue
        room -= items[index].tokens
        if room < 0:
            break
        kept.add(index)
    return (
        [item for index, item in enumerate(items) if index in kept],
        [item for index, item in enumerate(items) if index not in kept],
    )


def lasts(values: ValueStore, item: Item) -> bool:
    """Whether an entry is sure enough to outlive what it was brought in for."""
    return meta(values, item.meta).confidence > LASTING_CONFIDENCE


def system_tokens(contents: Contents, values: ValueStore, changes: Mapping[str, str | None]) -> int:
    """Tokens of the SYSTEM layer once `changes` are made: the new value hash by name, None for a deletion."""
    tokens = contents.space(Layer.SYSTEM).totals.full_tokens
    for name, value_hash in changes.items():
        key = key_of(Layer.SYSTEM, name)
        before = contents.item(key)
        if before is not None:
            tokens -= full_size(values, key, before.value).tokens
        if value_hash is not None:
            tokens += full_size(values, key, value_hash).tokens
    return tokens
