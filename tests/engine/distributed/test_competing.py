"""Two that want to move the same instance at once: one does, the other is told, clearly."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from engine.events import EventType
from engine.refused import AtWorkElsewhere, InstanceEnded
from engine.spiff.messages import NotAwaited
from tests.engine.cli.command import COMMAND, environment
from tests.engine.distributed.models import BRANCHES, HELD, RECEIVES
from tests.engine.distributed.plant import Plant, Worker


def at_once(*steps: Callable[[], Any]) -> list[Any]:
    """What each gives or raises, begun at the same moment."""
    barrier = Barrier(len(steps))

    def run(step: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return step()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(run, steps))


def test_of_two_messages_for_one_receiver_one_is_received(plant: Plant) -> None:
    plant.worker()
    plant.worker()
    for _ in range(3):
        _two_messages(plant, plant.start(RECEIVES))


def _two_messages(plant: Plant, instance: str) -> None:
    with plant.governor() as one, plant.governor() as other:
        told = at_once(lambda: one.correlate(instance, "m", {}), lambda: other.correlate(instance, "m", {}))
    refused = [each for each in told if isinstance(each, Exception)]
    assert len(refused) == 1, told
    assert isinstance(refused[0], NotAwaited), refused
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"last": 1}


def test_the_command_says_so_too(plant: Plant) -> None:
    instance = plant.start(RECEIVES)
    command = [*COMMAND, "message", instance, "m", "--db", plant.url, "--json"]
    children = [
        subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [(*child.communicate(timeout=120), child.returncode) for child in children]
    assert sorted(code for *_, code in told) == [0, 2], told
    out, _, _ = next(each for each in told if each[2] == 2)
    assert "m" in out
    assert "Traceback" not in out


def test_an_instance_that_is_cancelled_while_a_worker_has_it_ends_there(plant: Plant) -> None:
    worker = plant.worker()
    instance = plant.start(HELD)
    plant.until_held(worker, instance)
    with plant.governor() as governor:
        assert governor.cancel(instance, by="olga").status == "cancelled"
    plant.let_go(worker, instance)
    plant.until(lambda: plant.done(instance)["hold"] and not plant.rows("SELECT 1 FROM gov_dispatch"))
    assert plant.statuses()[instance] == "cancelled"
    assert plant.done(instance)["last"] == 0
    assert EventType.INSTANCE_COMPLETED not in [each.type for each in plant.events(instance)]


def test_of_cancelling_and_completing_one_wins(plant: Plant) -> None:
    workers = plant.worker(), plant.worker()
    for _ in range(3):
        _cancelled_and_completed(plant, plant.start(HELD), workers)


def _cancelled_and_completed(plant: Plant, instance: str, workers: Sequence[Worker]) -> None:
    plant.until(lambda: plant.done(instance)["held"])
    (holder,) = (worker for worker in workers if ("held", worker.pid) in plant.by_whom(instance))
    with plant.governor() as governor:
        told, _ = at_once(lambda: governor.cancel(instance, by="olga"), lambda: plant.let_go(holder, instance))
    plant.until(lambda: plant.statuses()[instance] in ("completed", "cancelled"))
    status = plant.statuses()[instance]
    if isinstance(told, Exception):
        assert isinstance(told, InstanceEnded), told
        assert status == "completed"
    else:
        assert status == "cancelled"
    ends = [each.type for each in plant.events(instance)]
    assert ends.count(EventType.INSTANCE_COMPLETED) + ends.count(EventType.INSTANCE_CANCELLED) == 1


def test_who_resumes_what_a_worker_is_at_is_told(plant: Plant) -> None:
    worker = plant.worker()
    instance = plant.start(HELD)
    plant.until_held(worker, instance)
    with plant.governor(detached=False) as governor, pytest.raises(AtWorkElsewhere):
        governor.resume(instance)
    plant.let_go(worker, instance)
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"first": 1, "held": 1, "hold": 1, "last": 1}


def test_a_worker_leaves_what_a_command_is_at_and_goes_on_when_that_is_killed(plant: Plant) -> None:
    instance = plant.start(BRANCHES)
    command = plant.command("resume", instance)
    plant.until_held(command, instance)
    worker = plant.worker()
    with plant.governor() as governor:
        (item,) = governor.work_items(instance=instance)
        governor.complete(item.id, {}, by="ann")
    assert "being advanced by another program" in worker.says("could not be moved")
    assert plant.done(instance) == {"held": 1, "first": 1}
    command.signal(signal.SIGKILL)
    plant.until_held(worker, instance)
    plant.let_go(worker, instance)
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"held": 2, "first": 1, "hold": 1, "last": 1}
