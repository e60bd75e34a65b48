"""Answers are kept while their activity runs, and not longer."""

from __future__ import annotations

import pytest

from engine.store.errors import UnknownInstance
from engine.store.store import SqlStore
from tests.engine.store.making import Run, new_instance


def test_the_first_answer_stays(store: SqlStore, run: Run) -> None:
    journal = store.journal("abc123")
    assert journal.get("1", "c") is None
    journal.put("1", "c", {"text": "first", "n": 2**70})
    journal.put("1", "c", {"text": "second"})
    assert journal.get("1", "c") == {"text": "first", "n": 2**70}
    assert (journal.get("1", "d"), journal.get("2", "c")) == (None, None)


def test_instances_have_their_own(store: SqlStore, run: Run) -> None:
    store.create(new_instance("other"))
    store.journal("abc123").put("1", "c", {"of": "abc123"})
    assert store.journal("other").get("1", "c") is None


def test_an_unknown_instance_has_none(store: SqlStore) -> None:
    with pytest.raises(UnknownInstance):
        store.journal("gone").put("1", "c", {})


def test_finished_runs_are_purged_and_no_others(store: SqlStore, run: Run) -> None:
    journal = store.journal("abc123")
    for name in ("1", "2", "3"):
        journal.put(name, "c", {"run": name})
    store.commit(run.step({}, journal_purge=["1", "3"]))
    assert [journal.get(name, "c") for name in ("1", "2", "3")] == [None, {"run": "2"}, None]


def test_a_completed_instance_has_none(store: SqlStore, run: Run) -> None:
    journal = store.journal("abc123")
    journal.put("1", "c", {"a": 1})
    store.commit(run.step({}, status="completed"))
    assert journal.get("1", "c") is None


def test_an_answer_that_comes_too_late_is_not_kept(store: SqlStore, run: Run) -> None:
    store.commit(run.step({}, status="completed"))
    journal = store.journal("abc123")
    journal.put("1", "c", {"a": 1})
    assert journal.get("1", "c") is None
