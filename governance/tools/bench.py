"""What the tools work on: the context of one token, on its own branch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Request
from governance.layers.branching import hidden_in
from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph


class Join(Protocol):
    """Branches that have come together and disagree."""

    def conflicts(self) -> Sequence[Mapping[str, Any]]:
        """Each open conflict as `Conflict.dump` tells it."""
        ...

    def settle(self, keys: Sequence[str], strategy: str) -> Mapping[str, Any]:
        """Settle conflicts by their ids or names with LAST_WRITE or HIGHEST_CONFIDENCE, or leave them to a person.

        What each came to, by id. Raises ToolRefused.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One token's context for the tools.

    `request` is what D1 is asked for the token's activity, `at` the time of commits. `move` is told each new head.
    `sealed` is as the token has it: what a split keeps from the branch stays hidden. `join` is there where branches
    wait for their conflicts to be settled.
    """

    graph: SnapshotGraph
    context: ContextLayerManager
    compressor: ContextCompressor
    request: D1Request
    at: str
    move: Callable[[str], None]
    sealed: str = ""
    join: Join | None = None

    @property
    def branch(self) -> str:
        return self.context.branch

    def hidden(self) -> frozenset[str]:
        """Keys that a split keeps from this branch's agents."""
        return hidden_in(self.graph, self.context.head) if self.sealed else frozenset()

    def goes_to(self, head: str) -> None:
        """The token stands on another snapshot from now on."""
        if head != self.context.head:
            self.context.head = head
            self.move(head)
