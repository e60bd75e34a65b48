"""Connections that are kept out of the pool, and what becomes of those that are not kept."""

from __future__ import annotations

from contextlib import ExitStack
from threading import Barrier
from typing import Any

from sqlalchemy import event, text

from engine.store.kept import KeptConnections
from engine.store.store import SqlStore
from engine.threads import together
from tests.engine.store.making import Run
from tests.engine.store.places import Place


def test_what_the_pool_gets_back_begins_transactions(store: SqlStore, place: Place, run: Run) -> None:
    """More programs' threads at once than connections are kept: the others' go through the pool."""
    met = Barrier(5)
    take = KeptConnections.take

    def meeting(kept: KeptConnections, engine: Any) -> Any:
        taken = take(kept, engine)
        met.wait(30)
        return taken

    KeptConnections.take = meeting  # type: ignore[method-assign]
    try:
        together([lambda: store.events(run.instance)] * 5)
    finally:
        KeptConnections.take = take  # type: ignore[method-assign]
    before = place.everything()
    with ExitStack() as stack:
        for each in [stack.enter_context(store.database.connections.connect()) for _ in range(5)]:
            each.execute(text("UPDATE gov_instance SET status = 'lost'"))
            each.rollback()
    assert place.everything() == before


def test_a_question_of_one_statement_begins_no_transaction(store: SqlStore, run: Run) -> None:
    begun: list[bool] = []

    def begins(connection: Any) -> None:
        driver = connection.connection.dbapi_connection
        begun.append(driver.in_transaction if hasattr(driver, "in_transaction") else not driver.autocommit)

    event.listen(store.database.connections, "before_cursor_execute", lambda connection, *_: begins(connection))
    assert store.instance(run.instance).version == 0
    assert store.find_instance(run.instance) == run.instance
    assert begun == [False, False]
    store.load(run.instance)
    assert begun[2:] == [True] * len(begun[2:])
    assert len(begun) > 2
