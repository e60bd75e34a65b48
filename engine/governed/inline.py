"""Scripts and plain tasks where nothing is to be asked or compressed: done at once, which most of a run consists of.

The same as the `Pipeline` does, step by step, without the bookkeeping of a run that may have to wait.
"""

from __future__ import annotations

from bpmn.definition import Element
from engine.activities.work import Outcome
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.mapped import Mapped
from engine.governed.measuring import short
from engine.governed.outputs import Outputs
from engine.governed.services import Services
from engine.governed.token import Token
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.layers.spaces import space_for
from governance.vocabulary import Layer, Producer

Calm = tuple[float, float]
"""Pressure and usage, of a context that needs no D1."""


class Inline:
    """Does an activity that `ProcessIndex.inline` names."""

    def __init__(self, instance: Instance, services: Services, outputs: Outputs, mapped: Mapped) -> None:
        self._instance, self._services, self._outputs, self._mapped = instance, services, outputs, mapped
        self._looked: tuple[str, str, Element | None, Calm | None] = ("", "", None, None)
        """The snapshot, the scope and the element that were looked at last, and what D1 found there."""

    def done(self, task: DrivenTask, element: Element) -> bool:
        """False: D1 has something to do first, and nothing was done yet."""
        token: Token = task.token
        head, scope, same, d1 = self._looked
        if head != token.head or same is not element or scope != token.scope:
            # Parallel instances begin with the same snapshot: one look is enough for all of them.
            d1 = self._calm(token, element)
            self._looked = token.head, token.scope, element, d1
        if d1 is None:
            return False
        phase = Phase.WORKING
        try:
            outcome = self._mapped.script(task, element) if element.kind == "scriptTask" else _BY_NOBODY
            phase = Phase.OUTPUTS
            self._outputs.apply(task, None, element, outcome, d1)
        except Exception:
            pressure, usage = d1
            instance = self._instance
            task.activity = ActivityRun(
                instance.at, phase, writes=instance.writes, pressure=pressure, usage=usage
            )
            raise
        return True

    def _calm(self, token: Token, element: Element) -> Calm | None:
        """Pressure and usage where D1 has nothing to do, else None."""
        standing, working = self._instance.graph.standing(token.head), space_for(Layer.WORKING, token.scope)
        policy = element.resolved.policy
        if policy.retain_keys or element.data_inputs:
            totals = standing.totals(working)
            if totals.chars != totals.full_chars:
                return None  # something may have to be shown in full again
        found = self._services.compressor.calm(standing, working, policy)
        return None if found is None else (short(found.pressure), short(found.usage))


_BY_NOBODY = Outcome(producer=Producer.SCRIPT)
