"""Scripts in full Python run in a process of their own: limited, without a network, for those who trust them."""

from __future__ import annotations

import socket
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
def test_it_has_no_network_and_no_secrets(monkeypatch: pytest.MonkeyPatch, namespaces: bool) -> None:
    monkeypatch.setenv("GOVERNOR_SECRET", "hush")
    text = (
        "import os, socket\nreached = []\n"
        "for family, place in ((socket.AF_INET, (host, port)), (socket.AF_UNIX, 'nobody')):\n"
        "    try:\n        one = socket.socket(family)\n        one.connect(place)\n        reached.append(place)\n"
        "    except OSError as error:\n        pass\n"
        "secret = os.environ.get('GOVERNOR_SECRET')\nfiles = os.listdir('.')"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        found = run(text, ScriptLimits(namespaces=namespaces), host=host, port=port).set
    assert (found["reached"], found["secret"], found["files"]) == ([], None, [])


@pytest.mark.parametrize(
    ("text", "limits", "reason"),
    [
        ("while True: pass", ScriptLimits(cpu_s=1), "more than 1 seconds of computing"),
        ("import time; time.sleep(60)", ScriptLimits(wall_s=0.5), "not done after 0.5 seconds"),
        ("x = bytearray(2 << 30)", ScriptLimits(), "MemoryError"),
        ("with open('f', 'w') as f: f.write('x' * 100)", ScriptLimits(), "OSError"),
        ("import os; os._exit(7)", ScriptLimits(), "ended without an answer"),
        ("import os; os.kill(os.getpid(), 11)", ScriptLimits(), "ended without an answer"),
    ],
)
def test_limits(text: str, limits: ScriptLimits, reason: str) -> None:
    with pytest.raises(ScriptFailed, match=reason):
        run(text, limits)


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


def test_other_languages_are_refused_by_name_whoever_trusts_them() -> None:
    data = chain('<scriptTask id="a" scriptFormat="javascript"><script>x = 1;</script></scriptTask>')
    [error] = load(data, file=FILE, trust_scripts=True).errors
    assert "the language is javascript" in error.message
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
