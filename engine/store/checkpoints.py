"""When the contents of a snapshot are worth storing whole (Design: deltas with sparse checkpoints)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from governance.snapshots.model import Commit

LEAST: Final = 64
"""Entries committed between two checkpoints beyond those of the first, at least."""


def entries_in(commits: Iterable[Commit]) -> int:
    """How many entries commits hold."""
    return sum(len(commit.writes) + len(commit.carry) + len(commit.shown) for commit in commits)


def entries_held(dump: Mapping[str, Any]) -> int:
    """How many entries a checkpoint holds; `dump` is `Contents.dump()`."""
    return sum(len(space["items"]) for space in dump["spaces"].values())


class CheckpointPolicy:
    """A checkpoint is due when more entries were committed after the last one than that one holds.

    So all checkpoints together hold no more entries than the commits before the last one, however long an instance runs
    and whether its contents grow or stay. `uncheckpointed` is what the instance was loaded with.
    """

    def __init__(self, uncheckpointed: int = 0, least: int = LEAST) -> None:
        self._written, self._least = uncheckpointed, least

    def due(self, entries_written: int, size_of_map: int) -> bool:
        """Whether to store one now, after an advance of `entries_written` entries, of contents with `size_of_map`."""
        self._written += entries_written
        if self._written < self._least:
            return False
        self._written = -size_of_map
        return True
