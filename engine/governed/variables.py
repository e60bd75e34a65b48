"""The process variables a token sees: a view of its snapshot, made in constant time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.governed.token import Token
from governance.layers.spaces import space_for
from governance.snapshots.contents import Contents
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer


class Variables(Mapping[str, Any]):
    """Read-only; values are shared with the snapshot and must not be changed.

    A script's and a condition's view: always full values, whatever a model is shown.
    """

    __slots__ = ("_local", "_space", "_values")

    def __init__(self, contents: Contents, values: ValueStore, token: Token) -> None:
        self._space = contents.space(space_for(Layer.WORKING, token.scope))
        self._values, self._local = values, token.local

    def __getitem__(self, name: str) -> Any:
        local = self._local.get(name)
        if local is not None:
            return self._values.get(local)
        item = self._space.rendered.get(name) or self._space.archived.get(name)
        if item is None:
            raise KeyError(name)
        return self._values.get(item.value)

    def __contains__(self, name: object) -> bool:
        return self._local.get(name) is not None or name in self._space.rendered or name in self._space.archived  # type: ignore[call-overload]

    def __iter__(self) -> Iterator[str]:
        names = {*self._space.rendered, *self._space.archived, *(k for k, v in self._local.items() if v is not None)}
        return iter(sorted(names))

    def __len__(self) -> int:
        return sum(1 for _ in self)
