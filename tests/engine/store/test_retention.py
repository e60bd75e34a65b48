"""What is over is removed; what may still move, and what it refers to, never is."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import orjson
import pytest
from sqlalchemy import Connection

from bpmn.codec import definition_hash, to_json
from bpmn.load import load
from engine.store import retention
from engine.store.database import Database
from engine.store.errors import NotEnded, UnknownInstance
from engine.store.reach import owned, referred
from engine.store.store import SqlStore
from tests.engine.store.golden.make import NOON, PLAIN, PROCESS, governor
from tests.engine.store.making import START, Run, new_instance
from tests.engine.store.places import Place

LATER = NOON + timedelta(days=40)


def texts(place: Place, word: str) -> int:
    return repr(place.everything()["gov_value"]).count(word)


def test_an_instance_that_ended_long_ago_goes_with_what_was_its_own(store: SqlStore, place: Place) -> None:
    for name, status in (("old", "completed"), ("open", "waiting"), ("new", "completed")):
        run = Run(name)
        store.create(new_instance(name), run.step({"own": f"only of {name}", "shared": "of both"}, status=status))
    assert texts(place, "only of old") == texts(place, "of both") == 1
    before = place.everything()
    would = store.clean(START + timedelta(days=1), only_look=True)
    assert place.everything() == before
    assert would.instances == ("old", "new")
    assert store.clean(START + timedelta(days=1)) == would
    assert [each.id for each in store.instances()] == ["open"]
    assert (texts(place, "only of old"), texts(place, "of both"), texts(place, "only of open")) == (0, 1, 1)
    assert store.source("open").commits(store.instance("open").head or "")
    with pytest.raises(UnknownInstance):
        store.load("old")
    assert store.clean(START + timedelta(days=1)).values == 0


def test_nothing_is_left_of_it_in_any_table(store: SqlStore, place: Place) -> None:
    store.create(new_instance("gone"), Run("gone").step({"x": 1}, status="cancelled", taints=["00" * 16]))
    assert store.clean(START + timedelta(days=1)).instances == ("gone",)
    left = place.everything()
    assert {name: left[name] for name in ("gov_instance", *(each.name for each in owned())) if left[name]} == {}


def test_an_age_is_counted_from_the_last_move(store: SqlStore) -> None:
    store.create(new_instance("a"), Run("a").step({"x": 1}, status="completed"))
    assert store.clean(START + timedelta(seconds=1)).instances == ()
    assert store.clean(START + timedelta(seconds=2), {"cancelled"}).instances == ()
    assert store.clean(START + timedelta(seconds=2), {"completed"}).instances == ("a",)


def test_a_process_says_how_long_its_instances_are_kept(store: SqlStore, place: Place) -> None:
    spans = {"none": None, "short": "P10D", "long": "P1Y", "ever": "P9999Y"}
    for name, span in spans.items():
        kept = "" if span is None else f'gov:retention="{span}"'
        source = PLAIN.replace(b'<process id="p"', f'<process id="{name}" {kept}'.encode())
        definition = load(source, file=f"{name}.bpmn").definition
        hash = definition_hash(definition)
        store.deploy(orjson.dumps(to_json(definition)), hash, source, name, f"{name}.bpmn")
        for id, status in ((name, "completed"), (f"{name} open", "waiting")):
            new = new_instance(id, definition=hash, process=name)
            store.create(new, Run(id).step({"own": f"only of {name}"}, status=status))
    now = START + timedelta(days=30)
    assert store.clean(now=START + timedelta(days=9)).instances == ()
    before = place.everything()
    would = store.clean(now=now, only_look=True)
    assert (would.instances, place.everything()) == (("short",), before)
    assert store.clean(START + timedelta(days=1), now=now, only_look=True).instances == ("none", "short")
    assert store.clean(now=now) == would
    with pytest.raises(UnknownInstance):
        store.load("short")
    assert store.clean(now=now + timedelta(days=400)).instances == ("long",)
    assert {each.id for each in store.instances()} == {*spans, *(f"{name} open" for name in spans)} - {"short", "long"}


@pytest.mark.parametrize("state", ["running", "waiting", "failed", "stalled", "suspended"])
def test_states_in_which_it_may_still_move_are_refused(store: SqlStore, state: str) -> None:
    with pytest.raises(NotEnded, match="removed are only those cancelled or completed"):
        store.clean(START, {state, "completed"})


def test_real_instances_go_on_after_it(place: Place) -> None:
    """What the engine stores, and not only what we make here, is known to be referred to."""
    with governor(place.where) as opened:
        assert opened.start(load(PLAIN, file="plain.bpmn"), {}).status == "completed"
        assert opened.start(load(PROCESS, file="process.bpmn"), {"n": 1}).status == "waiting"
    before = place.everything()
    with governor(place.where, LATER) as opened:
        cleaned = opened.store.clean(LATER - timedelta(days=30))
        assert (cleaned.instances, cleaned.definitions) == (("golden-1",), 1)
        assert {*place.everything()["gov_snapshot"]} < {*before["gov_snapshot"]}
        (item,), (asked,) = opened.store.work_items(), opened.store.interventions()
        opened.complete(item.id, {"said": 40}, by="ann")
        opened.answer(asked.id, "approve", by="ann")
        result = opened.resume("golden-2")
        assert (result.status, result.variables["total"]) == ("completed", 42)
        for commit in opened.graph("golden-2").log(opened.store.instance("golden-2").head or ""):
            opened.graph("golden-2").contents(commit.id)


def test_what_is_written_while_it_looks_is_kept(
    store: SqlStore, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that nothing refers to when it is looked for, and an instance does before it is removed."""
    store.create(new_instance("old"), Run("old").step({"x": "a value again"}, status="completed"))
    other = SqlStore(Database(place.where))
    moved: list[int] = []

    def looked(connection: Connection, numbers: Iterable[int]) -> set[bytes]:
        found = referred(connection, numbers)
        if not moved:
            moved.append(other.create(new_instance("late"), Run("late").step({"x": "a value again"})))
        return found

    monkeypatch.setattr(retention, "referred", looked)
    store.clean(START + timedelta(seconds=2), {"completed"})
    assert moved == [1]
    assert texts(place, "a value again") == 1
    other.close()
