"""No garbage collection while an advance makes what will live."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed_memory() -> Iterator[None]:
    """Collect no garbage during an advance: what it makes lives, without cycles; looking at it is a sixth of the cost.

    For the same reason its objects count as old when it is over, unless the host keeps frozen ones of its own.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()
