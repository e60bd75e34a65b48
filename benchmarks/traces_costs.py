"""What a turn costs: CPU of appending and of scoring for the next assembly, and what the memory takes."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.choosing.ours import QuarterCounter
from benchmarks.figures import Figure
from governance.cda.memory import CdaMemory
from governance.cda.settings import CdaSettings

_GOALS: Final = {1_000: None, 10_000: 2.0, 100_000: 5.0}
_TURNS: Final = 200
_WORDS: Final = 20_000


def cost_figures(sizes: dict[int, float | None] | None = None) -> Iterator[Figure]:
    """Mean CPU of one more turn at each size: append, and score for a query of ten words."""
    memory = CdaMemory("costs", CdaSettings(window_tokens=10**9, zones="on"), counter=QuarterCounter())
    random = Random(5)
    tracemalloc.start()
    for size, goal in (_GOALS if sizes is None else sizes).items():
        while len(memory) < size:
            memory.append_turn([_turn(random)], scope=f"s{len(memory) // 50}")
        held = tracemalloc.get_traced_memory()[0]
        yield from _at(memory, size, goal, random, held)
    tracemalloc.stop()


def _at(memory: CdaMemory, size: int, goal: float | None, random: Random, held: int) -> Iterator[Figure]:
    tracemalloc.stop()
    appended = scored = assembled = 0.0
    memory.score(_text(random, 10))
    for _ in range(_TURNS):
        turn, query = _turn(random), _text(random, 10)
        start = time.process_time()
        memory.append_turn([turn], scope=f"s{len(memory) // 50}")
        then = time.process_time()
        memory.score(query)
        end = time.process_time()
        appended += then - start
        scored += end - then
    for _ in range(_TURNS // 10):
        query = _text(random, 10)
        start = time.process_time()
        memory.assemble_context(query, 4_000)
        assembled += time.process_time() - start
    parts = {
        "append": 1_000 * appended / _TURNS,
        "score": 1_000 * scored / _TURNS,
        "assemble at 4,000 tokens": 1_000 * assembled / (_TURNS // 10),
    }
    yield Figure(
        name=f"cda.append_score_ms@{size}",
        value=parts["append"] + parts["score"],
        unit="CPU ms",
        better="lower",
        goal=goal,
        baselines={**parts, "memory held, KB per entry": held / 1_024 / size},
        conditions=f"mean of {_TURNS} turns of 30 words, queries of 10 words, {_WORDS:,} different words",
    )
    tracemalloc.start()


def _turn(random: Random) -> dict[str, str]:
    return {"role": random.choice(("user", "assistant")), "content": _text(random, 30)}


def _text(random: Random, words: int) -> str:
    """Words as rare as in texts: the n-th has about 1/n of the first one's share."""
    return " ".join(f"{_name(int(_WORDS ** random.random()))}" for _ in range(words))


def _name(number: int) -> str:
    letters = "bcdfghklmnprstvz"
    found = ""
    while number or not found:
        found += letters[number % 16] + "aeiou"[number // 16 % 5]
        number //= 80
    return found
