"""What work on a value costs, found before the work is done.

Containers may be reached on many ways (`x = [x, x]`, forty times), so that comparing or printing them takes far longer
than building them took: what walks a container in C is preceded by a walk here that stops at the limits.
"""

from __future__ import annotations

from typing import Any

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.run import Run
from bpmn.expressions.values import CONTAINERS

TEXT_SHIFT = 5
"""A step is worth 32 characters."""
ITEMS_SHIFT = 4
"""A step is worth 16 items."""


def pay_text(run: Run, length: int) -> None:
    """Pay for a text of this length. Raises LimitReached, before it is made, if it is too long."""
    if length > run.limits.text:
        raise LimitReached("text", run.limits.text)
    run.charge(length >> TEXT_SHIFT)


def pay_items(run: Run, count: int) -> None:
    """Pay for a collection of this size. Raises LimitReached, before it is made, if it is too large."""
    if count > run.limits.items:
        raise LimitReached("items", run.limits.items)
    run.charge(count >> ITEMS_SHIFT)


def pay_search(run: Run, length: int, wanted: int) -> None:
    """Pay for a search whose worst case is the product of both lengths."""
    run.charge((length * wanted) >> 10)


def weigh(run: Run, value: Any) -> None:
    """Pay for a walk over all of a value. Raises LimitReached if it is nested too deep or costs too much."""
    kind = type(value)
    if kind in CONTAINERS:
        _weigh(run, value, 1)
    elif kind is str:
        run.charge(len(value) >> TEXT_SHIFT)


def _weigh(run: Run, container: Any, depth: int) -> None:
    if depth > run.limits.depth:
        raise LimitReached("depth", run.limits.depth)
    run.charge(1 + (len(container) >> ITEMS_SHIFT))
    for item in container.values() if type(container) is dict else container:
        kind = type(item)
        if kind in CONTAINERS:
            _weigh(run, item, depth + 1)
        elif kind is str and len(item) > 32:
            run.charge(len(item) >> TEXT_SHIFT)
