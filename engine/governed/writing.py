"""What a step writes to variables: to an instance's own items where its token has them, else to the context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.governed.token import UNSET, Token
from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Stamp, made
from governance.vocabulary import Layer, Producer


class StepWriter:
    """Writes of one step, all in one snapshot. `context` takes what is no variable."""

    def __init__(self, graph: SnapshotGraph, token: Token, *, head: str | None = None) -> None:
        self._graph, self._token = graph, token
        self.context = ContextLayerManager(graph, head or token.head, branch=token.branch, scope=token.scope)
        self._items: dict[str, str] = {}
        self.shared = False
        """Whether it writes what other branches can see."""

    def write(self, name: str, value: Any, *, producer: Producer, confidence: float = 1.0) -> str:
        """Set a variable; the hash of its value. Raises NotJson."""
        value_hash = self._graph.values.put(value)
        if name in self._token.local:
            self._items[name] = value_hash
        else:
            self.shared = True
            self.context.write_stored(Layer.WORKING, name, value_hash, producer=producer, confidence=confidence)
        return value_hash

    def delete(self, name: str, *, producer: Producer) -> None:
        if name in self._token.local:
            self._items[name] = UNSET
        else:
            self.shared = True
            self.context.delete(Layer.WORKING, name, producer=producer)

    def commit(self, kind: str, element: str, at: str, recent: tuple[str, ...] | None = None) -> Token:
        """The token behind the step; `recent` are its last records, if the step left one."""
        token = self._token
        head = self.context.commit(kind, element, at, sure=True)
        local = self._written(head, at) if self._items else token.local
        _, branch, scope, _, before, action, sealed, zones = token
        return made(Token, (head, branch, scope, local, before if recent is None else recent, action, sealed, zones))

    def _written(self, head: str, at: str) -> Mapping[str, Stamp]:
        token, step = self._token, self._graph.get(head).step
        written = {
            name: made(Stamp, (at, step, token.branch, value))
            for name, value in self._items.items()
            if value != token.local[name].value
        }
        return {**token.local, **written}


def latest(locals: Iterable[Mapping[str, Stamp]]) -> dict[str, Stamp]:
    """Own items of several branches of an instance: of each the last write, so that an unchanged copy never wins."""
    found: dict[str, Stamp] = {}
    for items in filter(None, locals):
        for name, stamp in items.items():
            if name not in found or found[name].order() < stamp.order():
                found[name] = stamp
    return found
