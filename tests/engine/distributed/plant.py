"""Workers as processes of their own, on a database of their own; what they do outside is written down."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bpmn.load import load
from engine.embedding import open_governor
from engine.events import Event
from engine.governor import Governor
from engine.result import RunResult
from tests.engine.cli.command import COMMAND, environment
from tests.engine.noting import NOTING

QUICK = ("--beat", "0.5", "--lease", "4", "--poll", "0.05")
"""Times that make a test quick, on a machine that is busy, too."""
_DEADLINE = 120.0

HANDLERS = NOTING + '''

def hold(job):
    """Until the test lets it go on."""
    gate = HERE / f"{{job.key.replace('/', '-')}}-{{os.getpid()}}"
    os.mkfifo(gate)
    note("held", job)
    with open(gate) as go:
        go.readline()
    note("hold", job)
    return {{"held": True}}


def die(job):
    note("die", job)
    os.kill(os.getpid(), 9)


HANDLERS = {{"first": do, "last": do, "hold": hold, "die": die}}
'''


@dataclass
class Worker:
    """A worker's process, and what it says."""

    process: subprocess.Popen[str]
    _lines: queue.Queue[str] = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def says(self, text: str) -> str:
        """Wait for a line with this text."""
        heard: list[str] = []
        deadline = time.monotonic() + _DEADLINE
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"never said {text!r}, but: {heard}") from None
            if text in line:
                return line
            assert line, f"ended without {text!r}: {heard}"
            heard.append(line)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def ends(self) -> int:
        """Wait for its end; its exit code."""
        return self.process.wait(_DEADLINE)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip() or " ")
        self._lines.put("")


class Plant:
    """A database, its workers, and a log of effects."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.handlers = folder / "doing.py"
        self.handlers.write_text(HANDLERS.format(folder=str(folder)))
        self._workers: list[Worker] = []
        self._gates: list[int] = []
        with open_governor(url):
            pass
        with self._connected() as connection:
            connection.execute(_TELL)

    def worker(
        self, *arguments: str, ready: bool = True, protocol: int = 1, times: Sequence[str] = QUICK, **more: str
    ) -> Worker:
        """One more worker, once it works; `protocol` is that of a later version. Without `times` it has the usual."""
        command = [*COMMAND[:-1], f"import engine.store.advance as a; a.PROTOCOL = {protocol}; {COMMAND[-1]}"]
        process = subprocess.Popen(
            [*command, "worker", "--db", self.url, "--slots", "4", *times, *arguments],
            env=environment(**more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip
        worker = Worker(process)
        self._workers.append(worker)
        if ready:
            worker.says("ready")
        return worker

    def command(self, *arguments: str) -> Worker:
        """A command that may do work, too."""
        process = subprocess.Popen(
            [*COMMAND, *arguments, "--db", self.url], env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self._workers.append(Worker(process))
        return self._workers[-1]

    @contextmanager
    def governor(self, *, detached: bool = True) -> Iterator[Governor]:
        with open_governor(self.url, detached=detached) as governor:
            yield governor

    def start(self, source: bytes, variables: Mapping[str, Any] | None = None, **settings: Any) -> str:
        """Start an instance for the workers; its id."""
        with self.governor() as governor:
            given = {"handlers": [str(self.handlers)], **settings}
            result: RunResult = governor.start(load(source, file="m.bpmn"), variables or {}, settings=given)
            return result.instance

    def until(self, condition: Callable[[], Any]) -> Any:
        """What the condition gives once it is true; it is asked again whenever something in the database changes."""
        deadline = time.monotonic() + _DEADLINE
        with self._connected() as connection:
            connection.execute("LISTEN changed")
            while not (found := condition()):
                assert time.monotonic() < deadline, f"never came true: {self._standing()}"
                for _ in connection.notifies(timeout=0.5, stop_after=1):
                    pass
        return found

    def rows(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with self._connected() as connection:
            return connection.execute(statement.encode(), parameters).fetchall()

    def _connected(self) -> Any:
        import psycopg

        return psycopg.connect(self.url, autocommit=True)

    def statuses(self) -> dict[str, str]:
        return dict(self.rows("SELECT id, status FROM gov_instance"))

    def _standing(self) -> str:
        said = [list(worker._lines.queue) for worker in self._workers]
        dispatched = self.rows("SELECT * FROM gov_dispatch")
        return f"{self.statuses()}, {self.effects()}, {dispatched}, workers said {said}"

    def until_all(self, status: str, *instances: str) -> None:
        self.until(lambda: all(self.statuses()[each] == status for each in instances))

    def effects(self, instance: str | None = None) -> list[tuple[str, str, int]]:
        """(what, idempotency key, process), in order."""
        log = self.folder / "effects"
        rows = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
        found = [(what, key, int(pid)) for what, key, pid in rows]
        return [each for each in found if instance is None or each[1].startswith(f"{instance}/")]

    def done(self, instance: str) -> Counter[str]:
        """How often each effect of an instance happened."""
        return Counter(what for what, _, _ in self.effects(instance))

    def by_whom(self, instance: str) -> set[tuple[str, int]]:
        """Which worker's process did what."""
        return {(what, pid) for what, _, pid in self.effects(instance)}

    def until_held(self, by: Worker, *instances: str) -> None:
        """Until this worker holds them."""
        self.until(lambda: all(("held", by.pid) in self.by_whom(each) for each in instances))

    def let_go(self, by: Worker, instance: str) -> None:
        """Let a worker go on with what it holds."""
        key = next(key for what, key, pid in self.effects(instance) if what == "held" and pid == by.pid)
        # Opened for both, it waits for nobody, such as a worker that is frozen; it stays open until it was read.
        gate = os.open(self.folder / f"{key.replace('/', '-')}-{by.pid}", os.O_RDWR)
        os.write(gate, b"go\n")
        self._gates.append(gate)

    def events(self, instance: str) -> list[Event]:
        with self.governor() as governor:
            return governor.store.events(instance)

    def ends(self) -> None:
        """No worker is left, whatever state it is in."""
        for worker in self._workers:
            if worker.process.poll() is None:
                os.kill(worker.pid, signal.SIGCONT)
                worker.process.kill()
            worker.process.wait(_DEADLINE)
            if worker.process.stdout is not None:
                worker.process.stdout.close()
        for gate in self._gates:
            os.close(gate)


_TELL = """
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY changed; RETURN NULL; END $$;
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON gov_instance FOR EACH STATEMENT EXECUTE FUNCTION tell();
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON gov_dispatch FOR EACH STATEMENT EXECUTE FUNCTION tell();
"""
