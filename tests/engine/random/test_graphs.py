"""Unstructured processes go as the token game goes, step by step, with a restart after each step.

GOVERNOR_RANDOM_PROCESSES is how many (200), GOVERNOR_RANDOM_FIRST the first seed (0).
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from engine.status import Status
from tests.engine.random.graph_drawing import draw
from tests.engine.random.graphs import Graph, graph_of
from tests.engine.random.tokens import Game
from tests.engine.running import Run

COUNT = int(os.environ.get("GOVERNOR_RANDOM_PROCESSES", "200"))
FIRST = int(os.environ.get("GOVERNOR_RANDOM_FIRST", "0"))
SEEDS = range(FIRST, FIRST + COUNT)
STEPS = 14


def seen(run: Run) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Open tasks, catch events that wait, and activities done."""
    waiting = [task for task in run.instance.workflow.event_manager.tasks.values() if task.element_id is not None]
    catches = Counter(task.element_id for task in waiting if task.element_id[0] == "c")
    return Counter(run.open_items()), catches, Counter(run.done())


def expected(game: Game) -> tuple[Counter[str], Counter[str], Counter[str]]:
    return game.open_users(), game.open_catches(), +game.done


def agree(run: Run, game: Game) -> None:
    assert seen(run) == expected(game)
    assert (run.instance.status is Status.COMPLETED) == game.ended
    if run.instance.status is Status.STALLED:
        assert not game.open_users()


def step(game: Game, graph: Graph, name: str) -> None:
    """A person does a task, and the signal behind it is thrown, if there is one."""
    nodes = {node.id: node for node in graph.every()}
    game.finish(name)
    behind = [nodes[out] for out in nodes[name].outs]
    for node in behind:
        if node.kind == "throw":
            game.throw(node.signal)
    game.settle()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_goes_as_the_token_game_goes(seed: int) -> None:
    graph, choices = graph_of(seed), Random(seed)
    run = Run(draw(graph), process="p")
    game = Game.begin(graph, Counter())
    game.settle()
    agree(run, game)
    for _ in range(STEPS):
        items = [name for name in run.open_items() if game.scopes_with(name) == 1]
        if not items:
            break
        run.reload(fresh=False)
        agree(run, game)
        chosen = choices.choice(items)
        run.do(chosen)
        step(game, graph, chosen)
        agree(run, game)


def test_the_processes_have_everything_in_them() -> None:
    graphs = [graph_of(seed) for seed in range(200)]
    nodes = [node for graph in graphs for node in graph.every()]
    kinds = {"user", "task", "xor", "and", "or", "complex", "sub", "catch", "throw", "end", "terminate"}
    assert {node.kind for node in nodes} == kinds
    boundaries = [each for node in nodes for each in node.boundaries]
    handlers = [each for graph in graphs for each in graph.handlers]
    for events in (boundaries, handlers):
        assert {each.interrupting for each in events} == {True, False}  # type: ignore[attr-defined]
    assert max(node.start_quantity for node in nodes) == max(node.completion_quantity for node in nodes) == 2
