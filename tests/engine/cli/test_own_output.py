"""Commands leave standard output, the database's files and its lock as they should be."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.engine.cli.command import governor, governor_child
from tests.engine.cli.files import STEPS, Folder, service

TALKATIVE = """
import os, subprocess, sys
print("imported")

def work(job):
    print("printed")
    os.write(1, b"written\\n")
    subprocess.run([sys.executable, "-c", "print('by a program')"], check=True)
    return {"done": True}

HANDLERS = {"talk": work}
"""


def test_what_handlers_print_is_not_in_the_json(folder: Folder) -> None:
    file, module = folder.put("talk.bpmn", service("talk")), folder.put("talk.py", TALKATIVE)
    told = governor_child("run", file, "--handlers", module, "--db", folder.db, "--json")
    assert (told.code, told.json["variables"]) == (0, {"done": True})
    assert set(told.err.split("\n")) >= {"imported", "printed", "written", "by a program"}


@pytest.mark.parametrize("arguments", [("instances",), ("inbox", "list"), ("show", "{id}"), ("context", "log", "{id}")])
def test_who_only_looks_waits_for_nobody_who_writes(folder: Folder, arguments: tuple[str, ...]) -> None:
    started = governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--json").json["instance"]
    writer = sqlite3.connect(folder.db, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    told = governor(*(each.format(id=started) for each in arguments), "--db", folder.db)
    writer.execute("ROLLBACK")
    writer.close()
    assert told.code == 0


def test_commands_that_write_leave_nothing_of_the_journal(folder: Folder) -> None:
    """The answers of a model stand in the journal while an activity runs, and in the log of the database after that."""
    secret = "thought of by the model, and nobody may keep it"
    agent = '<extensionElements><gov:agent outputs="n:number"/></extensionElements>'
    file = folder.put("agent.bpmn", service("x").replace(' gov:jobType="x"/>', f">{agent}</serviceTask>"))
    answer = f"{{outputs: {{n: 1, scratch: {secret!r}}}}}"
    turns = folder.put("turns.yaml", f"turns:\n- activity: work\n  answer: {answer}\n")
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    reader = sqlite3.connect(folder.db)  # while another program has it open, nobody empties the log by closing
    assert reader.execute("SELECT count(*) FROM gov_instance").fetchone() == (1,)
    told = governor("run", file, "--model", f"replay:{turns}", "--db", folder.db, "--json")
    assert told.code == 0, told
    files = list(Path(folder.db).parent.glob("governor.db*"))
    assert sorted(each.suffix for each in files) == [".db", ".db-jobs", ".db-shm", ".db-wal"]
    assert all(secret.encode() not in each.read_bytes() for each in files)
    reader.close()
