"""Which contents stay in memory."""

from __future__ import annotations

from collections import deque

from governance.snapshots.contents import Contents
from governance.snapshots.model import Commit


class ContentsCache:
    """The contents put last, and for good those of every `stride`-th generation.

    So rebuilding any snapshot whose ancestors passed through here folds fewer than `stride` commits, while memory
    holds one contents per `stride` steps.
    """

    def __init__(self, recent: int = 256, stride: int = 64) -> None:
        self._limit, self._stride = recent, stride
        self._held: dict[str, Contents] = {}
        self._passing: deque[str] = deque()
        self.get = self._held.get
        """The contents of a snapshot, None if they are not here."""

    def is_anchor(self, commit: Commit) -> bool:
        """Whether the commit's contents stay for good."""
        return commit.generation % self._stride == 0

    def put(self, commit: Commit, contents: Contents) -> None:
        """Keep the contents of a commit."""
        id = commit.id
        self._held[id] = contents
        if commit.generation % self._stride:
            passing = self._passing
            passing.append(id)
            if len(passing) > self._limit:
                self._held.pop(passing.popleft(), None)
