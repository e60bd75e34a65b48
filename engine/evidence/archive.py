"""Writes the evidence of an instance into one file: a zip of JSON, with a manifest of hashes, signed if wanted."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from engine.evidence.signing import Signer
from governance.snapshots.canonical import canonical

FORMAT: Final = "governor-evidence"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "signature.json"
FILES: Final = (
    "instance.json", "definition.json", "source.bpmn", "policies.json", "events.json", "snapshots.json", "values.json",
    "decisions.json", "shown.json", "versions.json", "outside.json", "masked.json",
)  # fmt: skip
"""What is in an archive beside manifest and signature; nothing else may be."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in it: equal evidence is equal bytes, but for the salt of signatures."""


def write_archive(path: str | os.PathLike[str], contents: Mapping[str, Any], at: str, signer: Signer | None) -> int:
    """Write an archive; how many bytes it has. `at` says when it was made. Raises OSError."""
    files = {name: content if isinstance(content, bytes) else _json(content) for name, content in contents.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "instance": contents["instance.json"]["id"],
        "at": at,
        "files": {name: {"sha256": sha256(body).hexdigest(), "bytes": len(body)} for name, body in files.items()},
    }
    files[MANIFEST] = _json(manifest)
    if signer is not None:
        files[SIGNATURE] = _json(signer.sign(canonical(manifest)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), body, zipfile.ZIP_DEFLATED)
    return os.path.getsize(path)


def _json(content: Any) -> bytes:
    try:
        return orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    except TypeError:
        return canonical(content)  # an integer over 64 bits
