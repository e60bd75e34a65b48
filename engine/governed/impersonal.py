"""Keeps what says something of a person out of what all instances share: findings, experiences, skills.

Such records have no instance's policy, outlive its erasing, and are shown to agents and people of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from engine.instance import Instance
from engine.personal.keys import personal_keys
from engine.personal.masking import Gathered


class Impersonal:
    """Of one instance. Where its definition calls nothing personal, it costs nothing."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def text(self, text: str, head: str, outputs: Mapping[str, Any]) -> str:
        """A text that an activity came to, without what is personal at a snapshot or in its outputs.

        Cost: the snapshots before that one that were not seen yet.
        """
        if not self._keys:
            return text
        gathered, graph = self._gathered, self._instance.graph
        gathered.add(graph, list(self._unseen(head)))
        for name, value in outputs.items():
            gathered.put(name, value)
        masked: str = gathered.masker().json(text)
        return masked

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return personal_keys(self._instance.index.definition)

    @cached_property
    def _gathered(self) -> Gathered:
        return Gathered(self._keys)

    def _unseen(self, head: str) -> Iterator[str]:
        todo, met = [head], set[str]()
        while todo:
            id = todo.pop()
            if id not in met and id not in self._gathered.seen:
                met.add(id)
                yield id
                todo.extend(self._instance.graph.get(id).parents)
