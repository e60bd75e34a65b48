"""Whatever is done to a log, an audit names the first event that it was done to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import Event, EventType
from engine.evidence.audit import Audited, Pinned, Wrong, audit
from engine.evidence.chain import GENESIS, Seal, data_digest, erased, seal
from engine.evidence.log import LoggedEvent
from engine.store.database import Database
from engine.store.documents import dump_bytes
from engine.store.store import SqlStore
from tests.engine.evidence.logs import as_data, data_of, logged, meddle, store_on

ADVANCES = 4
"""Of two events each: 0 to 7."""
MEDDLING: dict[str, tuple[tuple[str, ...], Wrong, int]] = {
    "data": (("UPDATE gov_event SET data = x'7b7d' WHERE seq = 3",), Wrong.CHANGED, 3),
    "time": (("UPDATE gov_event SET at = '2020-01-01T00:00:00.000000Z' WHERE seq = 5",), Wrong.CHANGED, 5),
    "type": (("UPDATE gov_event SET type = 'no_such_type' WHERE seq = 0",), Wrong.CHANGED, 0),
    "element": (("UPDATE gov_event SET element = 'Other' WHERE seq = 4",), Wrong.CHANGED, 4),
    "branch": (("UPDATE gov_event SET branch = 'b' WHERE seq = 7",), Wrong.CHANGED, 7),
    "not JSON": (("UPDATE gov_event SET data = x'0102' WHERE seq = 2",), Wrong.CHANGED, 2),
    "taken out": (("DELETE FROM gov_event WHERE seq = 2",), Wrong.MISSING, 2),
    "taken out, moved up": (
        ("DELETE FROM gov_event WHERE seq = 2", "UPDATE gov_event SET seq = seq - 1 WHERE seq > 2"),
        Wrong.CHANGED,
        2,
    ),
    "put in at the end": (
        ("INSERT INTO gov_event SELECT instance, 8, at, type, element, branch, data FROM gov_event WHERE seq = 7",),
        Wrong.INSERTED,
        8,
    ),
    "put in, moved down": (
        (
            "UPDATE gov_event SET seq = -seq - 1 WHERE seq >= 4",
            "UPDATE gov_event SET seq = -seq WHERE seq < 0",
            "INSERT INTO gov_event SELECT instance, 4, at, type, element, branch, data FROM gov_event WHERE seq = 3",
        ),
        Wrong.CHANGED,
        4,
    ),
    "put in before the first": (
        ("INSERT INTO gov_event SELECT instance, -1, at, type, element, branch, data FROM gov_event WHERE seq = 0",),
        Wrong.INSERTED,
        -1,
    ),
    "two swapped": (
        (
            "UPDATE gov_event SET seq = 99 WHERE seq = 2",
            "UPDATE gov_event SET seq = 2 WHERE seq = 6",
            "UPDATE gov_event SET seq = 6 WHERE seq = 99",
        ),
        Wrong.CHANGED,
        2,
    ),
    "last cut off": (("DELETE FROM gov_event WHERE seq >= 6",), Wrong.MISSING, 6),
    "last advance cut off": (
        ("DELETE FROM gov_event WHERE seq >= 6", "DELETE FROM gov_seal WHERE version = 4"),
        Wrong.TRUNCATED,
        6,
    ),
    "advance cut out": (
        ("DELETE FROM gov_event WHERE seq IN (2, 3)", "DELETE FROM gov_seal WHERE version = 2"),
        Wrong.SEAL,
        2,
    ),
    "link altered": (("UPDATE gov_seal SET links = zeroblob(64) WHERE version = 3",), Wrong.CHANGED, 4),
    "salt altered": (("UPDATE gov_seal SET salts = zeroblob(16) WHERE version = 3",), Wrong.CHANGED, 4),
    "seal cut": (("UPDATE gov_seal SET links = x'00' WHERE version = 3",), Wrong.SEAL, 4),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "governor.db"


def audited(store: SqlStore, instance: str = "abc123", pinned: Pinned | None = None) -> Audited:
    log = store.log
    return audit(instance, log.seals(instance), log.events(instance), store.instance(instance).version, pinned)


def test_a_log_is_what_was_written(path: Path) -> None:
    store = store_on(path)
    logged(store, ADVANCES)
    found = audited(store)
    assert (found.finding, found.events, found.linked, found.unlinked) == (None, 8, 8, 0)
    assert store.log.head("abc123") == (8, bytes.fromhex(found.head))
    store.close()


@pytest.mark.parametrize("what", MEDDLING)
def test_what_was_done_to_it_is_found(path: Path, what: str) -> None:
    statements, wrong, seq = MEDDLING[what]
    store = store_on(path)
    logged(store, ADVANCES)
    meddle(path, *statements)
    finding = audited(store).finding
    assert finding is not None
    assert (finding.wrong, finding.seq) == (wrong, seq)
    store.close()


def test_the_log_of_one_instance_does_not_stand_for_another(path: Path) -> None:
    store = store_on(path)
    logged(store, 2)
    logged(store, 2, "other")
    meddle(
        path,
        "UPDATE gov_instance SET id = 'third' WHERE id = 'abc123'",
        "UPDATE gov_instance SET id = 'abc123' WHERE id = 'other'",
        "UPDATE gov_instance SET id = 'other' WHERE id = 'third'",
    )
    for instance in ("abc123", "other"):
        finding = audited(store, instance).finding
        assert finding is not None
        assert (finding.wrong, finding.seq) == (Wrong.CHANGED, 0)
    store.close()


def test_an_advance_without_events_has_its_place(path: Path) -> None:
    store = store_on(path)
    run = logged(store, 1)
    store.commit(run.advance(events=()))
    store.commit(run.step({"x": 2}))
    assert audited(store).finding is None
    meddle(path, "DELETE FROM gov_seal WHERE version = 2")
    finding = audited(store).finding
    assert finding is not None
    assert finding.wrong is Wrong.SEAL
    store.close()


def test_events_from_before_the_chain_are_told_as_such(path: Path) -> None:
    store = store_on(path)
    run = logged(store, 2)
    meddle(path, "DELETE FROM gov_seal")
    assert (audited(store).finding, audited(store).linked, audited(store).unlinked) == (None, 0, 4)
    store.close()
    store = store_on(path)  # one that has not seen the chain before
    store.commit(run.step({"x": 2}))
    found = audited(store)
    assert (found.finding, found.linked, found.unlinked) == (None, 2, 4)
    store.close()


def test_erased_data_leave_the_chain_whole_and_nothing_to_try_out(path: Path) -> None:
    before: list[Event] = [
        Event(0, "t", EventType.NOTICE, "a", "", {"message": "Maria is ill"}),
        Event(1, "t", EventType.NOTICE, "a", "", {"message": "all is well"}),
    ]
    made = seal(GENESIS, "i", 1, 0, before, b"s" * 16)
    tombstone = erased(data_digest(made.salt(0), before[0].data))
    salts = bytes(16) + made.salt(1)
    events = [LoggedEvent(0, "t", "notice", "a", "", tombstone), LoggedEvent(*before[1][:2], "notice", *before[1][3:])]
    found = audit("i", [made._replace(salts=salts)], events, 1)
    assert (found.finding, found.erased) == (None, 1)


@pytest.mark.parametrize(
    ("statements", "wrong"),
    [
        (("DELETE FROM gov_event WHERE seq >= 4", "DELETE FROM gov_seal WHERE version > 2",
          "UPDATE gov_instance SET version = 2"), Wrong.TRUNCATED),
        (("DELETE FROM gov_event", "DELETE FROM gov_seal", "UPDATE gov_instance SET version = 0"), Wrong.TRUNCATED),
    ],
)  # fmt: skip
def test_a_checkpoint_shows_that_the_end_was_cut_off(path: Path, statements: tuple[str, ...], wrong: Wrong) -> None:
    store = store_on(path)
    logged(store, ADVANCES)
    events, head = store.log.head("abc123")
    pinned = Pinned("abc123", events, head.hex())
    assert audited(store, pinned=pinned).finding is None
    meddle(path, *statements)
    assert audited(store).finding is None, "nothing but a checkpoint can show it"
    finding = audited(store, pinned=pinned).finding
    assert finding is not None
    assert finding.wrong is wrong
    store.close()


def test_a_checkpoint_shows_that_all_was_written_anew(path: Path, tmp_path: Path) -> None:
    store = store_on(path)
    logged(store, ADVANCES)
    events, head = store.log.head("abc123")
    store.close()
    other = store_on(tmp_path / "other.db")
    logged(other, ADVANCES)  # the same, but for the salts
    assert audited(other).finding is None
    finding = audited(other, pinned=Pinned("abc123", events, head.hex())).finding
    assert finding is not None
    assert finding.wrong is Wrong.REWRITTEN
    other.close()


def test_what_came_after_the_checkpoint_is_no_matter(path: Path) -> None:
    store = store_on(path)
    run = logged(store, ADVANCES)
    events, head = store.log.head("abc123")
    store.commit(run.step({"x": 9}))
    assert audited(store, pinned=Pinned("abc123", events, head.hex())).finding is None
    store.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(data=st.lists(st.dictionaries(st.text(), JSON, max_size=3), min_size=1, max_size=5), bad=st.integers(0, 4))
def test_any_data_are_linked_as_they_are_read_back(data: list[dict[str, object]], bad: int) -> None:
    events = [Event(seq, "t", EventType.NOTICE, None, "", each) for seq, each in enumerate(data)]
    made: Seal = seal(GENESIS, "i", 1, 0, events, b"s" * 16)
    stored = [LoggedEvent.stored(e.seq, e.at, e.type, e.element, e.branch, dump_bytes(e.data)) for e in events]
    assert audit("i", [made], stored, 1).finding is None
    place = bad % len(data)
    stored[place] = stored[place]._replace(data={**data[place], "more": 1, "$": 2})
    finding = audit("i", [made], stored, 1).finding
    assert finding is not None
    assert finding.seq == place


def test_a_store_may_be_given_salts(path: Path) -> None:
    def given() -> bytes:
        return b"0123456789abcdef"

    store = SqlStore(Database(str(path)), salts=given)
    store.deploy(b"{}", "d" * 64, b"", "Main", "main.bpmn")
    logged(store, 1)
    assert [each.salts[1:17] for each in store.log.seals("abc123")] == [given()]
    assert data_of(path, 0) != {}
    meddle(path, ("UPDATE gov_event SET data = ? WHERE seq = 0", (as_data({"attempt": 2}),)))
    assert audited(store).finding is not None
    store.close()
