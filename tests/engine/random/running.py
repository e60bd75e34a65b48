"""Runs block trees in memory, in all the ways that must come to the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, NamedTuple

from engine.launch import Deployed
from tests.engine.random.blocks import Block
from tests.engine.random.drawing import Drawing, code_of
from tests.engine.random.generator import VARIABLES
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
    """People's tasks done so far, by all runs."""

    @classmethod
    def of(cls, block: Block, drawing: Drawing | None = None) -> Course:
        source = (drawing or Drawing()).draw(block)
        return cls(source, code_of(block), deployed_from(source, "p"))

    def run(self, *, order: int | None = None, reload: bool = False, prune: bool = True) -> Run:
        """Run to the end.

        `order` is the seed of the order in which people do their tasks, None for as they come. With `reload` the
        instance goes on after each step in a fresh object graph, the first time from the file read anew.
        """
        choices = None if order is None else Random(order)
        run = Run(self.source, VARIABLES, code=self.code, process="p", deployed=self.deployed, prune=prune)
        fresh = True
        while run.instance.work_items:
            if reload:
                before = _state(run)
                run.reload(fresh=fresh)
                assert _state(run) == before
                fresh = False
            tasks = sorted(run.instance.work_items)
            task = choices.choice(tasks) if choices else tasks[0]
            run.go(partial(run._run_code, task, self.code[run.instance.work_items[task].element]))
            self.steps += 1
        return run


def _state(run: Run) -> tuple[Outcome, list[str], int, int]:
    """What a restart must find again."""
    writes = run.hooks.open_writes
    return outcome(run), run.open_items(), writes.written, writes.conflicting


def outcome(run: Run) -> Outcome:
    graph, head = run.instance.graph, run.head
    return Outcome(run.instance.status.value, run.variables, graph.contents(head).tree, head)
