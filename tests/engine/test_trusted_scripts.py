"""Scripts in full Python run in a process of their own: limited, without a network, for those who trust them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bpmn.expressions.places import Where
from bpmn.load import load
from engine.scripts.child import _kills_for_memory
from engine.scripts.hearing import end, hear
from engine.scripts.trusted import ScriptFailed, ScriptLimits, TrustedScript, _why
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
GROWS = "x = []\nwhile True: x.append(bytearray(1 << 20))"
THREADS = """import threading
def spin():
    while True: pass
for _ in range(3): threading.Thread(target=spin).start()
spin()"""


@pytest.mark.parametrize(
    ("text", "limits", "reason"),
    [
        ("while True: pass", ScriptLimits(cpu_s=1), "more than 1 seconds of computing"),
        ("import time; time.sleep(60)", ScriptLimits(wall_s=0.5), "not done after 0.5 seconds"),
        (THREADS, ScriptLimits(cpu_s=1), "more than 1 seconds of computing"),
        ("x = bytearray(2 << 30)", ScriptLimits(), "MemoryError: it wants more than 1,024 MiB"),
        (GROWS, ScriptLimits(memory=200 << 20), "MemoryError: it wants more than 200 MiB"),
        ("with open('f', 'w') as f: f.write('x' * 100)", ScriptLimits(), "OSError"),
        ("import os; os._exit(7)", ScriptLimits(), "ended without an answer"),
        ("import os; os.kill(os.getpid(), 11)", ScriptLimits(), r"ended without an answer \(SIGSEGV\), with 0\.\d sec"),
        ("import os; os.kill(os.getpid(), 9)", ScriptLimits(), r"outside \(SIGKILL\), with 0\.\d seconds of .* MiB"),
        (f"{ANSWERS}\nwhile True: say(b'x' * 65536)", ScriptLimits(), "has more than 10,000,000 bytes"),
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


STARTS = {
    "fork": "os.fork()",
    "fork by number": "assert libc.syscall({'x86_64': 57}.get(platform.machine(), 220), 17, 0, 0, 0, 0) > 0",
    "a process that shares memory": "assert libc.syscall({'x86_64': 56}.get(platform.machine(), 220), 0x100, 0, 0) > 0",
    "clone3": "assert libc.syscall(435, ctypes.byref(ctypes.create_string_buffer(88)), 88) >= 0",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "subprocess": "subprocess.run(['true'])",
    "multiprocessing": "multiprocessing.Process(target=print).start()",
    "shell": "assert os.system('true') == 0",
    "a session": "os.setsid()",
    "a group": "os.setpgid(0, 0)",
    "more memory": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "more computing": "resource.prlimit(0, resource.RLIMIT_CPU, (-1, -1))",
    "a limit that stands where half an address is zero": (
        "place = 1 << 45; long = ctypes.c_long; "
        "libc.mmap(ctypes.c_void_p(place), long(4096), 3, 0x32, -1, long(0)); "
        "ctypes.memmove(place, bytes(ctypes.c_uint64(1 << 30)) * 2, 16); "
        "assert libc.syscall({'x86_64': 302}.get(platform.machine(), 261), 0, 9, long(place), long(0)) == 0"
    ),
    "shared memory": "assert libc.shmget(0, 4096, 0o1600) >= 0",
}
"""Ways to more than the limits give."""


@pytest.mark.parametrize("namespaces", [True, False])
@pytest.mark.parametrize("way", STARTS)
def test_limits_hold_for_all_that_it_does(way: str, namespaces: bool) -> None:
    modules = "ctypes, multiprocessing, os, platform, resource, subprocess"
    text = f"import {modules}\nlibc = ctypes.CDLL(None, use_errno=True)\n{STARTS[way]}"
    with pytest.raises(ScriptFailed, match=r"a\.bpmn:12: t: the script failed: (Permission|Assertion|Value)Error"):
        run(text, ScriptLimits(namespaces=namespaces))


def test_what_is_refused_is_told_for_what_it_is() -> None:
    with pytest.raises(ScriptFailed, match=r"permitted \(a script may start threads but no processes, and open no so"):
        run("import os\nos.fork()")


def test_threads_are_its_own_and_limits_can_be_asked_for() -> None:
    text = (
        "import resource, threading\nnumbers = []\n"
        "them = [threading.Thread(target=numbers.append, args=(n,)) for n in range(8)]\n"
        "for each in them: each.start()\nfor each in them: each.join()\n"
        "memory = resource.getrlimit(resource.RLIMIT_AS)[0]"
    )
    found = run(text, ScriptLimits(memory=512 << 20)).set
    assert (sorted(found["numbers"]), found["memory"]) == ([*range(8)], 512 << 20)


@pytest.mark.parametrize(
    ("told", "code", "reason"),
    [
        (b'{"signal": 9, "cpu": 9.95, "memory": 0}', 0, "more than 10 seconds of computing"),
        (b'{"signal": 24, "cpu": 0}', 0, "more than 10 seconds of computing"),
        (b'{"signal": 9, "cpu": 2, "memory": 99614720, "memory_ran_out": true}', 0,
         "the machine had no memory left for it, with 2.0 seconds of computing and 95 MiB of memory; it may take "
         "1,024 MiB"),
        (b'{"signal": 9, "cpu": 2, "memory": 1048576, "memory_ran_out": false}', 0,
         "it was ended from outside (SIGKILL), with 2.0 seconds of computing and 1 MiB of memory"),
        (b'{"signal": 6, "cpu": 2, "memory": 1048576, "memory_ran_out": true}', 0,
         "it ended without an answer (SIGABRT), with 2.0 seconds of computing and 1 MiB of memory"),
        (b"", -9, "it was ended from outside (SIGKILL)"),
        (b"no JSON", 0, "it ended without an answer"),
        (b"[]", 0, "it ended without an answer"),
        (b'{"signal": 9, "cpu": null}', 0, "it ended without an answer"),
    ],
)  # fmt: skip
def test_how_it_ended_is_told_by_what_it_used(told: bytes, code: int, reason: str) -> None:
    assert _why(told, code, ScriptLimits()) == reason


def test_what_was_ended_for_want_of_memory_is_counted_by_the_system() -> None:
    counted = [line.split() for line in Path("/proc/vmstat").read_text().splitlines() if line.startswith("oom_kill ")]
    assert _kills_for_memory() >= int(counted[0][1])


def may_have_namespaces() -> bool:
    probe = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x70000000) != 0)"
    return subprocess.run([sys.executable, "-c", probe], check=False, timeout=20).returncode == 0


def test_who_holds_the_pipe_after_its_end_does_not_keep_its_answer_back() -> None:
    starts = "sleep 20 & echo answer"
    child = subprocess.Popen(["sh", "-c", starts], stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert hear(child, 15, 100) == b"answer\n"
    finally:
        end(child)


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
