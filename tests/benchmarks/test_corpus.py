"""The corpus harness tells apart what ends, waits, fails, is refused, hangs and crashes."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from benchmarks import corpus
from benchmarks.corpus import figures, visited
from benchmarks.isolation import isolated
from tests.benchmarks.models import model, sequence

FILES = {
    "ends.bpmn": sequence('<scriptTask id="a"><script>x = 1</script></scriptTask>'),
    "waits.bpmn": sequence('<userTask id="a"/>'),
    "fails.bpmn": model(
        '<startEvent id="s"/><endEvent id="a"><errorEventDefinition errorRef="x"/></endEvent>'
        '<sequenceFlow id="f" sourceRef="s" targetRef="a"/>',
        more='<error id="x" errorCode="1"/>',
    ),
    "refused.bpmn": model('<startEvent id="s"/><notATask id="n"/>'),
    "drawing.bpmn": model("", executable=' isExecutable="false"'),
    "broken.bpmn": "<definitions",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_every_file_has_its_outcome(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus.main(["--data", str(folder), "--json"])
    found = json.loads(capsys.readouterr().out)
    values = {each["name"]: each["value"] for each in found["figures"]}
    assert values["corpus.crashed"] == values["corpus.hung"] == values["corpus.unclear_refusals"] == 0
    assert values["corpus.loaded_share"] == 0.75  # all but refused.bpmn of the four that are to be run
    assert values["corpus.reached_share"] == pytest.approx(2 / 3, abs=1e-4)
    assert values["corpus.cpu_s"] > 0
    failed = {each["file"]: each for each in found["failed"]}
    assert set(failed) == {"fails.bpmn", "refused.bpmn"}
    assert failed["fails.bpmn"]["element"] == "a"
    assert failed["refused.bpmn"]["rule"] == "unsupported-element"
    assert failed["refused.bpmn"]["line"] == 1


def test_a_hang_is_a_hang_and_a_crash_a_crash() -> None:
    assert isolated(lambda: time.sleep(60), seconds=0.2, memory_mb=100).how == "hung"
    died = isolated(lambda: os.kill(os.getpid(), signal.SIGKILL), seconds=5, memory_mb=100)
    assert (died.how, died.reason) == ("crashed", "killed by SIGKILL")
    raised = isolated(lambda: {}["x"], seconds=5, memory_mb=100)
    assert raised.how == "crashed"
    assert "KeyError" in raised.reason
    greedy = isolated(lambda: bytearray(300 << 20), seconds=5, memory_mb=100)
    assert greedy.how == "crashed"
    assert "MemoryError" in greedy.reason
    assert isolated(lambda: 42, seconds=5, memory_mb=100).value == 42


def test_a_defect_of_ours_is_no_refusal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("gone")

    monkeypatch.setattr("benchmarks.corpus_file.load", broken)
    one = visited(folder / "ends.bpmn", folder, 10)
    assert one.outcome == "crashed"
    assert {each.name: each.value for each in figures([one])}["corpus.crashed"] == 1
