"""Where people decide conflicts: who always takes the last write comes to what the rule comes to."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from governance.human_loop.intervention import Intervention
from tests.engine.random.drawing import Drawing, code_of
from tests.engine.random.generator import VARIABLES, process_of
from tests.engine.random.oracle import Oracle
from tests.engine.random.places import same
from tests.engine.random.running import outcome
from tests.engine.running import Run

SEEDS = range(0, 200, 5)
UNDECLARED, ALWAYS = "", '<gov:branchStrategy merge="HUMAN"/>'


def last_writes(asked: Intervention) -> dict[str, Any]:
    """Answers that take what LAST_WRITE would: the values of a conflict come oldest first."""
    assert isinstance(asked.shown, dict)
    conflicts: Any = asked.shown["conflicts"]
    return {conflict["id"]: {"take": conflict["values"][-1]["branch"]} for conflict in conflicts}


def run_with_people(seed: int, merge: str, *, order: int, reload: bool) -> tuple[Run, int]:
    """The run, and how often somebody was asked."""
    block, choices = process_of(seed), Random(order)
    run = Run(Drawing(merge=merge).draw(block), VARIABLES, code=code_of(block), process="p")
    asked = 0
    while run.instance.work_items or run.instance.held:
        if reload:
            run.reload(fresh=False)
        waiting: list[int | str] = [*sorted(run.instance.work_items), *sorted(run.instance.held)]
        chosen = choices.choice(waiting)
        if isinstance(chosen, str):
            run.answer(chosen, "resolve", values=last_writes(run.instance.interventions[chosen]))
            asked += 1
        else:
            run.go(partial(run._run_code, chosen, run.code[run.instance.work_items[chosen].element]))
    return run, asked


@pytest.mark.parametrize("merge", [UNDECLARED, ALWAYS], ids=["undeclared", "always"])
@pytest.mark.parametrize("seed", SEEDS)
def test_people_who_take_the_last_write_come_to_what_the_rule_comes_to(seed: int, merge: str) -> None:
    context = Oracle(VARIABLES).run(process_of(seed))
    run, asked = run_with_people(seed, merge, order=1, reload=False)
    told = outcome(run)
    assert told.status == "completed"
    assert same(told.variables, {name: value for (scope, name), value in context.values.items() if not scope})
    again, asked_again = run_with_people(seed, merge, order=2, reload=True)
    assert (outcome(again), asked_again) == (told, asked)


def test_people_are_asked() -> None:
    assert sum(run_with_people(seed, ALWAYS, order=1, reload=False)[1] for seed in range(0, 40, 5)) > 2
