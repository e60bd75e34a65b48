"""How much there is in a value: what work on all of it costs, and that it ends.

A value may hold another many times over, so that walking it takes longer than making it did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def weigh(value: Any, charge: Callable[[int], None]) -> int:
    """Steps that a walk through a value takes, charged as they are counted: a list or context and its items.

    `charge` raises LimitReached, which ends the walk.
    """
    kind = type(value)
    if kind is not list and kind is not dict:
        return 0
    total = 0
    todo = [value]
    while todo:
        current = todo.pop()
        items = current if type(current) is list else current.values()
        cost = 1 + len(current) // 8
        charge(cost)
        total += cost
        todo += [item for item in items if type(item) is list or type(item) is dict]
    return total
