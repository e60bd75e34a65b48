"""An instance goes from one database to another as a file; a file from anybody brings nothing but data."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.store.archives import read
from engine.store.database import Database
from engine.store.errors import BadArchive, InstanceExists, UnknownInstance
from engine.store.store import SqlStore
from tests.engine.store.golden.make import NOON, PROCESS, governor
from tests.engine.store.places import Place


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A waiting instance from a SQLite file."""
    folder = tmp_path_factory.mktemp("from")
    with governor(str(folder / "from.db")) as opened:
        settings = {"dead_ends": "instance", "handlers": ["/evil.py"], "folder": "/", "model": "openai:x"}
        opened.start(load(PROCESS, file="process.bpmn"), {"n": 1}, settings=settings)
        opened.store.journal("golden-1").put("1", "c", {"secret": "ephemeral"})
        opened.store.export("golden-1", folder / "one.zip")
    return folder / "one.zip"


def test_it_goes_on_where_it_is_taken_in(archive: Path, place: Place, tmp_path: Path) -> None:
    with governor(place.where) as opened:
        assert opened.store.take_in(archive) == "golden-1"
        assert opened.store.instance("golden-1").settings == {"dead_ends": "instance"}
        opened.store.export("golden-1", tmp_path / "again.zip")
        (item,), (asked,) = opened.store.work_items(), opened.store.interventions()
        opened.complete(item.id, {"said": 40}, by="ann")
        opened.answer(asked.id, "approve", by="ann")
    with governor(place.where, NOON + timedelta(hours=2)) as opened:
        assert opened.resume("golden-1").variables["total"] == 42
    first, again = entries(archive), entries(tmp_path / "again.zip")
    for name in first.keys() - {"manifest.json", "instance.json"}:
        assert again[name] == first[name], name


def test_the_same_instance_makes_the_same_file(archive: Path, place: Place, tmp_path: Path) -> None:
    with governor(place.where) as opened:
        opened.store.take_in(archive)
        for name in ("a", "b"):
            opened.store.export("golden-1", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_is_ephemeral_stays(archive: Path) -> None:
    assert "ephemeral" not in repr(entries(archive))
    assert "rows/gov_journal.json" not in entries(archive)


def test_it_is_taken_in_once(archive: Path, store: SqlStore, place: Place) -> None:
    store.take_in(archive)
    before = place.everything()
    with pytest.raises(InstanceExists, match="golden-1"):
        store.take_in(archive)
    assert place.everything() == before


def test_an_unknown_instance_is_told(store: SqlStore, tmp_path: Path) -> None:
    with pytest.raises(UnknownInstance):
        store.export("gone", tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()


def entries(file: Path) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def rewritten(archive: Path, to: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """With something changed, and hashes that fit, as whoever forges one would."""
    found = entries(archive)
    change(found)
    raw = {name: body if isinstance(body, bytes) else json.dumps(body).encode() for name, body in found.items()}
    manifest = found["manifest.json"]
    if isinstance(manifest, dict) and "entries" in manifest:
        manifest["entries"] = {
            name: {"sha256": sha256(body).hexdigest(), "bytes": len(body)}
            for name, body in raw.items() if name != "manifest.json"
        }  # fmt: skip
        raw["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as forged:
        for name, body in raw.items():
            forged.writestr(name, body)
    return to


def first_value(found: dict[str, Any]) -> str:
    return min(found["values.json"])


def changes(entry: str, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(found: dict[str, Any]) -> None:
        rows = found[entry]
        (rows[0] if isinstance(rows, list) else rows)[key] = value

    return change


def without_values(found: dict[str, Any]) -> None:
    del found["values.json"]


FORGED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a value": (lambda found: found["values.json"].update({first_value(found): "e30="}), "is not what its hash says"),
    "a snapshot": (changes("rows/gov_snapshot.json", "id", "AAAAAAAAAAAAAAAAAAAAAA=="), "is not what its id says"),
    "an event": (changes("rows/gov_event.json", "at", "2027-01-01T00:00:00.000000Z"), "its log of events was altered"),
    "a version": (changes("instance.json", "version", 99), "its log of events was altered"),
    "a definition": (changes("definition.json", "hash", "0" * 64), "is not what its hash says"),
    "another definition": (changes("instance.json", "definition", "0" * 64), "is of another definition"),
    "a column": (changes("instance.json", "is_admin", 1), "has a row with"),
    "a type": (changes("instance.json", "version", "1"), "has version that is no int"),
    "a number": (changes("instance.json", "version", 1 << 70), "is no JSON|has version that is no int"),
    "no base64": (changes("rows/gov_snapshot.json", "body", "***"), "has bytes that are not base64"),
    "a path": (lambda found: found.update({"../../etc/passwd": {}}), "which no instance has here"),
    "a table": (lambda found: found.update({"rows/gov_user.json": []}), "which no instance has here"),
    "no JSON": (lambda found: found.update({"instance.json": b"{"}), "is no JSON"),
    "a list": (lambda found: found.update({"instance.json": []}), "where an object should be"),
    "another format": (changes("manifest.json", "format", "zip"), "known is"),
    "a later version": (changes("manifest.json", "version", 2), "known is"),
    "settings": (changes("instance.json", "settings", "{"), "none of ours"),
    "a body": (changes("rows/gov_live.json", "body", "["), "none of ours"),
    "missing": (without_values, "does not name all"),
}


@pytest.mark.parametrize("forged", FORGED)
def test_what_was_forged_is_refused_whole(forged: str, archive: Path, path: Path, tmp_path: Path) -> None:
    change, told = FORGED[forged]
    file = rewritten(archive, tmp_path / "forged.zip", change)
    store = SqlStore(Database(str(path)))
    with pytest.raises(BadArchive, match=told) as caught:
        store.take_in(file)
    assert str(file) in str(caught.value)
    assert store.instances() == []
    store.close()


def test_what_was_altered_after_it_was_written_is_refused(archive: Path, store: SqlStore, tmp_path: Path) -> None:
    found = entries(archive)
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as altered:
        for name, body in found.items():
            altered.writestr(name, json.dumps({**body, "x": 1} if name == "values.json" else body))
    with pytest.raises(BadArchive, match="is not what the manifest has the hash of"):
        store.take_in(tmp_path / "x.zip")


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip" * 99])
def test_another_file_is_told(content: bytes, store: SqlStore, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(BadArchive, match="is no archive that can be read"):
        store.take_in(tmp_path / "x")


def test_a_bomb_is_not_unpacked(
    archive: Path, store: SqlStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = rewritten(archive, tmp_path / "bomb.zip", lambda found: found.update({"values.json": b" " * 30_000_000}))
    assert file.stat().st_size < 200_000
    monkeypatch.setattr(read, "MOST_BYTES", 1_000_000)
    with pytest.raises(BadArchive, match="is larger than"):
        store.take_in(file)
