"""Checkpoints: the heads of all chains at one time, signed, to be kept outside of the database.

A chain alone does not show that its end was cut off, or that all of it was written anew. A checkpoint does, if those
who can write to the database cannot write to where it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from engine.evidence.audit import Pinned
from engine.evidence.errors import BadCheckpoint
from engine.evidence.signing import Signer, Verifier
from engine.json_text import pretty
from engine.store.port import InstanceStore
from governance.snapshots.canonical import canonical

FORMAT: Final = "governor-checkpoint"
VERSION: Final = 1
_PAGE: Final = 500
_MOST: Final = 1 << 30
"""Bytes of a checkpoint file: ten million instances."""


def take_checkpoint(store: InstanceStore, at: str) -> dict[str, Any]:
    """The heads of all chains, not signed yet. `at` is a UTC timestamp. Cost: the instances."""
    heads = {id: _head(store, id) for id in every_instance(store)}
    return {"format": FORMAT, "version": VERSION, "at": at, "instances": heads}


def write_checkpoint(file: str, checkpoint: Mapping[str, Any], signer: Signer | None) -> None:
    """Raises OSError."""
    signed = {**checkpoint, "signature": None if signer is None else signer.sign(canonical(dict(checkpoint)))}
    Path(file).write_text(f"{pretty(signed)}\n", encoding="utf-8")


def read_checkpoint(file: str, verifier: Verifier | None) -> tuple[str, dict[str, Pinned]]:
    """When it was taken, and what it says by instance. Raises BadCheckpoint, OSError.

    With `verifier` its signature has to be that key's; without, it says what anybody may have written.
    """
    document = _parsed(file)
    signature = document.pop("signature", None)
    if verifier is not None and not verifier.holds(canonical(document), signature):
        found = "is not signed" if signature is None else "its signature is not by this key, or not of this content"
        raise BadCheckpoint(file, found)
    try:
        heads = document["instances"].items()
        pinned = {id: Pinned(str(id), int(row["events"]), str(row["head"])) for id, row in heads}
        return str(document["at"]), pinned
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadCheckpoint(file, "is no checkpoint of this version") from None


def every_instance(store: InstanceStore) -> Iterator[str]:
    """Ids, the newest first, a page at a time."""
    page = store.instances(limit=_PAGE)
    while page:
        yield from (record.id for record in page)
        page = store.instances(limit=_PAGE, before=page[-1])


def _head(store: InstanceStore, instance: str) -> dict[str, Any]:
    events, head = store.log.head(instance)
    return {"events": events, "head": head.hex()}


def _parsed(file: str) -> dict[str, Any]:
    path = Path(file)
    if path.stat().st_size > _MOST:
        raise BadCheckpoint(file, f"has more than {_MOST:,} bytes")
    try:
        document = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        raise BadCheckpoint(file, "is no JSON") from None
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise BadCheckpoint(file, "is no checkpoint of this version")
    return document
