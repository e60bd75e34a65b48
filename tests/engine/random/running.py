"""Runs block trees in memory, in all the ways that must come to the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, NamedTuple

from engine.launch import Deployed
from tests.engine.random.blocks import Block
from tests.engine.random.drawing import Drawing, code_of
from tests.engine.random.generator import VARIABLES
from tests.engine.random.oracle import Schedule
from tests.engine.running import Run, deployed_from


class Outcome(NamedTuple):
    """What a run came to. `tree` is what stands in the context; `head` hashes all that ever happened in it."""

    status: str
    variables: dict[str, Any]
    tree: int
    head: str


@dataclass
class Course:
    """A process, ready to be run in one way or another."""

    source: bytes
    code: dict[str, str]
    deployed: Deployed
    steps: int = 0
    schedule: Schedule = field(default_factory=dict)
    """Of the last run: how many tasks people did, and which of these steps was whose."""

    @classmethod
    def of(cls, block: Block, drawing: Drawing | None = None) -> Course:
        source = (drawing or Drawing()).draw(block)
        return cls(source, code_of(block), deployed_from(source, "p"))

    def run(
        self, *, order: int | None = None, reload: bool = False, prune: bool = True, ticking: bool = False
    ) -> Run:
        """Run to the end.

        `order` is the seed of the order in which people do their tasks, None for as they come. With `reload` the
        instance goes on after each step in a fresh object graph, the first time from the file read anew. If the clock
        is `ticking`, each step is a minute later than the last one; else time stands still.
        """
        choices = None if order is None else Random(order)
        run = Run(self.source, VARIABLES, code=self.code, process="p", deployed=self.deployed, prune=prune)
        fresh, self.schedule, self.steps = True, {}, 0
        while run.instance.work_items:
            if reload:
                before = _state(run)
                run.reload(fresh=fresh)
                assert _state(run) == before
                fresh = False
            if ticking:
                run.clock.move_to(run.clock.now() + timedelta(minutes=1))
            tasks = sorted(run.instance.work_items)
            item = run.instance.work_items[choices.choice(tasks) if choices else tasks[0]]
            self.steps += 1
            self.schedule.setdefault((item.branch, item.element), []).append(self.steps)
            run.go(partial(run._run_code, item.task, self.code[item.element]))
        return run


def _state(run: Run) -> tuple[Outcome, list[str], int, int]:
    """What a restart must find again."""
    writes = run.hooks.open_writes
    return outcome(run), run.open_items(), writes.written, writes.conflicting


def outcome(run: Run) -> Outcome:
    graph, head = run.instance.graph, run.head
    return Outcome(run.instance.status.value, run.variables, graph.contents(head).tree, head)
