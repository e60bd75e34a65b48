"""The version of what an advance leaves in the database for the next one.

It goes up when a program of an older version could not go on with an instance that a newer one has moved. Workers of
two versions may run side by side: an older one leaves alone what a newer one has written. It is not the version of the
program, nor a hash of its code: work must not be stranded by every new release.
"""

from __future__ import annotations

from typing import Final

from engine.store.advance import PROTOCOL

ADVANCE_PROTOCOL: Final = PROTOCOL


def version_name(protocol: int) -> str:
    """What the workers' queue calls it."""
    return f"advance-{protocol}"
