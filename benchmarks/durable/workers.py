"""Five steps by workers: instances that were handed on, from the first one that is done to the last."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Final

from benchmarks.durable.ours import Spent, cpu_of
from benchmarks.durable.work import process
from bpmn.load import load
from engine.embedding import open_governor

_COMMAND: Final = [sys.executable, "-c", "from engine.cli.app import main; main()", "worker"]
_HANDLERS: Final = str(Path(__file__).with_name("work.py"))
SLOTS: Final = 16
_OPTIONS: Final = ("--slots", str(SLOTS), "--poll", "0.05", "--handlers", _HANDLERS)


def run(url: str, count: int, instances: int) -> Spent:
    """`count` workers beside each other. What their start costs is not counted."""
    with open_governor(url, detached=True, settings={"handlers": [_HANDLERS]}) as governor:
        loaded = load(process(), file="steps.bpmn")
        for _ in range(instances):
            governor.start(loaded, {})
        programs = [
            subprocess.Popen([*_COMMAND, "--db", url, *_OPTIONS], stdout=subprocess.PIPE, text=True)
            for _ in range(count)
        ]
        try:
            return _watched(url, programs, instances)
        finally:
            for program in programs:
                program.terminate()
                program.wait(60)
                assert program.stdout is not None
                program.stdout.close()


def _watched(url: str, programs: list[subprocess.Popen[str]], instances: int) -> Spent:
    import psycopg

    for program in programs:
        assert program.stdout is not None
        assert "ready" in program.stdout.readline()
    before = [cpu_of(program.pid) for program in programs]
    with psycopg.connect(url, autocommit=True) as connection:
        def done() -> int:
            found = connection.execute("SELECT count(*) FROM gov_instance WHERE status = 'completed'").fetchone()
            assert found is not None
            return int(found[0])

        begun = done()
        connection.execute("LISTEN nothing")
        while done() < instances:
            list(connection.notifies(timeout=0.2))
        ends = connection.execute("SELECT updated_at FROM gov_instance ORDER BY updated_at").fetchall()
    cpu = sum(cpu_of(program.pid) - was for program, was in zip(programs, before, strict=True))
    first = instances // 10
    seconds = _seconds(ends[-1][0]) - _seconds(ends[first][0])
    rate = (instances - first) / seconds
    counted = max(1, instances - begun)
    return Spent(instances, instances / rate, cpu * instances / counted)


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
