"""Contexts of what undoes: compensation works where it was thrown, on the items of what it undoes."""

from __future__ import annotations

from typing import Any

from engine.governed.token import LOCAL, Token
from engine.governed.variables import Variables
from engine.instance import Instance
from engine.spiff.task import DrivenTask


class Undoing:
    """What the hooks do around compensation."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def place_of(self, task: DrivenTask) -> Any:
        return task.token.dump()[LOCAL]

    def begin(self, task: DrivenTask, child: DrivenTask, place: Any) -> None:
        """What undoes works on the context of who threw the compensation, and on the items of what is undone."""
        row = task.token.dump()
        row[LOCAL] = place or row[LOCAL]
        child.token = Token.load(row)

    def end(self, task: DrivenTask, child: DrivenTask) -> None:
        token: Token = task.token
        task.token = child.token._replace(branch=token.branch, local=token.local)
        task.data = Variables(self._instance.graph, task.token)

    def take_back(self, event: DrivenTask, last: DrivenTask) -> None:
        token: Token = event.token
        event.token = last.token._replace(branch=token.branch, local=token.local)
