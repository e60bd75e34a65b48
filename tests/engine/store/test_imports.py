"""What the engine needs to talk about the store comes without the database library."""

from __future__ import annotations

import subprocess
import sys

LIGHT = ("advance", "checkpoints", "errors", "ids", "location", "port")
HEAVY = {"sqlalchemy", "sqlmodel", "sqlite3"}


def test_the_port_is_light() -> None:
    imports = ", ".join(f"engine.store.{name}" for name in LIGHT)
    code = f"import sys, {imports}; print(sorted({HEAVY} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_store_is_the_port() -> None:
    from engine.store.port import InstanceStore
    from engine.store.store import SqlStore

    def takes(store: InstanceStore) -> None: ...

    def gives(store: SqlStore) -> None:
        takes(store)  # checked by the type checker

    members = {name for name in vars(InstanceStore) if not name.startswith("_")}
    made = SqlStore.__init__.__code__.co_names
    assert members <= {*dir(SqlStore), *made}
