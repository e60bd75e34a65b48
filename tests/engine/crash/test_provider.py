"""kill -9 in the middle of a conversation with a provider: what was answered or done is not asked or done again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.embedding import open_governor
from engine.events import EventType
from tests.bpmn.files import policy
from tests.engine.chat_models.strict_server.script import Say, in_order, outputs
from tests.engine.chat_models.strict_server.server import KEY, StrictServer, serving
from tests.engine.models import edges, end, model, start
from tests.project.tree import ROOT

HANDLERS = '''
import os
import signal
from pathlib import Path
from typing import Any

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


@pytest.mark.slow
def test_what_was_refused_or_told_before_a_kill_is_on_record_after_it(tmp_path: Path) -> None:
    """What a call came to is in the journal, so that nobody looks at it again; its events come with the commit."""
    process = PROCESS.replace(b"note die", b"fail store human_confirm die")
    (tmp_path / "process.bpmn").write_bytes(process)
    (tmp_path / "handlers.py").write_text(HANDLERS + FAILING)
    fail = Say(calls=(("fail", {"what": "the gate"}),))
    say = {"trigger_type": "RUNTIME", "interaction_level": "MICRO_SUGGESTION", "message": "Nearly there."}
    effects = Say(calls=(("store", {}), ("human_confirm", say)))
    turns = in_order(fail, fail, effects, Say(calls=(("die", {}),)), outputs(y="done"))
    with serving(turns) as server:
        run = ("run", "process.bpmn", "--model", "openai:strict-1", "--handlers", "handlers.py", "--json")
        assert governor(tmp_path, server, *run).returncode == -signal.SIGKILL
        instance = json.loads(governor(tmp_path, server, "instances", "--json").stdout)["instances"][0]["id"]
        assert dead_ends(tmp_path, instance) == [], "nothing was committed"
        assert told_people(tmp_path, instance) == []
        assert governor(tmp_path, server, "resume", instance, "--json").returncode == 0
        told = dead_ends(tmp_path, instance)
    assert [each["what"] for each in told] == ["registered", "refused"]
    assert "the gate is shut" in told[1]["reason"]
    assert (tmp_path / "log").read_text().splitlines() == ["fail", "store", "die", "die"]
    about = [(each["level"], each["message"]) for each in told_people(tmp_path, instance)]
    assert ("MICRO_SUGGESTION", "a calls store: its effect is write") in about
    assert ("MICRO_SUGGESTION", "Nearly there.: the agent says") in about


FAILING = '''

@handler("fail")
@tool(effect="read")
def fail(job):
    said("fail")
    raise ValueError(job.arguments["what"] + " is shut")


@handler("store")
@tool(effect="write")
def store(job):
    said("store")
    return {"stored": True}
'''


def dead_ends(folder: Path, instance: str) -> list[Mapping[str, Any]]:
    with open_governor(f"{folder}/runs.db") as there:
        return [event.data for event in there.events(instance) if event.type is EventType.DEAD_END]


def told_people(folder: Path, instance: str) -> list[Mapping[str, Any]]:
    with open_governor(f"{folder}/runs.db") as there:
        return [event.data for event in there.events(instance) if event.type is EventType.NOTICE]
