"""What a killed worker had goes on within 30 s, with the times that a worker has when nobody sets them."""

from __future__ import annotations

import inspect
import signal
import time
from dataclasses import fields

import pytest

from engine.cli.commands.worker import worker as command
from engine.distributed.settings import WorkerSettings
from tests.engine.distributed.models import HELD
from tests.engine.distributed.plant import Plant

WITHIN = 30.0
"""Seconds, as docs/concepts/workers.md promises."""


def test_the_lease_and_two_heartbeats_are_within_the_promise() -> None:
    """At worst it beat as it died: it is silent for too long after the lease. Whoever lives looks at each beat of its
    own, and the second one is for a look that another had just begun."""
    usual = WorkerSettings()
    assert usual.lease + 2 * usual.beat <= WITHIN
    assert usual.lease >= 2 * usual.beat, "one heartbeat that is late is no death"


@pytest.mark.parametrize("name", ["slots", "beat", "lease", "grace", "poll"])
def test_the_command_has_the_same_times(name: str) -> None:
    usual = {each.name: each.default for each in fields(WorkerSettings)}
    assert inspect.signature(command).parameters[name].default == usual[name]


def test_a_killed_worker_s_instance_is_at_another_within_the_promise(plant: Plant) -> None:
    killed = plant.worker(times=())
    instance = plant.start(HELD)
    plant.until_held(killed, instance)
    other = plant.worker(times=())
    began = time.monotonic()
    killed.signal(signal.SIGKILL)
    plant.until_held(other, instance)
    took = time.monotonic() - began
    print(f"taken over after {took:.1f} s")
    assert took <= WITHIN
    plant.let_go(other, instance)
    plant.until_all("completed", instance)
    assert plant.done(instance) == {"first": 1, "held": 2, "hold": 1, "last": 1}
