"""Interrupts, kills and readers that go away: nothing is lost, nothing is shown that helps nobody."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.engine.cli.command import COMMAND, environment, governor
from tests.engine.cli.files import STEPS, Folder, service

TWO_SERVICES = service("first").replace(
    '<endEvent id="e"/>', '<serviceTask id="then" gov:jobType="then"/><endEvent id="e"/>'
).replace('sourceRef="work" targetRef="e"/>', 'sourceRef="work" targetRef="then"/>'
          '<sequenceFlow id="f2" sourceRef="then" targetRef="e"/>')

BLOCKING = """
import os
def block(job):
    with open({ready!r}, "w") as ready:
        ready.write("here")
    with open({go!r}) as go:
        go.read()
    return {{"then": True}}
HANDLERS = {{"first": lambda job: {{"first": 1}}, "then": block}}
"""

SIMPLE = 'HANDLERS = {"first": lambda job: {"first": 2}, "then": lambda job: {"then": True}}'


@pytest.fixture
def blocked(folder: Folder) -> subprocess.Popen[str]:
    """A run that has done its first service and is inside its second."""
    ready, go = folder.path / "ready", folder.path / "go"
    os.mkfifo(ready)
    os.mkfifo(go)
    handlers = folder.put("blocking.py", BLOCKING.format(ready=str(ready), go=str(go)))
    file = folder.put("two.bpmn", TWO_SERVICES)
    child = subprocess.Popen(
        [*COMMAND, "run", file, "--handlers", handlers, "--db", folder.db],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert Path(ready).read_text() == "here"
    return child


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_run_that_is_stopped_goes_on_from_its_last_advance(
    folder: Folder, blocked: subprocess.Popen[str], number: int, code: int
) -> None:
    blocked.send_signal(number)
    out, err = blocked.communicate(timeout=60)
    assert blocked.returncode == code
    assert "Traceback" not in out + err
    record = governor("instances", "--db", folder.db, "--json").json["instances"][0]
    if number == signal.SIGINT:
        assert err.endswith(f"governor: interrupted; go on with: governor resume {record['id']}\n")
    assert record["status"] == "running"
    handlers = folder.put("simple.py", SIMPLE)
    told = governor("resume", record["id"], "--handlers", handlers, "--db", folder.db, "--json")
    assert told.code == 0
    assert told.json["variables"] == {"first": 1, "then": True}


def test_who_reads_the_output_may_go_away(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    reading, writing = os.pipe()
    os.close(reading)
    command = [*COMMAND, "instances", "--db", folder.db]
    done = subprocess.run(command, env=environment(), stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_run_goes_on_when_nobody_reads_its_progress(folder: Folder) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [*COMMAND, "run", folder.put("steps.bpmn", STEPS), "--db", folder.db]
    done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, stderr=writing, text=True, timeout=60)
    os.close(writing)
    assert done.returncode == 0
    assert "Three steps completed" in done.stdout


def test_letters_that_a_terminal_lacks_stop_nothing(folder: Folder) -> None:
    command = [*COMMAND, "run", folder.put("steps.bpmn", STEPS), "--db", folder.db]
    environ = environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "\\u2591" in done.stderr


def test_another_package_of_our_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "governance").mkdir()
    (tmp_path / "governance" / "__init__.py").write_text("x = 1\n")
    env = environment()
    env["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{env['PYTHONPATH']}"
    done = subprocess.run([*COMMAND, "--help"], env=env, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("governor: Another package named 'governance' was imported: ")
