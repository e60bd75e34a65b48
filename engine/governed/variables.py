"""The process variables a token sees: a view of its snapshot, made in constant time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.governed.token import UNSET, Token
from governance.layers.spaces import space_for
from governance.snapshots.graph import SnapshotGraph
from governance.vocabulary import Layer

_WORKING: Final = Layer.WORKING.value


class Variables(Mapping[str, Any]):
    """Read-only; values are shared with the snapshot and must not be changed.

    A script's and a condition's view: always full values, whatever a model is shown. An instance's own items hide
    variables of the same name, also while they are not set.
    """

    __slots__ = ("_graph", "_token")

    def __init__(self, graph: SnapshotGraph, token: Token) -> None:
        self._graph, self._token = graph, token

    def __getitem__(self, name: str) -> Any:
        value_hash = self.hash_of(name)
        if value_hash is None:
            raise KeyError(name)
        return self._graph.values.get(value_hash)

    def get(self, name: str, default: Any = None) -> Any:
        value_hash = self.hash_of(name)
        return default if value_hash is None else self._graph.values.get(value_hash)

    def __contains__(self, name: object) -> bool:
        return self.hash_of(name) is not None

    def __iter__(self) -> Iterator[str]:
        space = self._graph.contents(self._token.head).space(space_for(Layer.WORKING, self._token.scope))
        names = set(space.names()).difference(self._token.local)
        names.update(name for name, item in self._token.local.items() if item.value != UNSET)
        return iter(sorted(names))

    def hash_of(self, name: Any) -> str | None:
        """The hash of a variable's value, None: there is none."""
        token = self._token
        local = token.local.get(name)
        if local is not None:
            return None if local.value == UNSET else local.value
        space = space_for(Layer.WORKING, token.scope) if token.scope else _WORKING
        item = self._graph.standing(token.head).named(space, name)
        return None if item is None else item.value

    def __len__(self) -> int:
        return sum(1 for _ in self)
