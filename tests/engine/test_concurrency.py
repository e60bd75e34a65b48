"""Jobs whose handlers allow it run beside each other; what they came to does not depend on who was faster."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from bpmn.definition import Element
from engine.activities.work import Outcome, Work
from engine.status import Status
from engine.threads import together
from engine.workshop import Workshop
from tests.engine.models import edges, end, gateway, model, service, start
from tests.engine.running import Run, _Handlers, _Journal

TWO = model(
    start(), gateway("g"), service("a"), service("b"), gateway("j"), end(), edges("s > g > a > j > e", "g > b > j"),
)  # fmt: skip


class Beside(_Handlers):
    def __init__(self, handlers: dict[str, Callable[[Work], Outcome]], which: str) -> None:
        super().__init__(handlers)
        self._which = which

    def concurrent(self, element: Element) -> bool:
        return element.id in self._which


def meeting(barrier: Barrier) -> Callable[[Work], Outcome]:
    """Waits for the other one; alone it gives up."""

    def do(work: Work) -> Outcome:
        try:
            barrier.wait()
            return Outcome(outputs={work.element.id: "met"})
        except BrokenBarrierError:
            return Outcome(outputs={work.element.id: "alone"})

    return do


@pytest.mark.parametrize(("which", "told"), [("ab", "met"), ("a", "alone"), ("", "alone")])
def test_only_those_that_may_run_beside_each_other(which: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    do = meeting(Barrier(2, timeout=20 if told == "met" else 0.01))

    def arm(run: Run) -> None:
        arms(run)
        handlers = Beside({"a": do, "b": do}, which)
        run.workshop = Workshop(run.instance, run.hooks, handlers, _Journal({}))

    arms = Run._arm
    monkeypatch.setattr(Run, "_arm", arm)
    run = Run(TWO)
    assert (run.status, run.variables) == (Status.COMPLETED, {"a": told, "b": told})


def test_results_come_in_the_order_of_the_calls() -> None:
    barrier = Barrier(3)

    def call(number: int) -> Callable[[], Any]:
        return lambda: (barrier.wait(), number)[1]

    assert together([call(n) for n in range(3)]) == [0, 1, 2]
    assert together([]) == []
