"""Calls that run beside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def together(calls: Sequence[Callable[[], T]]) -> list[T]:
    """What the calls give, in their order; of several each runs on a thread of its own. They must not raise.

    The threads end with the program: an interruption waits for none of them.
    """
    if len(calls) < 2:
        return [call() for call in calls]
    results: dict[int, T] = {}

    def run(place: int) -> None:
        results[place] = calls[place]()

    threads = [Thread(target=run, args=(place,), daemon=True) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[place] for place in range(len(calls))]
