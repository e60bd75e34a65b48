"""`governor design FILE`, as it is started: its link, its end, and what it says of what it cannot open."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="fastapi is not installed (pip install -e '.[server]')")

GOVERNOR = [sys.executable, "-c", "from engine.cli.app import main; main()"]
PROCESS = b"""<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
  <process id="p" isExecutable="true">
    <startEvent id="s"/><task id="a"/><endEvent id="e"/>
    <sequenceFlow id="f" sourceRef="s" targetRef="a"/><sequenceFlow id="g" sourceRef="a" targetRef="e"/>
  </process>
</definitions>"""


@dataclass(frozen=True)
class Answer:
    status: int
    cookie: str
    body: bytes


class Client:
    """What a browser does with the link."""

    def __init__(self, port: int, secret: str) -> None:
        self._port = port
        self._headers: dict[str, str] = {}
        self._headers["cookie"] = self.ask("GET", f"/?secret={secret}").cookie.partition(";")[0]
        page = self.ask("GET", "/design/file").body.decode()
        token = re.search(r'name="csrf-token" content="([^"]+)"', page)
        self._headers["x-csrf-token"] = token[1] if token else ""

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}) -> Answer:
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)) as connection:
            connection.request(method, path, body or None, {**self._headers, **headers})
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheader("set-cookie", ""), answer.read())

    def told(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        is_xml = isinstance(body, bytes)
        headers = {"content-type": "application/xml" if is_xml else "application/json"}
        answer = self.ask(method, path, body if is_xml else json.dumps(body).encode(), headers)
        return answer.status, json.loads(answer.body)


class Started:
    def __init__(self, running: subprocess.Popen[str]) -> None:
        assert running.stdout is not None
        self.running, self.output = running, running.stdout
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?secret=(\S+)", self.output.readline())
        assert found is not None
        self.port, self.secret = int(found[1]), found[2]

    def end(self, by: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.running.send_signal(by)
        # It tells less than what a pipe holds, so it can be waited for first; reading first would wait for ever.
        return self.running.wait(60), self.output.read()


@contextmanager
def started(path: Path) -> Iterator[Started]:
    command = [*GOVERNOR, "design", str(path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        try:
            yield Started(running)
        finally:
            running.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "weigh.bpmn"
    path.write_bytes(PROCESS)
    return path


@pytest.mark.slow
def test_its_link_opens_once_and_ctrl_c_ends_it(path: Path) -> None:
    with started(path) as designer:
        client = Client(designer.port, designer.secret)
        assert client.ask("GET", "/design/file/start").status == 200
        stranger = Client(designer.port, designer.secret)
        assert stranger.ask("GET", "/design/file").status == 403
        assert stranger.told("POST", "/design/file/look", PROCESS)[0] == 401
        assert client.ask("GET", "/design/file/start", headers={"host": "evil.example"}).status == 400
        assert client.ask("POST", "/design/file/look", PROCESS, {"x-csrf-token": "other"}).status == 401
        assert designer.end() == (0, "The link works once, on this machine. Ctrl-C ends it.\n")
    assert path.read_bytes() == PROCESS
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_was_not_saved_is_kept_beside_the_file(path: Path, end: signal.Signals) -> None:
    drawn = PROCESS.replace(b"<task id", b"<userTask id")
    with started(path) as designer:
        client = Client(designer.port, designer.secret)
        client.told("POST", "/design/file/look?changed=true", drawn)
        code, said = designer.end(end)
    assert code == 0
    assert path.read_bytes() == PROCESS
    beside = path.with_name("weigh.unsaved.bpmn")
    assert beside.read_bytes() == drawn
    assert str(beside) in said.replace("\n", "")


def test_a_file_that_somebody_else_changed_is_not_overwritten(path: Path) -> None:
    with started(path) as designer:
        client = Client(designer.port, designer.secret)
        tag = json.loads(client.ask("GET", "/design/file/start").body)["tag"]
        path.write_bytes(PROCESS + b"\n")
        drawing = {"xml": PROCESS.decode(), "untouched": PROCESS.decode(), "opened": tag}
        status, problem = client.told("PUT", "/design/file/file", drawing)
    assert (status, problem["title"]) == (412, "Overtaken")
    assert path.read_bytes() == PROCESS + b"\n"


def said_of(*arguments: str) -> tuple[int, str]:
    command = [*GOVERNOR, "design", *arguments, "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("content", [b"", b"<html/>", b"not xml", b"<!DOCTYPE a><a/>", None])
def test_what_is_no_bpmn_is_told_in_one_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.bpmn"
    if content is not None:
        path.write_bytes(content)
    code, said = said_of(str(path))
    assert (code, said.count("\n")) == (2, 1)
    assert str(path) in said


def test_a_port_that_is_taken_is_told(path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, said = said_of(str(path), "--port", str(taken.getsockname()[1]))
    assert (code, said.count("\n")) == (2, 1)
    assert "--port" in said
    assert "in use" in said


def test_without_the_extra_it_says_what_to_install(path: Path) -> None:
    hidden = "import sys; sys.modules['uvicorn'] = None; from engine.cli.app import main; main()"
    command = [sys.executable, "-c", hidden, "design", str(path), "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "governor: governor design needs uvicorn: pip install 'bpmn-governor[server]'\n"
