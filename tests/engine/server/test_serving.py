"""The command: one clear line where something is missing or taken; timers fire while it serves."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

from bpmn.load import load
from engine.embedding import open_governor
from governance.ports import FixedClock
from tests.engine.cli.command import COMMAND, environment, governor_child
from tests.engine.models import edges, end, model, script, start
from tests.engine.server.clients import create_app
from tests.project.tree import ROOT

TIMER = (
    '<intermediateCatchEvent id="wait"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>'
    "</intermediateCatchEvent>"
)


def test_without_the_extra_there_is_one_clear_line() -> None:
    code = (
        "import sys\nsys.modules['fastapi'] = None\nsys.argv = ['governor', 'serve']\n"
        "from engine.cli.app import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr == "governor: governor serve needs fastapi: pip install 'bpmn-governor[server]'\n"


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = governor_child("serve", "--db", str(tmp_path / "a.db"), "--port", str(taken.getsockname()[1]))
    assert told.code == 2
    assert "address already in use" in told.err
    assert len(told.err.splitlines()) == 1


def test_it_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--db", str(tmp_path / "a.db"), "--port", "0"]
    child = subprocess.Popen(command, env={**environment(), "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", child.stdout.readline())
        assert found is not None
        assert "/first?secret=" in child.stdout.readline()
        with urlopen(f"{found[0]}/v1/health") as answer:
            assert answer.status == 200
        os.kill(child.pid, signal.SIGTERM)
        assert child.wait(30) in (0, -signal.SIGTERM)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()  # type: ignore[union-attr]


def test_timers_fire_while_it_serves(tmp_path: Path) -> None:
    from engine.server.timekeeper import Timekeeper

    assert create_app
    clock = FixedClock(datetime(2026, 5, 1, tzinfo=UTC))
    with open_governor(str(tmp_path / "a.db"), clock=clock) as governor:
        source = model(start(), TIMER, script("after", "done = True"), end(), edges("s > wait > after > e"))
        instance = governor.start(load(source, file="timer.bpmn"), {}).instance
        keeper = Timekeeper(governor)
        assert keeper.tick() == []
        clock.move_to(datetime(2026, 5, 1, tzinfo=UTC) + timedelta(hours=2))
        assert keeper.tick() == [instance]
        assert governor.result(instance).status == "completed"


