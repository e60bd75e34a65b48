"""Scripts in full Python run in a process of their own: limited, without a network, for those who trust them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bpmn.expressions.places import Where
from bpmn.load import load
from engine.scripts.trusted import ScriptFailed, ScriptLimits, TrustedScript
from engine.status import Status
from tests.bpmn.files import FILE, chain, finding
from tests.engine.running import Run

WHERE = Where("a.bpmn", "t", 10)
TASK = '<scriptTask id="a"><script>import math\ny = math.floor(x)</script></scriptTask>'


def run(text: str, limits: ScriptLimits | None = None, **variables: Any) -> Any:
    return TrustedScript(text, WHERE, limits).execute(variables)


def test_it_sees_the_variables_and_leaves_what_is_json() -> None:
    text = "import re\ndef f(n): return n + 1\ny = f(x)\nitems.append(y)\ndel gone\nz = {1, 2}"
    changes = run(text, x=1, items=[], gone=0, same=5)
    assert changes.set == {"y": 2, "items": [2]}
    assert changes.deleted == {"gone"}


def test_what_it_raises_names_file_element_and_line() -> None:
    with pytest.raises(ScriptFailed, match=r"a\.bpmn:11: t: the script failed: KeyError: 'q'"):
        run("a = {}\na['q']")
    with pytest.raises(ScriptFailed, match="SyntaxError"):
        run("a = = 1")
    with pytest.raises(ScriptFailed, match="SystemExit"):
        run("import sys\nsys.exit(3)")


@pytest.mark.parametrize("namespaces", [True, False])
def test_it_has_no_network_and_no_secrets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, namespaces: bool
) -> None:
    monkeypatch.setenv("GOVERNOR_SECRET", "hush")
    text = (
        "import os, socket\nreached = []\n"
        "for family, place in ((socket.AF_INET, (host, port)), (socket.AF_UNIX, path)):\n"
        "    try:\n        one = socket.socket(family)\n        one.connect(place)\n        reached.append(place)\n"
        "    except OSError as error:\n        pass\n"
        "secret = os.environ.get('GOVERNOR_SECRET')\nfiles = os.listdir('.')"
    )
    path = str(tmp_path / "door")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as door:
        host, port = server.getsockname()
        door.bind(path)
        door.listen()
        found = run(text, ScriptLimits(namespaces=namespaces), host=host, port=port, path=path).set
    assert (found["reached"], found["secret"], found["files"]) == ([], None, [])


ANSWERS = """import os
def say(said):
    for place in range(3, 20):
        try:
            os.write(place, said)
        except OSError:
            pass"""
"""Writes to whatever is open, where the answer goes among it."""
LEAVES = """import os, time
child = os.fork()
if child == 0:
    os.setsid()
    time.sleep(20)
    os._exit(0)"""
"""Leaves somebody behind who holds what is open, and is out of the reach of signals to the group."""


@pytest.mark.parametrize(
    ("text", "limits", "reason"),
    [
        ("while True: pass", ScriptLimits(cpu_s=1), "more than 1 seconds of computing"),
        ("import time; time.sleep(60)", ScriptLimits(wall_s=0.5), "not done after 0.5 seconds"),
        ("x = bytearray(2 << 30)", ScriptLimits(), "MemoryError"),
        ("with open('f', 'w') as f: f.write('x' * 100)", ScriptLimits(), "OSError"),
        ("import os; os._exit(7)", ScriptLimits(), "ended without an answer"),
        ("import os; os.kill(os.getpid(), 11)", ScriptLimits(), "ended without an answer"),
        (f"{ANSWERS}\nwhile True: say(b'x' * 65536)", ScriptLimits(), "has more than 10,000,000 bytes"),
        (f"{LEAVES}\ntime.sleep(60)", ScriptLimits(wall_s=1), "not done after 1 seconds"),
    ],
)
def test_limits(text: str, limits: ScriptLimits, reason: str) -> None:
    with pytest.raises(ScriptFailed, match=reason):
        run(text, limits)


@pytest.mark.parametrize("namespaces", [True, False])
def test_where_it_may_have_namespaces_it_reaches_nobody_outside(namespaces: bool) -> None:
    text = (
        "import os\nreached = []\n"
        "try:\n    reached.append(open(f'/proc/{outside}/environ').read())\nexcept OSError:\n    pass\n"
        "try:\n    reached.append(os.kill(outside, 0))\nexcept OSError:\n    pass\n"
        "who = os.getuid()"
    )
    found = run(text, ScriptLimits(namespaces=namespaces), outside=os.getpid()).set
    assert (len(found["reached"]), found["who"]) == (0 if namespaces and may_have_namespaces() else 2, os.getuid())


@pytest.mark.parametrize("namespaces", [True, False])
def test_where_it_may_have_namespaces_what_it_leaves_behind_ends_with_it(tmp_path: Path, namespaces: bool) -> None:
    left = tmp_path / "left"
    os.mkfifo(left)
    reader = os.open(left, os.O_RDONLY | os.O_NONBLOCK)
    limits = ScriptLimits(namespaces=namespaces)
    found = run(f"import os\nheld = os.open({str(left)!r}, os.O_WRONLY)\n{LEAVES}\nleft = child", limits).set
    try:
        held = b"" if namespaces and may_have_namespaces() else None
        assert _read_now(reader) == held
    finally:
        os.close(reader)
        if not namespaces:
            os.kill(found["left"], signal.SIGKILL)


def _read_now(reader: int) -> bytes | None:
    """What is there to read: nothing where nobody holds the other end, None where somebody does."""
    try:
        return os.read(reader, 1)
    except BlockingIOError:
        return None


def may_have_namespaces() -> bool:
    probe = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x70000000) != 0)"
    return subprocess.run([sys.executable, "-c", probe], check=False, timeout=20).returncode == 0


def test_what_it_leaves_behind_does_not_keep_its_answer_back() -> None:
    assert run(f"{LEAVES}\nx = 1", ScriptLimits(wall_s=15)).set["x"] == 1


@pytest.mark.parametrize(
    "answer",
    ["5", "null", "[]", '{"set": {}}', '{"set": [1], "deleted": []}', '{"set": {}, "deleted": [1]}', '{"error": 1}',
     '{"error": "x", "line": "y"}', "[" * 200_000],
    ids=lambda answer: answer[:20],
)  # fmt: skip
def test_what_is_no_answer_is_a_failure(answer: str) -> None:
    with pytest.raises(ScriptFailed, match=r"no answer|without an answer"):
        run(f"{ANSWERS}\nsay({answer.encode()!r})\nos._exit(0)")


@pytest.mark.parametrize(
    ("text", "value"),
    [("x = True", True), ("x = 1.0", 1.0), ("x = [1]", [1]), ("x = None", None), ("x = 2", 2), ("x = '1'", "1")],
)
def test_what_looks_alike_is_kept_as_it_is(text: str, value: Any) -> None:
    changed = run(text, x=1).set
    assert [(name, type(each), each) for name, each in changed.items()] == [("x", type(value), value)]
    inside = run(text.replace("x =", "x['a'] ="), x={"a": 1}).set
    assert [(type(each["a"]), each["a"]) for each in inside.values()] == [(type(value), value)]


@pytest.mark.parametrize(
    "text", ["x = {1, 2}", "x = float('nan')", "x = 10 ** 5000", "import json as x", "x = [x, x.__class__]"]
)
def test_a_variable_that_cannot_be_kept_is_told_and_not_left_as_it_was(text: str) -> None:
    with pytest.raises(ScriptFailed, match=r"the variable x cannot be kept: a value of type .* is no JSON"):
        run(text, x=1)


def test_only_who_trusts_a_file_runs_it() -> None:
    assert "--trust-scripts" in str(finding(chain(TASK), "script"))
    found = load(chain(TASK), file=FILE, trust_scripts=True)
    assert not found.errors
    script = found.definition.processes["p"].scope.elements["a"].script
    assert script is not None
    assert script.trusted
    assert [each.rule for each in found.findings] == ["trusted-script"]
    plain = load(chain('<scriptTask id="a"><script>y = 1</script></scriptTask>'), file=FILE, trust_scripts=True)
    assert not plain.findings


@pytest.mark.parametrize("language", ["javascript", "groovy"])
def test_other_languages_are_refused_by_name_whoever_trusts_them(language: str) -> None:
    data = chain(f'<scriptTask id="a" scriptFormat="{language}"><script>x = 1;</script></scriptTask>')
    [error] = load(data, file=FILE, trust_scripts=True).errors
    assert f"the language is {language}" in error.message
    assert "a serviceTask with a handler" in error.allowed


def test_a_process_runs_it() -> None:
    from engine.launch import deploy

    found = load(chain(TASK), file=FILE, trust_scripts=True)
    deployed = deploy(found.definition, "hash", "p")
    done = Run(chain(TASK), {"x": 2.5}, deployed=deployed)
    assert (done.status, done.variables) == (Status.COMPLETED, {"x": 2.5, "y": 2})
    failed = Run(chain(TASK), {}, deployed=deployed)
    assert failed.status is Status.FAILED
    assert "NameError" in str(failed.instance.reason)
