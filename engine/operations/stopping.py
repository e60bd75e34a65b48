"""Stops an instance, lets it go on, and ends it, inside an advance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import EventType
from engine.instance import Instance
from engine.operations.operation import Operation
from engine.operations.undone import under_way
from engine.status import Status
from engine.steps import Steps
from governance.human_loop.intervention import withdraw


class Suspend:
    """Nothing moves any more, until that is lifted. Nobody is asked: to stop is safe."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return ()

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        return {}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        instance = self._instance
        instance.status, instance.reason = Status.SUSPENDED, _told("suspended", wanted)
        instance.log.add(EventType.INSTANCE_SUSPENDED, **who)


class Unsuspend:
    """It goes on where it was; what was due meanwhile happens now."""

    def __init__(self, instance: Instance, steps: Steps) -> None:
        self._instance, self._steps = instance, steps

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return (None,)

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        return {"suspended": self._instance.reason, "goes_on": under_way(self._instance)}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        self._instance.status = Status.RUNNING
        self._instance.log.add(EventType.INSTANCE_UNSUSPENDED, **who)
        self._steps.expire()


class Cancel:
    """Nothing goes on, and what people were asked is withdrawn; what was going on is told."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return (None,)

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        return {"undone": under_way(self._instance)}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        instance = self._instance
        undone = under_way(instance)
        instance.workflow.abandon()
        for id in list(instance.held):
            instance.put_intervention(withdraw(instance.interventions[id]))
        instance.status, instance.reason = Status.CANCELLED, _told("cancelled", wanted)
        instance.log.add(EventType.INSTANCE_CANCELLED, **who, undone=undone)


def _told(what: str, wanted: Operation) -> str:
    return f"{what} by {wanted.by}{': ' + wanted.reason if wanted.reason else ''}"
