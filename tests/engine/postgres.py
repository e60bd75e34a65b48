"""A PostgreSQL cluster for tests: of its own, in a folder of its own, thrown away in the end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

USER = "governor"
WHY_NOT = "no PostgreSQL is here: initdb and pg_ctl are neither in PATH nor in /usr/lib/postgresql"
_TRIES = 3
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "shared_buffers": "64MB",
    # Nothing here outlives the machine, and a program that is killed loses nothing that the system has in memory.
    "fsync": "off",
    "full_page_writes": "off",
}
_SAFE = {"fsync": "on", "full_page_writes": "on"}


def programs() -> Path | None:
    """The folder of the newest PostgreSQL that is installed, with a server in it."""
    found = shutil.which("pg_ctl")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


class Cluster:
    """A server that listens on a port of this machine and trusts whoever comes."""

    def __init__(self, bin: Path, folder: Path, *, safe: bool = False) -> None:
        self._bin, self._data, self._log = bin, folder / "data", folder / "log"
        self._settings = {**_SETTINGS, **(_SAFE if safe else {})}
        self._numbers = count(1)
        self._as = _somebody_else()
        if self._as:
            shutil.chown(folder, self._as["user"])
        self.port = 0

    def make(self) -> None:
        self._run("initdb", "-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", str(self._data))
        for attempt in range(_TRIES):
            self.port = _free_port()
            try:
                self.start()
                return
            except subprocess.CalledProcessError:
                if attempt == _TRIES - 1:
                    raise

    def start(self) -> None:
        settings = {**self._settings, "port": str(self.port), "unix_socket_directories": str(self._data.parent)}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._run("pg_ctl", "-D", str(self._data), "-l", str(self._log), "-o", options, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """`immediate` is a crash of the server."""
        self._run("pg_ctl", "-D", str(self._data), "-m", mode, "-w", "stop")

    def url(self, name: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"

    def new_database(self, template: str = "template0") -> str:
        """The name of an empty one, or of a copy."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, name: str) -> None:
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), *arguments]
        # The server keeps what it inherits open: a pipe would never end.
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **self._as)


class Fresh:
    """URLs of new databases, copies of a template; those before the last one are dropped."""

    def __init__(self, made: Cluster, template: str) -> None:
        self._made, self._template = made, template
        self._last: str | None = None

    def url(self) -> str:
        if self._last is not None:
            self._made.drop(self._last)
        self._last = self._made.new_database(self._template)
        return self._made.url(self._last)


@contextmanager
def cluster(*, safe: bool = False) -> Iterator[Cluster]:
    """Made, and gone in the end; `safe`: it writes to the disk as a real one does. Needs `programs()`."""
    bin = programs()
    assert bin is not None, WHY_NOT
    with tempfile.TemporaryDirectory(prefix="governor-pg-", ignore_cleanup_errors=True) as folder:
        made = Cluster(bin, Path(folder), safe=safe)
        made.make()
        try:
            yield made
        finally:
            made.stop("immediate")


def _somebody_else() -> dict[str, Any]:
    """A server refuses to be root's."""
    if os.geteuid() != 0:
        return {}
    import pwd

    known = {each.pw_name for each in pwd.getpwall()}
    user = "postgres" if "postgres" in known else "nobody"
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _version(place: Path) -> float:
    try:
        return float(place.parent.name)
    except ValueError:
        return 0.0
