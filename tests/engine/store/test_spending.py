"""What model calls used is added up, whoever adds at the same time."""

from __future__ import annotations

import threading

from engine.store.database import Database
from engine.store.store import SqlStore
from governance.budgets import Pool
from tests.engine.store.making import Run, new_instance
from tests.engine.store.places import Place


def test_what_many_spend_at_once_is_added_up(store: SqlStore, place: Place) -> None:
    assert store.spent() == Pool()
    begin = threading.Barrier(4, timeout=20)

    def spend(name: str) -> None:
        mine, run = SqlStore(Database(place.where)), Run(name)
        mine.create(new_instance(name))
        begin.wait()
        for _ in range(5):
            mine.commit(run.step({"x": 1}, spent=Pool(tokens=3, cost=0.5, minutes=1.0)))
        mine.close()

    threads = [threading.Thread(target=spend, args=(f"n{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.spent() == Pool(tokens=60, cost=10.0, minutes=20.0)
