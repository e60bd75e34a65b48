"""`governor dead-ends`."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.engine.cli.command import Told, governor
from tests.engine.models import edges, end, model, service, start

MODEL = model(
    start(), service("a", "fails", '<ioSpecification><dataInput id="i" name="query"/></ioSpecification>'), end(),
    edges("s > a > e"),
)  # fmt: skip
HANDLERS = """
from engine.activities.job import Job, handler

@handler("fails")
def fails(job: Job) -> None:
    raise ValueError("no such customer: " + job.variables["query"])
"""


class Place:
    def __init__(self, folder: Path) -> None:
        self.db = str(folder / "runs.db")
        (folder / "m.bpmn").write_bytes(MODEL)
        (folder / "handlers.py").write_text(HANDLERS)
        self._folder = folder

    def run(self, query: str, *options: str) -> Told:
        file, handlers = str(self._folder / "m.bpmn"), str(self._folder / "handlers.py")
        given = ["--handlers", handlers, "--var", f"query={query}", "--db", self.db, "--json", *options]
        told = governor("run", file, *given)
        assert told.code in (1, 3), told.err
        return told

    def dead_ends(self, *arguments: str) -> Told:
        return governor("dead-ends", *arguments, "--db", self.db)

    def listed(self, *options: str) -> list[dict[str, object]]:
        found: list[dict[str, object]] = self.dead_ends("list", "--json", *options).json["dead_ends"]
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_they_are_listed_by_process_and_instance(place: Place) -> None:
    first = place.run("Bern").json["instance"]
    place.run("Basel")
    told = place.dead_ends("list").out
    assert "no such customer: Bern" in told
    assert "the activity a" in told
    assert [each["text"] for each in place.listed("--instance", first)] == ["query: Bern"]
    assert len(place.listed("--process", "p")) == 2
    assert place.listed("--process", "q") == []
    assert len(place.listed("--limit", "1")) == 1


def test_there_are_none(place: Place) -> None:
    place.run("Bern", "--dead-ends", "off")
    assert place.dead_ends("list").out == "There are no dead ends.\n"


def test_one_is_shown_with_all_that_happened_to_it(place: Place) -> None:
    place.run("Bern")
    (found,) = place.listed()
    shown = place.dead_ends("show", str(found["id"])[:6])
    assert shown.code == 0
    assert "query: Bern" in shown.out
    document = place.dead_ends("show", str(found["id"]), "--json").json
    assert [fact["kind"] for fact in document["facts"]] == ["failed"]


def test_a_retired_one_may_be_done_again(place: Place) -> None:
    place.run("Bern")
    assert place.run("Bern").json["status"] == "waiting"
    (found,) = place.listed()
    told = place.dead_ends("retire", str(found["id"]), "--reason", "the customer is there now", "--user", "ann")
    assert told.code == 0
    assert place.listed() == []
    (ended,) = place.listed("--ended")
    assert (ended["status"], ended["ended_by"], ended["ended_why"]) == ("retired", "ann", "the customer is there now")
    assert place.run("Bern").json["status"] == "failed"


def test_they_are_exported(place: Place, tmp_path: Path) -> None:
    place.run("Bern")
    file = tmp_path / "out.json"
    assert place.dead_ends("export", str(file)).code == 0
    assert json.loads(file.read_text()) == {"dead_ends": place.listed()}
    assert place.dead_ends("export", "-").json == {"dead_ends": place.listed()}


def test_an_operator_adds_one(place: Place) -> None:
    instance = place.run("Bern", "--dead-ends", "off").json["instance"]
    told = place.dead_ends("add", instance, "query", "--reason", "nobody lives there", "--user", "ann")
    assert (told.code, told.out.split(":")[0]) == (0, f"the strategy query is not proposed so again in {instance}")
    (found,) = place.listed()
    assert (found["text"], found["source"], found["reason"]) == ("query: Bern", "operator", "nobody lives there")
    wrong = place.dead_ends("add", instance, "nothing", "--reason", "x", "--user", "ann")
    assert (wrong.code, wrong.err) == (2, "governor: VARIABLE nothing: there is none; there are query\n")


def test_wrong_ids_are_told(place: Place) -> None:
    place.run("Bern")
    place.run("Basel")
    unknown = place.dead_ends("show", "zzz")
    assert unknown.code == 2
    assert unknown.err == "governor: no dead end zzz; governor dead-ends list shows those there are\n"
    assert place.dead_ends("retire", "").code == 2
    (one, _) = place.listed()
    place.dead_ends("retire", str(one["id"]))
    again = place.dead_ends("retire", str(one["id"]))
    assert (again.code, again.err) == (2, f"governor: dead end {one['id']} has ended already: retired\n")


def test_who_looks_leaves_the_log_of_the_database_to_those_who_write(tmp_path: Path) -> None:
    """The door for writing empties the write-ahead log when it is left, for which others have to stand still."""
    place = Place(tmp_path)
    place.run("a")
    writing = sqlite3.connect(place.db)
    writing.execute("CREATE TABLE other (x)")
    writing.commit()
    log = Path(f"{place.db}-wal")
    before = log.stat().st_size
    assert before
    [found] = place.listed()
    assert place.dead_ends("show", str(found["id"])).code == 0
    assert place.dead_ends("export", str(tmp_path / "out.json")).code == 0
    assert log.stat().st_size == before
    writing.close()
