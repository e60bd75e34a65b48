"""Workers that die, freeze and end: their instances go on, none twice."""

from __future__ import annotations

import signal

from engine.events import EventType
from tests.engine.distributed.models import HELD, SHORT
from tests.engine.distributed.plant import Plant


def completed(plant: Plant, instance: str) -> list[str]:
    return [str(each.element) for each in plant.events(instance) if each.type is EventType.ACTIVITY_COMPLETED]


def test_what_a_killed_worker_had_goes_on_at_another_and_nothing_is_done_twice(plant: Plant) -> None:
    killed = plant.worker()
    held = [plant.start(HELD) for _ in range(3)]
    plant.until_held(killed, *held)
    other = plant.worker()
    killed.signal(signal.SIGKILL)
    waiting = [plant.start(SHORT) for _ in range(6)]
    plant.until_held(other, *held)
    for instance in held:
        plant.let_go(other, instance)
    plant.until_all("completed", *held, *waiting)
    assert "took over 3" in other.says("took over")
    for instance in held:
        assert plant.done(instance) == {"first": 1, "held": 2, "hold": 1, "last": 1}
        assert len({key for what, key, _ in plant.effects(instance) if what == "held"}) == 1
        assert completed(plant, instance) == ["first", "hold", "last"]
        assert [each.seq for each in plant.events(instance)] == list(range(len(plant.events(instance))))
    for instance in waiting:
        assert plant.done(instance) == {"first": 1, "last": 1}


def test_a_worker_that_was_frozen_cannot_write_when_it_wakes_up(plant: Plant) -> None:
    frozen = plant.worker()
    instance = plant.start(HELD)
    plant.until_held(frozen, instance)
    other = plant.worker()
    frozen.signal(signal.SIGSTOP)
    plant.until_held(other, instance)
    before = plant.rows("SELECT version, epoch FROM gov_instance WHERE id = %s", instance)
    # It is let go on where it was, before the other one has written anything.
    plant.let_go(frozen, instance)
    frozen.signal(signal.SIGCONT)
    assert "taken for dead" in frozen.says("taken for dead")
    assert frozen.ends() == 1
    assert plant.rows("SELECT version, epoch FROM gov_instance WHERE id = %s", instance) == before
    plant.let_go(other, instance)
    plant.until_all("completed", instance)
    assert completed(plant, instance) == ["first", "hold", "last"]
    assert plant.done(instance)["last"] == 1


def test_a_worker_that_is_told_to_end_leaves_what_it_has_at_its_next_commit(plant: Plant) -> None:
    ending = plant.worker()
    instance = plant.start(HELD)
    plant.until_held(ending, instance)
    ending.signal(signal.SIGTERM)
    ending.says("draining, 1 running")
    plant.let_go(ending, instance)
    ending.says("nothing left undone")
    assert ending.ends() == 0
    assert plant.statuses()[instance] == "running"
    assert plant.done(instance) == {"first": 1, "held": 1, "hold": 1}
    plant.worker()
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"first": 1, "held": 1, "hold": 1, "last": 1}
    assert plant.rows("SELECT id FROM gov_worker") != []


def test_what_does_not_end_in_time_is_left_to_others_at_once(plant: Plant) -> None:
    ending = plant.worker("--grace", "1", "--lease", "3600")
    instance = plant.start(HELD)
    plant.until_held(ending, instance)
    other = plant.worker("--lease", "3600")
    ending.signal(signal.SIGTERM)
    ending.says("stopped")
    assert ending.ends() == 0
    plant.until_held(other, instance)
    plant.let_go(other, instance)
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"first": 1, "held": 2, "hold": 1, "last": 1}
