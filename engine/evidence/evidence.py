"""The evidence of an instance, from its store to a file."""

from __future__ import annotations

import os

from engine.evidence.archive import write_archive
from engine.evidence.contents import contents
from engine.evidence.signing import Signer
from engine.evidence.withholding import withheld
from engine.persistence import graph_from
from engine.personal.maskers import masker_for
from engine.store.port import InstanceStore


def write_evidence(
    store: InstanceStore,
    instance: str,
    path: str | os.PathLike[str],
    at: str,
    *,
    personal: bool = False,
    signer: Signer | None = None,
) -> tuple[int, int]:
    """Write an archive, made at the timestamp `at`; how many bytes and events it has.

    What policies call personal is withheld, unless `personal`. Raises StoreError, OSError.
    """
    found = contents(store, graph_from(store, instance), instance)
    if not personal:
        found = withheld(found, masker_for(store, instance))
    return write_archive(path, found, at, signer), len(found["events.json"])
