"""Small contexts to compress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision, D1Request
from governance.policy import Policy
from governance.snapshots.canonical import canonical
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Item, Write
from governance.snapshots.render import render_line
from governance.snapshots.values import ValueStore
from governance.tokens import TokenCounter
from governance.vocabulary import Fidelity

START = "2025-03-01T09:00:00.000000Z"
LATER = "2025-03-01T10:00:00.000000Z"


class Truncating:
    """Cuts the text off at the limit: easy to foresee."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        text = value if isinstance(value, str) else canonical(value).decode()
        return text[:limit]


class Quarters:
    """A token for every four characters begun."""

    def count(self, text: str) -> int:
        return -(-len(text) // 4)


def line_of(name: str, chars: int, word: str = "x") -> str:
    """Text whose full line under `name` has exactly `chars` characters: name, colon, blank, two quotation marks."""
    length = chars - len(name) - 4
    return (word * length)[:length]


@dataclass
class Context:
    """A graph, its head, and a compressor on it."""

    graph: SnapshotGraph
    head: str
    compressor: ContextCompressor

    @classmethod
    def of(
        cls, entries: Mapping[str, Any], times: Mapping[str, str] | None = None, tokens: TokenCounter | None = None
    ) -> Context:
        """Entries by key; `times` says when one was written, if not at START."""
        values = ValueStore(tokens=tokens or Quarters())
        graph = SnapshotGraph(values)
        context = cls(graph, "", ContextCompressor(graph, Truncating()))
        context.write(entries, times=times)
        return context

    def write(
        self,
        entries: Mapping[str, Any],
        at: str = START,
        times: Mapping[str, str] | None = None,
        activity: str = "",
    ) -> None:
        values = self.graph.values
        times = times or {}
        writes = {
            key: Write(values.put(value), put_meta(values, EntryMeta(activity=activity, created_at=times.get(key, at))))
            for key, value in entries.items()
        }
        parents = [self.head] if self.head else []
        self.head = self.graph.commit(parents, writes=writes, meta=CommitMeta(kind="activity", at=at)).id

    def compress(self, request: D1Request, at: str = LATER) -> D1Decision:
        decision = self.compressor.compress(self.head, request, at)
        self.head = decision.snapshot_after
        return decision

    def decompress(self, keys: Iterable[str], at: str = LATER) -> list[str]:
        self.head, raised = self.compressor.decompress(self.head, keys, at)
        return raised

    def item(self, key: str) -> Item:
        item = self.graph.contents(self.head).item(key)
        assert item is not None
        return item

    def fidelity(self, key: str) -> Fidelity:
        return self.item(key).fidelity

    def line(self, key: str) -> str:
        return render_line(self.graph.values, key, self.item(key))

    def shown(self) -> dict[str, tuple[Fidelity, str]]:
        """Fidelity and line of every entry."""
        contents = self.graph.contents(self.head)
        keys = [f"{space}/{name}" for space in contents.spaces for name in contents.names(space)]
        return {key: (self.fidelity(key), self.line(key)) for key in keys}


def request(threshold: int = 1_000, window: int = 1_000_000, retain: tuple[str, ...] = (), **known: Any) -> D1Request:
    """A request with a policy of that threshold, window and retain keys."""
    strategy = known.pop("strategy", "SUMMARY")
    policy = Policy(
        working_threshold=threshold, window_tokens=window, retain_keys=retain, compress_strategy=strategy
    )
    return D1Request(activity="review", policy=policy, **known)
