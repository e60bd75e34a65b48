"""Opens an archive that anybody may have made: nothing is extracted, and nothing may be larger than it says."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from engine.evidence.archive import FILES, FORMAT, MANIFEST, SIGNATURE, VERSION
from engine.evidence.errors import BadArchive
from governance.snapshots.canonical import decode

MOST_PACKED: Final = 256 * 1024 * 1024
MOST: Final = 1024 * 1024 * 1024
"""Bytes of an archive, and of all that is in it."""
_SMALL: Final = 1024 * 1024
"""Bytes of a manifest and of a signature."""


class Opened(NamedTuple):
    """What is in an archive: files by name, as bytes; the manifest, and the signature, None without one."""

    manifest: dict[str, Any]
    signature: Any
    files: Mapping[str, bytes]


def open_archive(path: str) -> Opened:
    """Read an archive. Raises BadArchive where it is none, too large, or has other files than it should, OSError."""
    if os.path.getsize(path) > MOST_PACKED:
        raise BadArchive(path, f"has more than {MOST_PACKED:,} bytes")
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(path, archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise BadArchive(path, "is no evidence archive, or is damaged") from error


def broken_files(opened: Opened) -> list[str]:
    """Names of files that are not what the manifest says."""
    told = opened.manifest["files"]
    return [
        name
        for name in FILES
        if not isinstance(told.get(name), dict) or told[name].get("sha256") != sha256(opened.files[name]).hexdigest()
    ]


def parse(path: str, name: str, body: bytes) -> Any:
    """JSON of an archive. Raises BadArchive."""
    try:
        return decode(body)
    except (ValueError, RecursionError) as error:
        raise BadArchive(path, f"{name} is no JSON") from error


def _read(path: str, archive: zipfile.ZipFile) -> Opened:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    allowed = {*FILES, MANIFEST, SIGNATURE}
    strange = next((name for name in names if name not in allowed), None)
    if strange is not None or len(set(names)) != len(names):
        found = f"holds {strange!r}, which no evidence archive does" if strange is not None else "holds a file twice"
        raise BadArchive(path, found)
    missing = sorted({*FILES, MANIFEST} - set(names))
    if missing:
        raise BadArchive(path, f"lacks {', '.join(missing)}")
    if sum(info.file_size for info in infos) > MOST:
        raise BadArchive(path, f"unpacks to more than {MOST:,} bytes")
    files = {info.filename: _bounded(path, archive, info) for info in infos}
    manifest = parse(path, MANIFEST, files.pop(MANIFEST))
    if not isinstance(manifest, dict) or (manifest.get("format"), manifest.get("version")) != (FORMAT, VERSION):
        raise BadArchive(path, "is no evidence archive of this version")
    if not isinstance(manifest.get("files"), dict) or not isinstance(manifest.get("instance"), str):
        raise BadArchive(path, "its manifest says nothing of its files")
    signature = files.pop(SIGNATURE, None)
    return Opened(manifest, None if signature is None else parse(path, SIGNATURE, signature), files)


def _bounded(path: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """A file's bytes: no more than it says it has, whatever it unpacks to."""
    if info.filename in (MANIFEST, SIGNATURE) and info.file_size > _SMALL:
        raise BadArchive(path, f"{info.filename} has more than {_SMALL:,} bytes")
    with archive.open(info) as stream:
        body = stream.read(info.file_size + 1)
    if len(body) != info.file_size:
        raise BadArchive(path, f"{info.filename} is not as long as it says")
    return body
