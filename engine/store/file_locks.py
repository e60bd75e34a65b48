"""Locks beside a SQLite file: each is a byte of a file that stays empty.

They belong to an open file, not to a program (Linux, "open file description locks"): two in one program exclude each
other, and closing the file elsewhere takes none of them away. The system gives them up when the program ends, be it
killed.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Collection, Iterable
from contextlib import closing
from errno import EACCES, EAGAIN
from typing import Final

from sqlalchemy import Engine

from engine.store.dialects import Locked
from engine.store.errors import NotWritable

_SUFFIX: Final = "-jobs"
_LOOK: Final = "SELECT version, epoch FROM gov_instance WHERE id = ?"
_SET: Final[int | None] = getattr(fcntl, "F_OFD_SETLK", None)
_FLOCK: Final = struct.Struct("@hhqqi")
"""`struct flock`: type, from where the start counts, start, length, process (none)."""


class FileLocker:
    """The locks that one open file has. `database` is the path of the SQLite file, `engine` connects to it.

    Where the system knows no such locks, each is ours: programs are not kept apart there. Raises NotWritable.
    """

    def __init__(self, database: str, engine: Engine) -> None:
        self._path, self._engine = os.path.realpath(database) + _SUFFIX, engine
        self._file: int | None = None if _SET is None else self._open(os.path.realpath(database))

    def lock(self, numbers: Collection[int], instead: Collection[int], instance: str) -> Locked:
        self.unlock(instead)
        taken = {each for each in numbers if self._set(fcntl.F_WRLCK, each)}
        with closing(self._engine.raw_connection()) as connection:
            row = connection.cursor().execute(_LOOK, (instance,)).fetchone()
        return Locked(taken, row)

    def unlock(self, numbers: Iterable[int]) -> None:
        for each in numbers:
            self._set(fcntl.F_UNLCK, each)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _set(self, kind: int, number: int) -> bool:
        if self._file is None or _SET is None:
            return True
        try:
            fcntl.fcntl(self._file, _SET, _FLOCK.pack(kind, os.SEEK_SET, number, 1, 0))
        except OSError as error:
            if error.errno in (EACCES, EAGAIN):
                return False
            raise NotWritable(self._path, error.strerror or str(error)) from error
        return True

    def _open(self, database: str) -> int:
        """As SQLite does with the files beside its own: who may use the database may use it."""
        try:
            found = os.stat(database)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, found.st_mode & 0o666)
            made = os.fstat(file)
            if made.st_uid == os.geteuid() and (made.st_mode ^ found.st_mode) & 0o666:
                os.fchmod(file, found.st_mode & 0o666)
            if os.geteuid() == 0 and made.st_uid == 0 != found.st_uid:
                os.fchown(file, found.st_uid, found.st_gid)
        except OSError as error:
            raise NotWritable(self._path, error.strerror or str(error)) from error
        return file
