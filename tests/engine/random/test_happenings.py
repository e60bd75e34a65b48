"""Random processes of events do what their blocks say, in every order and after a restart at every step.

GOVERNOR_RANDOM_PROCESSES is how many (200), GOVERNOR_RANDOM_FIRST the first seed (0).
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.launch import Deployed
from engine.status import Status
from tests.engine.random.happenings import Maker
from tests.engine.random.running import outcome
from tests.engine.random.test_processes import SEEDS
from tests.engine.running import Run, deployed_from


def _run(source: bytes, deployed: Deployed, order: int, *, reload: bool) -> Run:
    """To the end: people first, in a random order; time goes on where nobody has anything to do."""
    choices = Random(order)
    run = Run(source, process="p", deployed=deployed)
    fresh = True
    for _ in range(10_000):
        if reload:
            before = _state(run)
            run.reload(fresh=fresh)
            assert _state(run) == before
            fresh = False
        items = sorted(run.instance.work_items)
        due = run.instance.workflow.next_due()
        if items:
            item = run.instance.work_items[choices.choice(items)]
            run.go(lambda task=item.task: run.advancing.complete_work_item(task, {}, "ann"))  # type: ignore[misc]
        elif due is not None and run.status is Status.WAITING:
            run.clock.move_to(due)
            run.go()
        else:
            return run
    raise AssertionError("it never ends")


def _state(run: Run) -> tuple[object, ...]:
    """What a restart must find again: context, tasks, messages, timers, records of what can be undone."""
    workflow = run.instance.workflow
    tasks = (task for scope in workflow.scopes() for task in scope.live.values())
    live = sorted((task.id, task.task_spec.name, task._state) for task in tasks)
    records = sorted(number for scope in workflow.scopes() for number in scope.records)
    return outcome(run), run.open_items(), live, records, workflow.next_due(), sorted(run.instance.incidents)


def _done(run: Run) -> Counter[str]:
    return Counter(name for name in run.done() if name.startswith("t"))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_done_is_what_the_blocks_say(seed: int) -> None:
    source, expected = Maker(Random(seed)).process()
    deployed = deployed_from(source, "p")
    for order, reload in ((seed, False), (seed + 1, True)):
        run = _run(source, deployed, order, reload=reload)
        assert run.status is Status.COMPLETED, run.instance.incidents
        assert _done(run) == expected
        assert len(run.memory.rows) <= 1, "a completed instance leaves its root alone behind"


def test_they_have_everything_in_them() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(200):
        maker = Maker(Random(seed))
        maker.process()
        kinds += maker.kinds
    assert min(kinds.values()) > 50
    assert len(kinds) == 9
