"""Where the database is when nobody says so, and what instances are called."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.store.database import Database
from engine.store.errors import NotWritable
from engine.store.ids import RandomIds, SequentialIds
from engine.store.location import default_url


def test_the_default_is_made_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    url = default_url()
    assert url == f"sqlite:///{tmp_path}/share/governor/governor.db"
    Database(url).close()
    assert (tmp_path / "share/governor/governor.db").is_file()
    assert (tmp_path / "share/governor").stat().st_mode & 0o777 == 0o700
    assert default_url() == url


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "share").write_text("a file")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    with pytest.raises(NotWritable, match=rf"{tmp_path}/share/governor/governor.db: cannot make its folder \(.*--db"):
        default_url()


def test_random_ids_are_short_and_new() -> None:
    ids = [RandomIds().new() for _ in range(200)]
    assert len(set(ids)) == 200
    assert all(re.fullmatch("[0-9abcdefghjkmnpqrstvwxyz]{12}", each) for each in ids)


def test_sequential_ids_count() -> None:
    ids = SequentialIds("run-")
    assert [ids.new(), ids.new()] == ["run-1", "run-2"]
