"""When the contents of a snapshot are worth storing whole (Design: deltas with sparse checkpoints)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from governance.snapshots.model import Commit

LEAST: Final = 64
"""Entries committed between two checkpoints, at least."""


def entries_in(commits: Iterable[Commit]) -> int:
    """How many entries commits hold."""
    return sum(len(commit.writes) + len(commit.carry) + len(commit.shown) for commit in commits)


class CheckpointPolicy:
    """A checkpoint is due once as many entries were committed as it would hold.

    So checkpoints take about as many bytes again as the commits, however long an instance runs, and rebuilding contents
    folds no more commits than a checkpoint has entries. `uncheckpointed` is what the instance was loaded with.
    """

    def __init__(self, uncheckpointed: int = 0, least: int = LEAST) -> None:
        self._written, self._least = uncheckpointed, least

    def due(self, entries_written: int, size_of_map: int) -> bool:
        """Whether to store one now, after an advance of `entries_written` entries, of contents with `size_of_map`."""
        self._written += entries_written
        if self._written < max(self._least, size_of_map):
            return False
        self._written = 0
        return True
