"""What an instance did before it was migrated is made again by the definition that it had then, if that is there."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from engine.replay.errors import NotReplayable
from engine.store.errors import BadArchive
from tests.engine.models import edges, end, model, script, start, user
from tests.engine.operating.conftest import office
from tests.engine.operating.office import Office, on
from tests.engine.operating.test_migrating import NEW, OLD, deploy

__all__ = ["office"]

OTHER = model(start(), user("a"), script("b", "n = 3"), user("c"), end(), edges("s > a > b > c > e"))


def test_a_log_whose_definition_is_gone_is_not_replayed_and_says_so(office: Office) -> None:
    id = office.start(OLD).instance
    gone = office.do(lambda g: g.store.instance(id)).definition
    office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))
    with sqlite3.connect(office.where) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        assert database.execute("DELETE FROM gov_definition WHERE hash = ?", (gone,)).rowcount == 1
    with pytest.raises(NotReplayable, match=f"past advance 0: no definition {gone[:12]}"):
        office.do(lambda g: g.replay(id))


def migrated_twice(office: Office) -> str:
    id = office.start(OLD).instance
    office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))
    office.do(lambda g: g.migrate(id, deploy(office, OTHER), by="olga"))
    office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    return id


@pytest.mark.parametrize("to", ["sqlite", "postgresql"])
def test_an_archive_brings_all_definitions_that_it_went_by(
    office: Office, tmp_path: Path, to: str, request: pytest.FixtureRequest
) -> None:
    id = migrated_twice(office)
    office.do(lambda g: g.store.export(id, tmp_path / "one.zip"))
    elsewhere = on(tmp_path / "elsewhere") if to == "sqlite" else Office(request.getfixturevalue("postgres_url"))
    (tmp_path / "elsewhere").mkdir()
    assert elsewhere.do(lambda g: g.store.take_in(tmp_path / "one.zip")) == id
    here, there = (each.do(lambda g: g.replay(id)) for each in (office, elsewhere))
    assert (there.difference, there.snapshots) == (None, here.snapshots)
    assert there.snapshots > 0
    # Nothing of that is cleaned up there, and it can be taken along again.
    elsewhere.do(lambda g: g.store.clean())
    elsewhere.do(lambda g: g.store.export(id, tmp_path / "again.zip"))
    assert definitions(tmp_path / "again.zip") == definitions(tmp_path / "one.zip")
    assert len(definitions(tmp_path / "one.zip")) == 2


def test_what_was_never_migrated_has_no_other_definitions(office: Office, tmp_path: Path) -> None:
    id = office.start(OLD).instance
    office.do(lambda g: g.store.export(id, tmp_path / "one.zip"))
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert "definitions.json" not in archive.namelist()


@pytest.mark.parametrize("wrong", ["is not what its hash says", "is none that its log says it went by"])
def test_an_archive_brings_no_others(office: Office, tmp_path: Path, wrong: str) -> None:
    id = migrated_twice(office)
    office.do(lambda g: g.store.export(id, tmp_path / "one.zip"))
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        files = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    if "hash says" in wrong:
        files["definitions.json"][0]["hash"] = "0" * 64
    else:
        id = office.start(model(start(), user("z"), end(), edges("s > z > e"))).instance
        office.do(lambda g: g.store.export(id, tmp_path / "other.zip"))
        with zipfile.ZipFile(tmp_path / "other.zip") as archive:
            files["definitions.json"].append(json.loads(archive.read("definition.json")))
    body = json.dumps(files["definitions.json"]).encode()
    files["manifest.json"]["entries"]["definitions.json"].update(sha256=sha256(body).hexdigest(), bytes=len(body))
    with zipfile.ZipFile(tmp_path / "one.zip") as whole, zipfile.ZipFile(tmp_path / "forged.zip", "w") as forged:
        changed = {"definitions.json": body, "manifest.json": json.dumps(files["manifest.json"]).encode()}
        for name in whole.namelist():
            forged.writestr(name, changed.get(name) or whole.read(name))
    (tmp_path / "elsewhere").mkdir()
    elsewhere = on(tmp_path / "elsewhere")
    with pytest.raises(BadArchive, match=wrong):
        elsewhere.do(lambda g: g.store.take_in(tmp_path / "forged.zip"))
    assert elsewhere.do(lambda g: g.instances()) == []


def definitions(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as archive:
        return [each["hash"] for each in json.loads(archive.read("definitions.json"))]
