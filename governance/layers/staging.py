"""Writes to a context that wait for their commit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from governance.errors import LayerRefused
from governance.layers.limits import SYSTEM_TOKENS, system_tokens
from governance.snapshots.contents import Contents
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import EntryMeta, Write, made, name_of, space_of
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer, Producer


class Staged(NamedTuple):
    """A write that waits for its commit; `value` None deletes. `paths` are the parts that change; None: all of it."""

    value: str | None
    producer: Producer
    confidence: float
    citations: tuple[str, ...]
    paths: tuple[str, ...] | None


def staged_in(space: str, staged: Mapping[str, Staged]) -> dict[str, str | None]:
    """Of the writes by full key those in a space: value hashes by name, None for what is deleted."""
    return {name_of(key): write.value for key, write in staged.items() if space_of(key) == space}


def require_room(
    name: str, value_hash: str | None, staged: Mapping[str, Staged], contents: Contents, values: ValueStore
) -> None:
    """Whether SYSTEM may become what is staged and this entry beside it (Design: the six layers).

    Raises LayerRefused above 2,000 tokens.
    """
    tokens = system_tokens(contents, values, {**staged_in(Layer.SYSTEM, staged), name: value_hash})
    if tokens > SYSTEM_TOKENS:
        raise LayerRefused(Layer.SYSTEM, name, f"the layer would hold {tokens} tokens; allowed are {SYSTEM_TOKENS}")


def writes_of(
    staged: Mapping[str, Staged], values: ValueStore, activity: str, branch: str, at: str, step: int
) -> dict[str, Write]:
    """The writes of a commit at that step; entries alike in producer, confidence and citations share their metadata."""
    writes: dict[str, Write] = {}
    about = meta = None
    for key, (value, producer, confidence, citations, paths) in staged.items():
        if meta is None or about != (producer, confidence, citations):
            about = producer, confidence, citations
            meta = put_meta(values, made(EntryMeta, (confidence, activity, branch, producer, at, step, citations)))
        writes[key] = made(Write, (value, meta, paths))
    return writes
