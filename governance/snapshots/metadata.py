"""Entry metadata as values: stored once for all keys that a step writes with the same metadata."""

from __future__ import annotations

from typing import Any

from governance.snapshots.model import EntryMeta
from governance.snapshots.values import ValueStore
from governance.vocabulary import Producer


def put_meta(values: ValueStore, meta: EntryMeta) -> str:
    """Store the metadata; its hash, for `Write.meta`."""
    document: dict[str, Any] = {}
    if meta.activity:
        document["activity"] = meta.activity
    if meta.branch:
        document["branch"] = meta.branch
    if meta.citations:
        document["citations"] = list(meta.citations)
    if meta.confidence != 1.0:
        document["confidence"] = float(meta.confidence)
    if meta.created_at:
        document["created_at"] = meta.created_at
    document["producer"] = str(meta.producer)
    if meta.step:
        document["step"] = meta.step
    return values.put_own(document)


def meta(values: ValueStore, meta_hash: str) -> EntryMeta:
    """The metadata behind a hash that `put_meta` gave. Raises UnknownValue."""
    known = values.derived("entry meta")
    found: EntryMeta | None = known.get(meta_hash)
    if found is None:
        document = dict(values.get(meta_hash))
        document["producer"] = Producer(document["producer"])
        document["citations"] = tuple(document.get("citations", ()))
        found = known[meta_hash] = EntryMeta(**document)
    return found
