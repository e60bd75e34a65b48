"""The bytes of a file, under a limit of size."""

from __future__ import annotations

import os
from dataclasses import dataclass

from bpmn.errors import LimitExceeded, UnreadableFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is read at most: bytes, XML elements (drawing included), XML depth, and sub-processes inside each other."""

    bytes: int = 20_000_000
    elements: int = 500_000
    depth: int = 200
    nesting: int = 50


def read_source(source: str | os.PathLike[str] | bytes, file: str, limits: Limits) -> bytes:
    """The bytes at a path, or the bytes given.

    Raises `UnreadableFile` (missing, a directory, not permitted, empty) and `LimitExceeded`.
    """
    data = source if isinstance(source, bytes) else _read_path(source, file, limits.bytes + 1)
    if len(data) > limits.bytes:
        raise LimitExceeded("the file is too large", file=file, allowed=f"at most {limits.bytes:,} bytes")
    if not data.strip():
        raise UnreadableFile("the file is empty", file=file, allowed="a BPMN 2.0 file (XML)")
    return data


def _read_path(path: str | os.PathLike[str], file: str, most: int) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(most)
    except IsADirectoryError as error:
        raise UnreadableFile("this is a directory", file=file, allowed="a BPMN 2.0 file (XML)") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnreadableFile(f"the file cannot be read: {reason}", file=file) from error
