"""Which entries D1 may lower, and what keeps the others (Design: D1 compress, eligible)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from fnmatch import translate

from governance.vocabulary import Band


class Hold(StrEnum):
    """What keeps an entry from falling, strongest first; the last three hold outside the forced band only."""

    RETAINED = "retained"
    PINNED = "pinned"
    INPUT = "input"
    LOWERED = "lowered"
    SHORT = "short"

    def binds(self, band: Band) -> bool:
        """Whether an entry so held stays as it is in `band`."""
        return self in (Hold.RETAINED, Hold.PINNED) or band is not Band.FORCED


class RetainedNames:
    """The names that `retain_keys` keeps: as written, or by glob (`*`, `?`, `[...]`; case counts).

    A key inside an object, as `claim.id`, keeps the variable `claim`: an entry is shown as one.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        written = frozenset(patterns)
        names = written | {name.partition(".")[0] for name in written if "." in name and not name.startswith(".")}
        globs = sorted(name for name in names if any(sign in name for sign in "*?["))
        self._names = names
        self._glob = re.compile("|".join(map(translate, globs))) if globs else None

    def __bool__(self) -> bool:
        return bool(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._names or (self._glob is not None and self._glob.match(name) is not None)
