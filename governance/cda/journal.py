"""A memory's journal in a file: one JSON object per line, appended and flushed; nothing is ever rewritten."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from governance.cda.errors import BrokenJournal


class FileJournal:
    """Lines of JSON at `path`. A last line that was cut off by a crash is passed over and written anew."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, event: Mapping[str, Any]) -> None:
        """Write one event and see it to the disk. Raises OSError."""
        line = json.dumps(event, separators=(",", ":"), allow_nan=False) + "\n"
        with self._path.open("a", encoding="ascii") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def events(self) -> Iterator[Mapping[str, Any]]:
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            whole = 0
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    self._cut(whole)
                    return
                whole += len(line)
                yield self._parsed(number, line)

    def _cut(self, whole: int) -> None:
        with self._path.open("r+b") as file:
            file.truncate(whole)

    def _parsed(self, number: int, line: bytes) -> Mapping[str, Any]:
        try:
            event = json.loads(line)
        except ValueError as error:
            raise BrokenJournal(str(self._path), number, f"no JSON: {error}") from error
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise BrokenJournal(str(self._path), number, "no event")
        return event
