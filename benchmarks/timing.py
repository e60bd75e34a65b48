"""CPU seconds of a call, best of several; growth over sizes; a limit for what does not come to an end."""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import log
from typing import Any, TypeVar

T = TypeVar("T")


class TooSlow(Exception):
    """A call used up the seconds it was given."""


def cpu_of(call: Callable[[], Any]) -> float:
    """CPU seconds of one call; garbage made before it is collected first."""
    gc.collect()
    began = time.process_time()
    call()
    return time.process_time() - began


def best_cpu(prepare: Callable[[], Callable[[], Any]], times: int) -> float:
    """The least CPU seconds of several calls; each is prepared anew, and the preparation is not counted."""
    return min(cpu_of(prepare()) for _ in range(times))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow in the block once that many seconds have passed. Main thread only.

    By the wall clock: while a timer counts a process's CPU time, Linux reads that time in ticks of some milliseconds.
    """

    def stop(*_: Any) -> None:
        raise TooSlow(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def exponent(seconds: Mapping[int, float]) -> float:
    """The slope of log(seconds) over log(size), by least squares: 1 is linear."""
    xs, ys = [log(size) for size in seconds], [log(value) for value in seconds.values()]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
