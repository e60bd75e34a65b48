"""Writes down what a database of the present schema looks like, to be opened by the versions to come.

`python -m tests.engine.store.golden.make sqlite FOLDER` or `... postgresql FOLDER`: run it once, when a schema is new.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.governor import Governor
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from engine.store.tables import SCHEMA_VERSION
from governance.ports import FixedClock
from tests.bpmn.files import policy
from tests.engine.models import boundary, edges, end, gateway, model, script, service, start, timer, user

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ASKED = policy('<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>')
PROCESS = model(
    start(), script("count", "n = n + 1"), gateway("split"), user("ask"), service("work", inside=ASKED),
    f'<intermediateCatchEvent id="later">{timer("PT1H")}</intermediateCatchEvent>', gateway("join"), script("sum",
    "total = n + said"), end(), boundary("late", "ask", timer("P1D"), interrupting=False), script("remind",
    "reminded = True"), end("f"),
    edges("s > count > split > ask > join > sum > e", "split > work > join", "split > later > join",
          "late > remind > f"),
)  # fmt: skip
"""A person, an approval before a service, and timers, all at once."""
PLAIN = model(start(), script("a", "x = 1"), end(), edges("s > a > e"))


class FirstWords:
    def summarise(self, value: object, *, query: str, limit: int) -> str:
        return str(value)[:limit]


class Done:
    """Does every service."""

    def __call__(self, settings: object) -> Done:
        return self

    def handler_for(self, element: object) -> object:
        return self._do

    def require(self, definition: object) -> None: ...

    def _do(self, work: Work) -> Outcome:
        return Outcome(outputs={"worked": work.key})


def governor(where: str, at: datetime = NOON, handlers: Done | None = None) -> Governor:
    return Governor(
        SqlStore(Database(where)),
        clock=FixedClock(at),
        ids=SequentialIds("golden-"),
        summariser=FirstWords(),
        handlers=handlers or Done(),  # type: ignore[arg-type]
    )


def fill(where: str) -> None:
    """One instance that has completed, one that waits for everything there is to wait for."""
    with governor(where) as opened:
        assert opened.start(load(PLAIN, file="plain.bpmn"), {}).status == "completed"
        assert opened.start(load(PROCESS, file="process.bpmn"), {"n": 1}).status == "waiting"


def main(kind: str, folder: Path) -> None:
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "governor.db"
            fill(str(path))
            content, name = path.read_bytes(), f"schema_{SCHEMA_VERSION}.db.gz"
    else:
        from tests.engine.postgres import cluster, programs

        bin = programs()
        assert bin is not None
        with cluster() as made:
            url = made.url(made.new_database())
            fill(url)
            command = [str(bin / "pg_dump"), "--inserts", "--no-owner", "--no-privileges", url]
            content = subprocess.run(command, check=True, capture_output=True).stdout
            name = f"schema_{SCHEMA_VERSION}.sql.gz"
    (folder / name).write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
