"""Entry metadata as values: stored once for all keys that a step writes with the same metadata."""

from __future__ import annotations

from typing import Any

from governance.snapshots.model import EntryMeta
from governance.snapshots.values import ValueStore
from governance.vocabulary import Producer


def put_meta(values: ValueStore, meta: EntryMeta) -> str:
    """Store the metadata; its hash, for `Write.meta`."""
    confidence, activity, branch, producer, created_at, step, citations = meta
    document: dict[str, Any] = {}
    if activity:
        document["activity"] = activity
    if branch:
        document["branch"] = branch
    if citations:
        document["citations"] = list(citations)
    if confidence != 1.0:
        document["confidence"] = float(confidence)
    if created_at:
        document["created_at"] = created_at
    document["producer"] = str(producer)
    if step:
        document["step"] = step
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
