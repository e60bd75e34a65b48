"""What workers do, and what they refuse."""

from __future__ import annotations

import base64
import json
import pickle
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.engine.cli.command import governor, governor_child
from tests.engine.distributed.models import DEADLY, HELD, SHORT, TIMED
from tests.engine.distributed.plant import Plant


def test_due_timers_are_fired_by_workers(plant: Plant) -> None:
    plant.worker()
    instance = plant.start(TIMED)
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"last": 1}


def test_an_instance_that_kills_its_workers_is_given_up(plant: Plant) -> None:
    instance = plant.start(DEADLY)
    for _ in range(3):
        worker = plant.worker(ready=False)
        assert worker.ends() == -signal.SIGKILL
    last = plant.worker()
    assert "3 workers died while they had it" in last.says("gave up")
    assert [what for what, _, _ in plant.effects(instance)] == ["die"] * 3
    told = json.loads(governor("workers", "--db", plant.url, "--json").out)
    assert [each["id"].rpartition("-")[0].rpartition("-")[2] for each in told["workers"]] == [str(last.pid)]
    assert told["not_moved"][0]["instance"] == instance
    assert told["not_moved"][0]["retry_in"] is None
    short = plant.start(SHORT)
    plant.until_all("completed", short)


def test_what_cannot_be_moved_is_told_and_tried_again(plant: Plant) -> None:
    worker = plant.worker()
    other = plant.folder / "other.py"
    other.write_text(plant.handlers.read_text())
    lost = plant.start(HELD, handlers=[str(other)])
    plant.until_held(worker, lost)
    worker.signal(signal.SIGKILL)
    other.unlink()
    second = plant.worker()
    assert lost in second.says("could not be moved")
    other.write_text(plant.handlers.read_text())
    plant.until_held(second, lost)
    plant.let_go(second, lost)
    plant.until_all("completed", lost)


def test_a_pickled_text_in_the_queue_runs_nothing(plant: Plant) -> None:
    plant.worker()
    instance = plant.start(SHORT)
    plant.until_all("completed", instance)
    mark = plant.folder / "ran"

    class Harm:
        def __reduce__(self) -> Any:
            return Path.touch, (mark,)

    text = base64.b64encode(pickle.dumps(Harm())).decode()
    plant.rows(
        "INSERT INTO governor_dbos.workflow_status (workflow_uuid, status, name, queue_name, queue_partition_key,"
        " application_version, application_name, inputs, serialization)"
        " SELECT 'harm', 'ENQUEUED', name, queue_name, 'harm', application_version, application_name, %s, 'py_pickle'"
        " FROM governor_dbos.workflow_status LIMIT 1 RETURNING 1",
        text,
    )
    state = "SELECT status FROM governor_dbos.workflow_status WHERE workflow_uuid = 'harm'"
    plant.until(lambda: plant.rows(state) == [("ERROR",)])
    assert not mark.exists()


def test_workers_of_two_versions_leave_each_other_what_is_theirs(plant: Plant) -> None:
    instance = plant.start(HELD)
    newer = plant.worker(protocol=2)
    plant.until_held(newer, instance)
    older = plant.worker()
    newer.signal(signal.SIGKILL)
    older.says("took over 1")
    assert plant.rows("SELECT protocol FROM gov_instance") == [(2,)]
    own = plant.start(SHORT)
    plant.until_all("completed", own)
    assert plant.done(instance) == {"first": 1, "held": 1}
    newest = plant.worker(protocol=2)
    plant.until_held(newest, instance)
    plant.let_go(newest, instance)
    plant.until_all("completed", instance)
    assert plant.done(instance)["last"] == 1


def test_what_waits_for_a_version_that_is_gone_comes_to_the_newer_one(plant: Plant) -> None:
    older = plant.worker()
    instance = plant.start(HELD)
    plant.until_held(older, instance)
    older.signal(signal.SIGKILL)
    older.ends()
    newer = plant.worker(protocol=2)
    plant.until_held(newer, instance)
    plant.let_go(newer, instance)
    plant.until_all("completed", instance)


def test_a_file_is_no_database_for_workers(tmp_path: Path) -> None:
    for command in (["worker"], ["workers"], ["run", "x.bpmn", "--detach"]):
        told = governor_child(*command, "--db", str(tmp_path / "a.db"))
        assert told.code == 2, told
        assert "workers need PostgreSQL" in told.err or "x.bpmn" in told.err
        assert "Traceback" not in told.err
        assert len(told.err.splitlines()) == 1
    assert not (tmp_path / "a.db").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--rate", "m"], "is no rate"), (["--beat", "10", "--lease", "15"], "give at least twice --beat")],
)
def test_what_makes_no_sense_is_refused_in_a_line(arguments: list[str], said: str) -> None:
    told = governor_child("worker", "--db", "postgresql://nobody@127.0.0.1:1/none", *arguments)
    assert told.code == 2
    assert said in told.err
    assert "Traceback" not in told.err
