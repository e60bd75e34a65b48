"""What advances were made by is bound to the log: it can be erased on record, and not be changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from engine.events import Event, EventType
from engine.evidence.audit import Finding, Wrong, audit_instance
from engine.evidence.chain import Seal, bind, is_bound, unbind
from engine.replay.cause import Cause, Kind
from engine.store import seals
from engine.store.erasure import Erasure
from engine.store.packing import pack
from engine.store.store import SqlStore
from tests.engine.evidence.logs import meddle, read, store_on
from tests.engine.store.making import Run, at, new_instance

DONE = Cause(Kind.DONE, {"task": 3, "by": "ann", "outputs": {"x": "0" * 32}})
OTHER = pack(orjson.dumps({"task": 3, "by": "eve", "outputs": {"x": "0" * 32}}))
TAMPERED: dict[str, tuple[str, tuple[bytes, ...]]] = {
    "who": ("UPDATE gov_cause SET body = ? WHERE version = 2", (OTHER,)),
    "kind": ("UPDATE gov_cause SET kind = 'move' WHERE version = 2", ()),
    "time": ("UPDATE gov_cause SET at = '2020-01-01T00:00:00.000000Z' WHERE version = 2", ()),
    "taken out": ("DELETE FROM gov_cause WHERE version = 2", ()),
    "another's": ("UPDATE gov_cause SET version = 9 - version WHERE version IN (2)", ()),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "governor.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqlStore]:
    """An instance with three advances that people made."""
    store = store_on(path)
    store.create(new_instance())
    run = Run()
    for step in range(3):
        store.commit(run.step({"x": step}, cause=DONE))
    yield store
    store.close()


def found(store: SqlStore) -> Finding | None:
    return audit_instance(store, "abc123").finding


def test_causes_are_what_was_written(store: SqlStore) -> None:
    assert found(store) is None
    assert len(store.causes("abc123")) == 3


@pytest.mark.parametrize("how", TAMPERED.values(), ids=TAMPERED)
def test_a_cause_that_was_changed_is_named(store: SqlStore, path: Path, how: tuple[str, tuple[bytes, ...]]) -> None:
    meddle(path, how)
    finding = found(store)
    assert finding is not None
    assert (finding.wrong, finding.seq) == (Wrong.CAUSE, 2)
    assert finding.message == "what advance 2 was made by is not what was written"


def test_a_cause_that_was_put_in_is_named(path: Path) -> None:
    store = store_on(path)
    store.create(new_instance(), Run().step({"x": 1}))
    assert found(store) is None
    meddle(path, ("INSERT INTO gov_cause VALUES (1, 1, ?, 'done', ?)", (at(1), OTHER)))
    finding = found(store)
    assert finding is not None
    assert finding.wrong is Wrong.CAUSE
    store.close()


@pytest.mark.parametrize("form", ["another cause", "no cause", "from before", "one that is erased"])
def test_the_binding_cannot_be_taken_off(store: SqlStore, path: Path, form: str) -> None:
    ((salts,),) = read(path, "SELECT salts FROM gov_seal WHERE version = 2")
    forged = {
        "another cause": bind(salts[1:17], 2, at(2), Cause(Kind.MOVE, {})),
        "no cause": salts[1:17],
        "from before": unbind(salts)[1:17],
        "one that is erased": unbind(salts),
    }[form]
    meddle(path, ("UPDATE gov_seal SET salts = ? WHERE version = 2", (forged,)))
    finding = found(store)
    assert finding is not None
    assert finding.wrong is (Wrong.SEAL if form == "one that is erased" else Wrong.CHANGED)


def test_a_cause_is_erased_on_record_and_nobody_can_try_out_what_it_was(store: SqlStore, path: Path) -> None:
    ((before,),) = read(path, "SELECT salts FROM gov_seal WHERE version = 2")
    event = Event(6, at(9), EventType.DATA_ERASED, data={"by": "dpo"})
    record = replace(Run().advance(), version=3, events=[event], live_deletes=[], at=at(9))
    store.erase(Erasure(instance="abc123", causes={2: {"task": 3, "by": "[erased]"}}), record)
    assert found(store) is None
    ((after,),) = read(path, "SELECT salts FROM gov_seal WHERE version = 2")
    assert before[1:17] not in after
    assert Seal(2, 2, 2, before, b"").salt(3) == Seal(2, 2, 2, after, b"").salt(3)
    meddle(path, ("UPDATE gov_cause SET body = ? WHERE version = 3", (OTHER,)))
    finding = found(store)
    assert finding is not None
    assert finding.wrong is Wrong.CAUSE


def test_chains_from_before_causes_were_bound_hold_and_go_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, run = store_on(path), Run()
    store.create(new_instance())
    with monkeypatch.context() as before:
        before.setattr(seals, "bind", lambda salt, *_: salt)
        for step in range(2):
            store.commit(run.step({"x": step}, cause=DONE))
    store.commit(run.step({"x": 2}, cause=DONE))
    assert [len(each.salts) for each in store.log.seals("abc123")] == [16, 16, 33]
    assert found(store) is None
    store.close()


def test_what_is_bound_is_the_kind_the_data_the_version_and_the_time() -> None:
    bound = bind(b"s" * 16, 2, at(1), DONE)
    assert is_bound(bound, 2, at(1), DONE)
    assert not is_bound(bound, 3, at(1), DONE)
    assert not is_bound(bound, 2, at(2), DONE)
    assert not is_bound(bound, 2, at(1), DONE._replace(kind=Kind.MOVE))
    assert not is_bound(bound, 2, at(1), None)
    assert unbind(unbind(bound)) == unbind(bound)
