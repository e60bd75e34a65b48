"""Locks that end with the program: each kind of database."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from engine.store.database import Database
from engine.store.errors import NotWritable, VersionConflict
from engine.store.store import SqlStore
from tests.engine.store.making import new_instance
from tests.engine.store.places import Place


def take(database: Database, *numbers: int, instead: tuple[int, ...] = ()) -> set[int]:
    return database.attempt(lambda: database.locks.take(numbers, instead, "i")).taken


def test_a_number_is_one_program_s_until_it_gives_it_up(place: Place) -> None:
    one, other = Database(place.where), Database(place.where)
    assert take(one, 1, 2) == {1, 2}
    assert take(one, 1) == set()  # whoever asks again is somebody else of the same program
    assert take(other, 1, 2, 3) == {3}
    one.locks.give_up([1])
    assert take(other, 1, 2) == {1}
    assert take(one, 4, instead=(2,)) == {4}
    assert take(other, 2) == {2}
    other.close()
    assert take(one, 1, 2, 3) == {1, 2, 3}
    one.close()


def test_a_number_that_is_not_ours_is_not_given_up(place: Place) -> None:
    one, other = Database(place.where), Database(place.where)
    assert take(one, 1) == {1}
    take(other, 2)
    other.locks.give_up([1])
    assert take(other, 1) == set()
    one.close()
    other.close()


def test_jobs_of_an_instance_that_was_moved_are_not_taken(store: SqlStore, place: Place) -> None:
    one, other = store, SqlStore(Database(place.where))
    one.create(new_instance("a"))
    with pytest.raises(VersionConflict):
        one.holds("a", 0).take(["k"], 7)
    assert other.holds("a", 0).take(["k"], 0) == {"k"}
    assert one.holds("a", 0).take(["k"], 0) == set()
    other.close()


def test_in_another_epoch_they_are_other_jobs(store: SqlStore, place: Place) -> None:
    """Who was taken for dead, and only was frozen, keeps nothing from who goes on."""
    one, other = store, SqlStore(Database(place.where))
    one.create(new_instance("a"))
    assert one.holds("a", 0).take(["k"], 0) == {"k"}
    place.execute("UPDATE gov_instance SET epoch = 1 WHERE id = 'a'")
    assert other.holds("a", 1).take(["k"], 0) == {"k"}
    with pytest.raises(VersionConflict):
        one.holds("a", 0).take(["l"], 0)
    other.close()


def test_locks_are_held_on_when_the_server_lost_the_connection(postgres_url: str) -> None:
    one, other = Database(postgres_url), Database(postgres_url)
    assert take(one, 1) == {1}
    assert take(other, 9) == {9}
    with other.write() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1"
        )
    assert take(one, 2) == {2}
    assert take(other, 1) == set()
    one.close()
    assert take(other, 1) == {1}
    other.close()


def test_giving_up_what_was_lost_with_its_connection_is_no_error(postgres_url: str) -> None:
    one, other = Database(postgres_url), Database(postgres_url)
    assert take(one, 1) == {1}
    with other.write() as connection:
        connection.exec_driver_sql("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    one.locks.give_up([1])
    assert take(other, 1) == {1}
    assert take(one, 1, 2) == {2}
    one.close()
    other.close()


def test_the_file_of_locks_is_for_those_whom_the_database_is_for(tmp_path: Path) -> None:
    path = tmp_path / "governor.db"
    Database(str(path)).close()
    path.chmod(0o660)
    database = Database(str(path))
    take(database, 1)
    beside = tmp_path / "governor.db-jobs"
    assert stat.S_IMODE(beside.stat().st_mode) == 0o660
    assert beside.stat().st_size == 0
    database.close()


def test_two_names_of_one_file_are_one_database(tmp_path: Path) -> None:
    Database(str(tmp_path / "governor.db")).close()
    os.symlink(tmp_path / "governor.db", tmp_path / "other.db")
    one, other = Database(str(tmp_path / "governor.db")), Database(str(tmp_path / "other.db"))
    assert take(one, 1) == {1}
    assert take(other, 1) == set()
    one.close()
    other.close()


def test_a_folder_without_room_for_locks_is_told(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "governor.db"))
    (tmp_path / "governor.db-jobs").mkdir()
    with pytest.raises(NotWritable, match=r"governor\.db-jobs"):
        take(database, 1)
    database.close()
