"""A secret in EPHEMERAL reaches no file, log, event or result; one in a model's answer leaves with its activity."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.events import Event
from engine.governor import Governor
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from governance.vocabulary import Layer, Producer
from tests.engine.models import edges, end, gateway, instances, model, service, start, user
from tests.engine.running import FirstWords
from tests.engine.store.states import files_of, where_found

SECRET = "correct-horse-battery-staple-7f3a"
MODEL = model(
    start(), gateway("g"), service("a"), service("b", inside=instances(cardinality="2", output="res")), gateway("j"),
    user("u"), service("c"), end(), edges("s > g > a > j > u > c > e", "g > b > j"),
)  # fmt: skip


class Doing:
    """Handlers that all do the same."""

    def __init__(self, do: Callable[[Work], Outcome]) -> None:
        self._do = do

    def __call__(self, settings: Mapping[str, Any]) -> Doing:
        return self

    def handler_for(self, element: Any) -> Callable[[Work], Outcome]:
        return self._do

    def require(self, definition: Any) -> None: ...


class Told(logging.Handler):
    """Everything that is logged, with all that a record carries."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(f"{record.getMessage()} {record.__dict__!r}")


@pytest.fixture
def told() -> Iterator[Told]:
    """Also what the database library says when asked to tell every statement with its parameters."""
    loggers, handler = [logging.getLogger(name) for name in ("", "sqlalchemy")], Told()
    levels = [logger.level for logger in loggers]
    loggers[0].addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield handler
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    loggers[0].removeHandler(handler)


def governor_on(path: Path, do: Callable[[Work], Outcome], heard: list[Event]) -> Governor:
    return Governor(
        SqlStore(Database(str(path))),
        clock=FixedClock(datetime(2026, 1, 1, tzinfo=UTC)),
        ids=SequentialIds("i"),
        summariser=FirstWords(),
        handlers=Doing(do),
        listener=heard.append,
    )


def run(path: Path, do: Callable[[Work], Outcome]) -> tuple[list[RunResult], list[Event]]:
    """Start, stop at the person's task, go on in a second program; what each came to, and all events."""
    heard: list[Event] = []
    governor = governor_on(path, do, heard)
    first = governor.start(load(MODEL, file="model.bpmn"), {"x": 1})
    governor.close()
    governor = governor_on(path, do, heard)
    (item,) = governor.store.work_items(instance=first.instance)
    last = governor.complete(item.id, {"y": 1}, by="ann")
    governor.close()
    assert (first.status, last.status) == ("waiting", "completed")
    return [first, last], heard


def test_a_secret_in_ephemeral_goes_nowhere(tmp_path: Path, told: Told) -> None:
    path, seen = tmp_path / "governor.db", []

    def do(work: Work) -> Outcome:
        work.context.write(Layer.EPHEMERAL, "token", {"value": SECRET}, producer=Producer.SERVICE)
        work.compress(1_000)
        answer = work.call_model(f"{work.element.id}:1", lambda: {"used": len(SECRET)})
        seen.append(work.context.read(Layer.EPHEMERAL)["token"]["value"])
        assert where_found(path, SECRET) == []
        return Outcome(outputs={f"o_{work.element.id}": answer["used"], "o": 1}, decision="asked with a token")

    results, heard = run(path, do)
    assert seen == [SECRET] * 4
    assert where_found(path, SECRET) == []
    assert SECRET not in "".join(told.records)
    assert told.records
    assert SECRET not in repr(heard)
    assert SECRET not in orjson.dumps([result.to_json() for result in results]).decode()


def test_ephemeral_ends_with_the_activity(tmp_path: Path) -> None:
    left = []

    def do(work: Work) -> Outcome:
        left.append(work.context.read(Layer.EPHEMERAL))
        work.context.write(Layer.EPHEMERAL, "token", SECRET, producer=Producer.SERVICE)
        return Outcome(outputs={"o": 1})

    run(tmp_path / "governor.db", do)
    assert left == [{}] * 4


def test_a_model_s_answer_is_kept_while_its_activity_runs_and_no_longer(tmp_path: Path) -> None:
    """What the search can find it finds: the answer is there until its activity is done, and then in no file."""
    path, found = tmp_path / "governor.db", []

    def do(work: Work) -> Outcome:
        work.call_model(f"{work.element.id}:1", lambda: {"arguments": f"--password {SECRET}"})
        found.append(bool(where_found(path, SECRET)))
        return Outcome(outputs={"o": 1})

    run(path, do)
    assert found == [True] * 4
    assert len(files_of(path)) >= 1
    assert where_found(path, SECRET) == []


def test_a_failed_activity_keeps_its_model_s_answers_only_until_it_is_done(tmp_path: Path) -> None:
    path, broken = tmp_path / "governor.db", [True]

    def do(work: Work) -> Outcome:
        work.call_model(f"{work.element.id}:1", lambda: {"arguments": f"--password {SECRET}"})
        if broken and work.element.id == "a":
            raise RuntimeError("out of order")
        return Outcome(outputs={"o": 1})

    governor = governor_on(path, do, [])
    failed = governor.start(load(MODEL, file="model.bpmn"), {})
    assert [incident["element"] for incident in failed.incidents] == ["a"]
    broken.clear()
    governor.retry(failed.instance)
    governor.close()
    assert where_found(path, SECRET) == []
