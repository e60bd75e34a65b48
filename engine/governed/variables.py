"""The process variables a token sees: a view of its snapshot, made in constant time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.governed.token import UNSET, Token
from governance.layers.spaces import space_for
from governance.snapshots.contents import Contents
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer


class Variables(Mapping[str, Any]):
    """Read-only; values are shared with the snapshot and must not be changed.

    A script's and a condition's view: always full values, whatever a model is shown. An instance's own items hide
    variables of the same name, also while they are not set.
    """

    __slots__ = ("_local", "_space", "_values")

    def __init__(self, contents: Contents, values: ValueStore, token: Token) -> None:
        self._space = contents.space(space_for(Layer.WORKING, token.scope))
        self._values, self._local = values, token.local

    def __getitem__(self, name: str) -> Any:
        local = self._local.get(name)
        if local is not None:
            if local.value == UNSET:
                raise KeyError(name)
            return self._values.get(local.value)
        item = self._space.rendered.get(name) or self._space.archived.get(name)
        if item is None:
            raise KeyError(name)
        return self._values.get(item.value)

    def __contains__(self, name: object) -> bool:
        if name in self._local:
            return self._local[name].value != UNSET  # type: ignore[index]
        return name in self._space.rendered or name in self._space.archived

    def __iter__(self) -> Iterator[str]:
        names = {*self._space.rendered, *self._space.archived}.difference(self._local)
        names.update(name for name, item in self._local.items() if item.value != UNSET)
        return iter(sorted(names))

    def __len__(self) -> int:
        return sum(1 for _ in self)
