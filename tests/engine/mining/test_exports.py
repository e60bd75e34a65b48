"""Exported logs are what the standards say: pm4py reads them, and finds who did what."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from engine.events import Event, EventType
from engine.mining.story import People, Story
from engine.names import Names
from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE_ANSWERS, STEPS, Folder
from tests.project.tree import ROOT, files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Two instances of two processes: an outage review, and three steps."""
    folder = Folder(tmp_path_factory.mktemp("mining"))
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    assert governor(*folder.outage(), "--answers", answers, "--quiet", "--user", "sue").code == 0
    assert governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, "--quiet", "--user", "sue").code == 0
    return folder


@pytest.fixture(scope="module")
def pm4py() -> Iterator[Any]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield pytest.importorskip("pm4py", reason="exports are checked by the extra `checks`")


def exported(folder: Folder, format: str, *options: str) -> str:
    out = str(folder.path / f"log.{format}")
    told = governor("export-log", "--format", format, "-o", out, "--db", folder.db, *options)
    assert told.code == 0, told.err
    return out


def test_xes_is_read_by_pm4py(folder: Folder, pm4py: Any) -> None:
    log = pm4py.read_xes(exported(folder, "xes"))
    assert log["case:concept:name"].nunique() == 2
    done = log[log["lifecycle:transition"] == "complete"]
    assert set(done["concept:name"]) >= {"Collect logs", "Read logs", "Check deploys", "Approve the fix", "First"}
    approve = done[done["concept:name"] == "Approve the fix"].iloc[0]
    assert (approve["org:resource"], approve["gov:element"]) == ("maria", "approve")
    transitions = list(log[log["gov:element"] == "approve"]["lifecycle:transition"])
    assert transitions == ["schedule", "complete"]
    conflict = log[log["lifecycle:transition"] == "resume"].iloc[0]
    assert conflict["org:resource"] == "lea"
    assert log["time:timestamp"].notna().all()
    assert set(log["case:gov:process"]) == {"review", "steps"}


def test_ocel_is_read_by_pm4py(folder: Folder, pm4py: Any) -> None:
    log = pm4py.read_ocel2_json(exported(folder, "ocel"))
    assert set(log.objects["ocel:type"]) >= {"instance", "activity_run", "snapshot", "decision", "intervention"}
    assert len(log.objects[log.objects["ocel:type"] == "instance"]) == 2
    merged = log.relations[log.relations["ocel:activity"] == "D3"]
    assert set(merged["ocel:type"]) >= {"instance", "decision", "snapshot"}
    answered = log.relations[log.relations["ocel:activity"] == "intervention_answered"]
    assert "intervention" in set(answered["ocel:type"])
    assert len(log.events) > 20


def test_ocel_is_whole_in_itself(folder: Folder) -> None:
    document = orjson.loads(Path(exported(folder, "ocel")).read_bytes())
    objects = {each["id"] for each in document["objects"]}
    ids = [each["id"] for each in document["events"]]
    assert len(ids) == len(set(ids))
    named = {each["objectId"] for row in (*document["events"], *document["objects"]) for each in row["relationships"]}
    assert named <= objects
    assert {each["type"] for each in document["events"]} == {each["name"] for each in document["eventTypes"]}


@pytest.mark.parametrize("format", ["xes", "ocel"])
def test_no_variable_and_no_reason_is_in_it(folder: Folder, format: str) -> None:
    text = Path(exported(folder, format)).read_text()
    assert "billing service" not in text
    assert "the logs are conclusive" not in text
    assert "maria" in text
    hidden = Path(exported(folder, format, "--pseudonyms")).read_text()
    assert not [name for name in ("maria", "lea", "sue") if name in hidden]
    assert "person 1" in hidden


def test_one_process_alone(folder: Folder) -> None:
    text = Path(exported(folder, "xes", "--process", "steps")).read_text()
    assert text.count("<trace>") == 1
    assert "Approve" not in text


def test_a_place_to_write_to_is_needed(folder: Folder) -> None:
    assert governor("export-log", "--db", folder.db).code == 2


def test_runs_of_an_element_are_told_apart() -> None:
    kinds = [EventType.ACTIVITY_STARTED, EventType.ACTIVITY_COMPLETED] * 2
    events = [Event(seq, "t", kind, "a", "", {"by": "agent"}) for seq, kind in enumerate(kinds)]
    steps = list(Story("i", Names(), People(False)).steps(events))
    assert [step.run for step in steps] == ["i/a/1", "i/a/1", "i/a/2", "i/a/2"]


def test_the_product_does_not_import_pm4py() -> None:
    for package in ("engine", "bpmn", "governance"):
        for file in files(ROOT / package, ".py"):
            assert "pm4py" not in file.read_text(encoding="utf-8")
