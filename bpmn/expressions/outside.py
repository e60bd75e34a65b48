"""What an expression may learn besides its variables: the time, and chance."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple


class Outside(NamedTuple):
    """What stands around one evaluation.

    `seed` is what chance is drawn from: the same seed gives the same expression the same draws, so that what is asked
    again, or done over after a crash, says the same. None: the time is not known, or nothing is left to chance.
    """

    now: datetime | None = None
    seed: str | None = None

    def within(self, name: str) -> Outside:
        """For one of several expressions of the same place: each draws for itself."""
        return self if self.seed is None else Outside(self.now, f"{self.seed}/{name}")


NOTHING_OUTSIDE: Final = Outside()
