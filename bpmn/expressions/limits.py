"""How much one run of an expression or script may use."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds of one run; a run that passes one ends with LimitReached.

    Straight-line text costs nothing: its length bounds it. Each pass of a loop or comprehension costs a step and one
    more per sixteen parts of its body; work on a collection or a text costs steps in proportion to its size, so that
    `steps` bounds the memory too.
    """

    steps: int = 1_000_000
    seconds: float = 2.0
    """By `clock`, looked at every thousand steps or so."""
    text: int = 1_000_000
    """Characters of one text."""
    items: int = 100_000
    """Items of one list, tuple, set or object."""
    integer_bits: int = 1024
    depth: int = 100
    """Levels of lists and objects inside one another."""
    result: int = 5_000_000
    """Characters of all that comes out as JSON text, estimated; what is reached twice counts twice."""
    clock: Callable[[], float] = time.thread_time
    """Seconds on a scale of its own. The default counts this thread's computing, so that waiting for a processor
    does not end a run."""


DEFAULT_LIMITS = Limits()
