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
        self._held[commit.id] = contents
        if not self.is_anchor(commit):
            self._passing.append(commit.id)
            if len(self._passing) > self._limit:
                self._held.pop(self._passing.popleft(), None)
