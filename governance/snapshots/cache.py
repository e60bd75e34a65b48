"""Which contents stay in memory."""

from __future__ import annotations

from collections import OrderedDict

from governance.snapshots.contents import Contents
from governance.snapshots.model import Commit


class ContentsCache:
    """Contents lately used, and for good those of every `stride`-th generation.

    So rebuilding any snapshot whose ancestors passed through here folds fewer than `stride` commits, while memory
    holds one contents per `stride` steps.
    """

    def __init__(self, recent: int = 256, stride: int = 64) -> None:
        self._limit, self._stride = recent, stride
        self._recent: OrderedDict[str, Contents] = OrderedDict()
        self._anchors: dict[str, Contents] = {}

    def get(self, snapshot: str) -> Contents | None:
        found = self._recent.get(snapshot)
        if found is not None:
            self._recent.move_to_end(snapshot)
            return found
        return self._anchors.get(snapshot)

    def is_anchor(self, commit: Commit) -> bool:
        """Whether the commit's contents stay for good."""
        return commit.generation % self._stride == 0

    def put(self, commit: Commit, contents: Contents) -> None:
        if self.is_anchor(commit):
            self._anchors[commit.id] = contents
            return
        self._recent[commit.id] = contents
        if len(self._recent) > self._limit:
            self._recent.popitem(last=False)
