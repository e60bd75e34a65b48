"""Two programs that do something to one instance at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

from engine.events import Event
from engine.governor import Governor
from engine.result import RunResult
from tests.engine.operating.office import Office

Move = Callable[[Governor], Any]
_PATIENCE = 20


def at_once(office: Office, *moves: Move) -> list[RunResult | Exception]:
    """What the moves came to, in their order.

    Each is made on a thread and a Governor of its own; none commits before all have loaded the instance and moved it,
    so that all but one meet what the other made of it.
    """
    barrier = Barrier(len(moves))
    results: dict[int, RunResult | Exception] = {}

    def run(place: int, move: Move) -> None:
        met: list[bool] = []

        def meet(event: Event) -> None:
            if not met:
                met.append(True)
                try:
                    barrier.wait(_PATIENCE)
                except BrokenBarrierError:
                    raise AssertionError("the other one never came so far") from None

        try:
            results[place] = replace(office, overtake=meet).do(move)
        except Exception as error:
            results[place] = error

    threads = [Thread(target=run, args=each) for each in enumerate(moves)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[place] for place in range(len(moves))]


def one_of(results: list[RunResult | Exception]) -> tuple[RunResult, Exception]:
    """The one that won, and the refusal of the other."""
    won = [each for each in results if isinstance(each, RunResult)]
    lost = [each for each in results if isinstance(each, Exception)]
    assert (len(won), len(lost)) == (1, 1), results
    return won[0], lost[0]
