"""Two programs that move one instance at once: the first wins, and the other one learns who that was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from engine.store.errors import VersionConflict

T = TypeVar("T")
_TRIES: Final = 5


def until_settled(step: Callable[[], T], is_ours: Callable[[], T | None]) -> T:
    """What `step` gives; it is taken again on what another program made of the instance meanwhile.

    `step` raises where there is nothing left to do, as an answer has been given. `is_ours` gives a result where the
    step was committed, and only what followed met the other program. Raises VersionConflict if that goes on and on.
    """
    for _ in range(_TRIES - 1):
        try:
            return step()
        except VersionConflict:
            result = is_ours()
            if result is not None:
                return result
    return step()
