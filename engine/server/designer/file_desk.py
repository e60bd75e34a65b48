"""A file on the disk of whoever runs the program."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Final, Literal

from bpmn.reader.source import Limits, read_source
from engine.server.designer.desk import Agreed, Draft, NotSaved, Overtaken
from engine.whole_file import replace

_MOST_DECISIONS: Final = 50


class FileDesk:
    """One file, saved where it is."""

    verb: Literal["save"] = "save"

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._aside: bytes | None = None

    @property
    def name(self) -> str:
        return self._path.name

    def read(self) -> Draft:
        return Draft(data=read_source(self._path, str(self._path), Limits()))

    def standing(self) -> bytes | None:
        return self.read().data

    def write(self, data: bytes, opened: str, agreed: Agreed) -> Draft:
        with self._lock:
            found = self.read().tag if self._path.exists() else ""
            if found != opened:
                raise Overtaken(self.name, opened, found)
            try:
                replace(self._path, data)
            except OSError as error:
                raise NotSaved(self.name, error.strerror or str(error)) from error
        self._aside = None
        return Draft(data=data)

    def decisions(self) -> list[str]:
        return sorted(str(each) for each in self._path.parent.glob("*.dmn"))[:_MOST_DECISIONS]

    def set_aside(self, data: bytes | None) -> None:
        self._aside = data

    def rescue(self) -> Path | None:
        """Write what was drawn and not saved beside the file; where, None if there is nothing. Raises OSError."""
        if self._aside is None:
            return None
        target = self._path.with_name(f"{self._path.stem}.unsaved{self._path.suffix}")
        replace(target, self._aside)
        return target
