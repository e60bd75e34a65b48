"""Several programs at one database."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from engine.store.database import Database
from engine.store.errors import StoreError, VersionConflict
from engine.store.store import SqlStore
from tests.engine.store.making import Run, new_instance
from tests.engine.store.places import Place, SqlitePlace

Result = int | StoreError


def at_once(calls: list[Callable[[], int]]) -> list[Result]:
    """Start all at the same moment, each on its own thread."""
    barrier = threading.Barrier(len(calls))
    results: list[Result] = []

    def one(call: Callable[[], int]) -> None:
        barrier.wait()
        try:
            results.append(call())
        except StoreError as error:
            results.append(error)

    threads = [threading.Thread(target=one, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_of_two_advances_from_one_version_one_wins(store: SqlStore, place: Place) -> None:
    other = SqlStore(Database(place.where))
    for round in range(20):
        name = f"r{round}"
        store.create(new_instance(name))
        one, two = Run(name), Run(name)
        first, second = one.step({"x": "one"}), two.step({"x": "two"})
        results = at_once([lambda: store.commit(first), lambda: other.commit(second)])  # noqa: B023 - joined in the round
        assert sorted(isinstance(each, VersionConflict) for each in results) == [False, True]
        assert 1 in results
        stored = store.load(name)
        winner = one if stored.instance.head == one.head else two
        assert store.events(name) == winner.events
        assert stored.live == dict((first if winner is one else second).live_upserts)
    other.close()


def test_advances_of_several_instances_wait_for_each_other(store: SqlStore, place: Place) -> None:
    def work(name: str) -> Callable[[], int]:
        def advance() -> int:
            mine, run = SqlStore(Database(place.where)), Run(name)
            mine.create(new_instance(name), run.step({"x": 0}))
            for step in range(10):
                mine.journal(name).put(str(step), "c", {"a": step})
                mine.commit(run.step({"x": step}, journal_purge=[str(step)]))
            mine.close()
            return run.version

        return advance

    names = [f"n{n}" for n in range(4)]
    assert at_once([work(name) for name in names]) == [11] * 4
    assert [store.load(name).instance.version for name in names] == [11] * 4


OPENER = """
import sys
from engine.store.database import Database
for line in sys.stdin:
    Database(line.strip()).close()
    print("made", flush=True)
"""


@pytest.mark.slow
def test_programs_that_start_together_make_one_database(place: Place, request: pytest.FixtureRequest) -> None:
    command = [sys.executable, "-c", OPENER]
    openers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for where in new_places(place, request):
        for opener in openers:
            assert opener.stdin is not None
            opener.stdin.write(f"{where}\n")
            opener.stdin.flush()
        for opener in openers:
            assert opener.stdout is not None
            assert opener.stdout.readline() == "made\n"
    assert [opener.communicate() for opener in openers] == [("", "")] * 3


def new_places(place: Place, request: pytest.FixtureRequest) -> Iterator[str]:
    """Databases that nobody has opened."""
    for round in range(15):
        if isinstance(place, SqlitePlace):
            yield f"{place.path}-{round}"
        else:
            cluster = request.getfixturevalue("postgres")
            yield cluster.url(cluster.new_database())
