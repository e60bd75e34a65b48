"""What the specs of one definition are called in another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.launch import Deployed


class Naming:
    """Names from the old definition to the new one; what nobody maps keeps its own."""

    def __init__(self, old: Deployed, new: Deployed, mapping: Mapping[str, str]) -> None:
        self._mapping = {**mapping, old.index.main.id: new.index.main.id}
        self._ids = sorted(self._mapping, key=len, reverse=True)

    def element(self, id: str) -> str:
        return self._mapping.get(id, id)

    def scope(self, name: str) -> str:
        """The name of a sub-process's or a process's spec."""
        return self._mapping.get(name, name)

    def spec(self, name: str) -> str:
        """The name of a spec: an element's id, or that with what a control node or an instance has behind it."""
        for id in self._ids:
            if name == id or (name.startswith(id) and name[len(id)] in ". "):
                return self._mapping[id] + name[len(id):]
        return name

    def inside(self, value: Any) -> Any:
        """JSON in which names of elements and specs stand as texts or keys."""
        if isinstance(value, str):
            return self.spec(value)
        if isinstance(value, dict):
            return {self.spec(name): self.inside(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.inside(each) for each in value]
        return value
