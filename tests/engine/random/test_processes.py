"""Random processes come to what the oracle says, the same in every way to run them.

GOVERNOR_RANDOM_PROCESSES is how many (200), GOVERNOR_RANDOM_FIRST the first seed (0).
"""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings

from engine.events import EventType
from tests.engine.random.blocks import (
    Block,
    Call,
    Exclusive,
    Inclusive,
    Instances,
    Leaf,
    Loop,
    Parallel,
    Repeat,
    Sequence,
    SubProcess,
    walk,
)
from tests.engine.random.drawing import Drawing
from tests.engine.random.generator import VARIABLES, process_of, processes
from tests.engine.random.oracle import Oracle
from tests.engine.random.places import same
from tests.engine.random.running import Course, Outcome, outcome
from tests.engine.running import Run

COUNT = int(os.environ.get("GOVERNOR_RANDOM_PROCESSES", "200"))
FIRST = int(os.environ.get("GOVERNOR_RANDOM_FIRST", "0"))
SEEDS = range(FIRST, FIRST + COUNT)


def as_expected(run: Run, oracle: Oracle, block: Block) -> Outcome:
    """What the run came to, which is what the oracle says."""
    told, expected = outcome(run), oracle.run(block)
    assert told.status == "completed"
    assert same(told.variables, {name: value for (scope, name), value in expected.values.items() if not scope})
    head = run.instance.graph.get(told.head)
    assert (head.generation, head.step) == (expected.generation, expected.steps)
    merges = run.events(EventType.D3)
    conflicts = sum(len(merge.data.get("conflicts", ())) for merge in merges)
    assert (len(merges), conflicts) == (oracle.joins, oracle.conflicts)
    return told


def straight(block: Block, course: Course) -> Outcome:
    """What the plainest run comes to."""
    return as_expected(course.run(), Oracle(VARIABLES), block)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_comes_to_the_same_in_every_way_to_run_it(seed: int) -> None:
    block = process_of(seed)
    course = Course.of(block)
    told = straight(block, course)
    assert outcome(course.run(reload=True)) == told
    assert outcome(course.run(order=seed, reload=True)) == told
    assert outcome(course.run(order=seed + 1, prune=False)) == told
    assert outcome(Course.of(block, Drawing(shuffle=seed)).run(order=seed + 2)) == told
    other = outcome(Course.of(block, Drawing(order=seed)).run(order=seed + 3))
    assert (other.status, other.variables) == (told.status, told.variables)


@pytest.mark.parametrize("seed", SEEDS[::5])
def test_with_a_clock_that_goes_on_the_same_order_comes_to_the_same(seed: int) -> None:
    block = process_of(seed)
    course = Course.of(block)
    run = course.run(order=seed, ticking=True)
    told = as_expected(run, Oracle(VARIABLES, course.schedule), block)
    assert outcome(course.run(order=seed, ticking=True, reload=True)) == told
    drawn = Course.of(block, Drawing(shuffle=seed))
    assert outcome(drawn.run(order=seed, ticking=True, prune=False)) == told


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_compression_comes_to_the_same_in_every_order_and_after_restarts(seed: int) -> None:
    """With a threshold so low that every activity compresses; it does not depend on who else is at work."""
    block = process_of(seed)
    course = Course.of(block, Drawing(threshold=150))
    told = course.run(order=seed)
    assert told.events(EventType.D1)
    assert outcome(course.run(order=seed, reload=True)) == outcome(told)
    assert outcome(course.run(order=seed + 1)) == outcome(told)
    assert outcome(course.run(order=seed + 2)) == outcome(told)
    drawn = Course.of(block, Drawing(threshold=150, shuffle=seed))
    assert outcome(drawn.run(order=seed, prune=False)) == outcome(told)


@settings(max_examples=20)
@given(processes())
def test_any_process_comes_to_what_the_oracle_says_and_survives_restarts(block: Block) -> None:
    course = Course.of(block)
    assert outcome(course.run(order=1, reload=True)) == straight(block, course)


def test_the_processes_have_everything_in_them() -> None:
    blocks = [block for seed in range(200) for block in walk(process_of(seed))]
    kinds = (Leaf, Sequence, Parallel, Inclusive, Exclusive, Loop, Repeat, Instances, SubProcess, Call)
    assert {type(block) for block in blocks} == set(kinds)
    repeated = [block for block in blocks if isinstance(block, Instances)]
    seen = {(type(block.body), block.sequential, type(block.over), bool(block.output)) for block in repeated}
    assert len(seen) == 3 * 2 * 2 * 2
    assert {block.over for block in repeated} == {"l", "d", "r", 0, 1, 2, 3}
    assert {(block.test_before, bool(block.condition)) for block in blocks if isinstance(block, Repeat)} == {
        (before, condition) for before in (True, False) for condition in (True, False)
    }


def test_their_branches_are_at_odds() -> None:
    joins = conflicts = 0
    for seed in range(200):
        oracle = Oracle(VARIABLES)
        oracle.run(process_of(seed))
        joins, conflicts = joins + oracle.joins, conflicts + oracle.conflicts
    assert (joins > 300, conflicts > 200) == (True, True)
