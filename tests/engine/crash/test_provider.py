"""kill -9 in the middle of a conversation with a provider: what was answered or done is not asked or done again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bpmn.files import policy
from tests.engine.chat_models.strict_server.script import Say, in_order, outputs
from tests.engine.chat_models.strict_server.server import KEY, StrictServer, serving
from tests.engine.models import edges, end, model, start
from tests.project.tree import ROOT

HANDLERS = '''
import os
import signal
from pathlib import Path

from engine.activities.job import handler
from engine.activities.tools.declared import tool


def said(what):
    with Path("log").open("a") as file:
        file.write(what + "\\n")


@handler("note")
@tool(effect="read")
def note(job):
    said("note " + job.key.partition("/")[2])
    return {"noted": "s3cret result of " + job.arguments["what"]}


@handler("die")
@tool(effect="read")
def die(job):
    said("die")
    if not Path("died").exists():
        Path("died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"alive": True}
'''
PROCESS = model(
    start(), f'<serviceTask id="a">{policy("""<gov:agent outputs="y" tools="note die"/>""")}</serviceTask>', end(),
    edges("s > a > e"),
)  # fmt: skip


def governor(folder: Path, server: StrictServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "GOVERNOR_DB": str(folder / "runs.db"),
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": KEY,
        "PYTHONPATH": str(ROOT),
    }
    return subprocess.run(
        [sys.executable, "-c", "from engine.cli.app import main; main()", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_a_killed_run_makes_no_call_twice(tmp_path: Path) -> None:
    (tmp_path / "process.bpmn").write_bytes(PROCESS)
    (tmp_path / "handlers.py").write_text(HANDLERS)
    note = ("note", {"what": "s3cret argument"})
    turns = in_order(Say(calls=(note,)), Say(calls=(("die", {}),)), outputs(y="done"))
    with serving(turns) as server:
        run = ("run", "process.bpmn", "--model", "openai:strict-1", "--handlers", "handlers.py", "--json")
        killed = governor(tmp_path, server, *run)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert len(server.asked) == 2
        instance = json.loads(governor(tmp_path, server, "instances", "--json").stdout)["instances"][0]["id"]
        resumed = governor(tmp_path, server, "resume", instance, "--json")
        assert resumed.returncode == 0, resumed.stderr
        assert json.loads(resumed.stdout)["variables"] == {"y": "done"}
        assert len(server.asked) == 3, "each turn was asked for once"
    lines = (tmp_path / "log").read_text().splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["note", "die", "die"], "what was done is not done again"
    kept = (tmp_path / "runs.db").read_bytes()
    assert b"s3cret" not in kept, "arguments and results of tools go with the activity"
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.iterdir()), "the key is kept nowhere"
