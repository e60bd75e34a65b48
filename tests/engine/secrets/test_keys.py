"""A provider's key is told to nobody: neither by a run that works nor by one whose provider repeats the key."""

from __future__ import annotations

import io
import json
import logging
import traceback
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.models.errors import ModelCallFailed
from tests.bpmn.files import policy
from tests.engine.chat_models.providers import local, reached
from tests.engine.chat_models.requests import a_request
from tests.engine.chat_models.strict_server.script import Brain, Fail, Say, in_order, outputs
from tests.engine.chat_models.strict_server.server import KEY, serving
from tests.engine.cli.command import Told, governor
from tests.engine.models import edges, end, model, start
from tests.engine.store.states import where_found

WRONG = "sk-wrong-ABCDEFGHIJKLMNOP"
ODD = "hush0hush0hush0hush0"
"""A key that does not look like one."""
AGENT = policy('<gov:agent outputs="y:string" tools="context_*"/>')
PROCESS = model(start(), f'<serviceTask id="a">{AGENT}</serviceTask>', end(), edges("s > a > e"))
LOOKS = Say(calls=(("context_inspect", {"layer": "ALL"}),))


def refusing(key: str) -> Brain:
    """A provider whose error pages repeat the key, in a body, once in its message and once beside it."""
    return in_order(Fail(400, f"Bad request of {key}, key={key}; 'Authorization: Bearer {key}'"))


RUNS: dict[str, tuple[str, Callable[[], Brain], int]] = {
    "works": (KEY, lambda: in_order(LOOKS, outputs(y="done")), 0),
    "wrong key": (WRONG, lambda: in_order(), 1),
    "wrong key that looks like none": (ODD, lambda: in_order(), 1),
    "repeated in an error": (KEY, lambda: refusing(KEY), 1),
    "fails in the middle": (KEY, lambda: in_order(LOOKS, Fail(400, f"no more for {KEY}")), 1),
}


class Logged(logging.Handler):
    """Everything that is logged, with the exceptions in it and all that caused them."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{logging.Formatter().format(record)} {record.__dict__!r}")


@pytest.fixture
def logged() -> Iterator[Logged]:
    handler, root = Logged(), logging.getLogger()
    ours = [root, *(logging.getLogger(name) for name in ("engine", "governance", "bpmn"))]
    levels = [logger.level for logger in ours]
    root.addHandler(handler)
    for logger in ours[1:]:
        logger.setLevel(logging.DEBUG)
    yield handler
    root.removeHandler(handler)
    for logger, level in zip(ours, levels, strict=True):
        logger.setLevel(level)


@pytest.mark.parametrize("name", RUNS)
def test_a_key_is_told_to_nobody(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged: Logged) -> None:
    key, brain, code = RUNS[name]
    process, db = tmp_path / "process.bpmn", tmp_path / "runs.db"
    process.write_bytes(PROCESS)
    with serving(brain()) as server:
        reached(server, monkeypatch, key)
        told = [governor("run", str(process), "--db", str(db), "--model", "openai:strict-1", "--json")]
        told += [governor("run", str(process), "--db", str(db), "--model", "openai:strict-1")]
    assert told[0].code == code, told[0].err
    instance = json.loads(told[0].out)["instance"]
    looked = looks(instance, db, tmp_path)
    assert [each.err for each in looked if each.code != 0] == []
    said = "".join(each.out + each.err for each in (*told, *looked))
    assert key not in said
    assert key not in "".join(logged.lines)
    assert where_found(db, key) == []
    assert [file.name for file in tmp_path.iterdir() if file.is_file() and key.encode() in whole(file)] == []


def looks(instance: str, db: Path, folder: Path) -> list[Told]:
    """All that there is to look at a run, and to take it elsewhere."""
    out = str(folder)
    commands: list[list[str]] = [
        ["show", instance, "--events", "--json"],
        ["show", instance, "--events"],
        ["incidents", "--json"],
        ["instances", "--json"],
        ["context", "log", instance],
        ["dead-ends", "list", "--json"],
        ["report", instance, "--out", f"{out}/report.html"],
        ["export", instance, "--out", f"{out}/instance.zip"],
        ["evidence", "write", instance, "--out", f"{out}/evidence.zip"],
        ["export-log", "--out", f"{out}/log.xes"],
        ["audit", "verify", "--all"],
    ]
    return [governor(*command, "--db", str(db)) for command in commands]


def whole(file: Path) -> bytes:
    """A file, and what is packed in it."""
    raw = file.read_bytes()
    if not zipfile.is_zipfile(file):
        return raw
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        return raw + b"".join(packed.read(name) for name in packed.namelist())


def test_the_error_that_a_program_gets_holds_no_key_however_it_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither does what caused it: whoever logs an exception logs its causes."""
    with local(in_order(), monkeypatch, key=WRONG) as there, pytest.raises(ModelCallFailed) as failed:
        there.model.answer(a_request())
    told = "".join(traceback.format_exception(failed.value))
    assert "[hidden]" in told
    error: BaseException | None = failed.value
    while error is not None:
        assert WRONG not in f"{told} {error!r} {vars(error)}"
        error = error.__cause__ or error.__context__
