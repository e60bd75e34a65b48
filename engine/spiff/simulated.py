"""Conditions, collections and numbers in a simulation: what cannot be computed, as nobody gave the data, is decided so
that a run goes on and comes to an end; and each time that is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.program import Program
from engine.errors import EngineError
from engine.spiff.scripts import FlowCondition, Programs
from engine.spiff.task import DrivenTask

ROUNDS: Final = 100
"""Times that a gateway goes by its conditions. Placeholders never change, so that a loop over them has no end."""

PASSES: Final = 1_000
"""Tokens that come to one element, in each instance of what is multi-instance."""

_DEFAULT: Final = "the default"
_KEPT: Final = "simulated "
"""How the names of counts begin: no element's id has a blank."""


class GoesRound(EngineError):
    """A simulation goes round without an end."""

    def __init__(self, element: str) -> None:
        self.element = element
        super().__init__(f"{element}: a token came here {PASSES} times in this simulation: nothing ends the loop")


class SimulatedPrograms(Programs):
    """Evaluates like `Programs` as long as that is possible. `note` is told what was decided otherwise, and why."""

    simulated = True

    def __init__(self, note: Callable[[DrivenTask, str], None], counts: Callable[[], dict[str, int]]) -> None:
        """`counts` gives numbers that are kept with the instance: how often gateways and flows were passed."""
        self._note, self._counts = note, counts
        self._chosen: tuple[int, str | None] = (-1, None)
        """The gateway that decides now, and the flow it takes in place of what its conditions say."""
        self._within: dict[tuple[int, str], int] = {}
        """What was passed inside instances. It is not kept with the instance: there may be any number of them."""

    def evaluate(self, task: DrivenTask, program: Program, external_context: Mapping[str, Any] | None = None) -> Any:
        """The value; 1 for a number of instances that cannot be computed."""
        try:
            return super().evaluate(task, program)
        except ExpressionError as error:
            self._note(task, f"simulated: 1 stands for what cannot be computed: {error.reason}")
            return 1

    def holds(self, task: DrivenTask, program: Program, besides: Mapping[str, Any] | None = None) -> bool:
        """Whether the condition of a loop is true; one that cannot be computed is not."""
        try:
            return super().holds(task, program, besides)
        except ExpressionError as error:
            self._note(task, f"simulated: a condition that cannot be computed does not hold: {error.reason}")
            return False

    def takes(self, task: DrivenTask, condition: FlowCondition) -> bool:
        """As the condition says; where one of the gateway's cannot be computed, the flow least taken so far is."""
        if self._chosen[0] != task.id:
            self._chosen = (task.id, self._choice(task))
        chosen = self._chosen[1]
        return condition.flow == chosen if chosen is not None else super().takes(task, condition)

    def _choice(self, task: DrivenTask) -> str | None:
        """The flow to take without asking the conditions; None: they can be asked."""
        gateway = task.task_spec
        conditions = [each for each, _ in gateway.cond_task_specs if isinstance(each, FlowCondition)]
        if self._count(gateway.name) > ROUNDS:
            flows, why = [each.flow for each in conditions], f"{ROUNDS} rounds end nothing"
        else:
            flows, why = self._undecided(task, conditions)
        if not flows:
            return None
        if getattr(gateway, "default_task_spec", None) is not None:
            flows.append(_DEFAULT)
        counts = self._counts()
        flow = min(flows, key=lambda each: counts.get(f"{_KEPT}{gateway.name} {each}", 0))
        self._count(f"{gateway.name} {flow}")
        self._note(task, f"simulated: {flow} is taken, for nothing else decides it: {why}")
        return flow

    def _count(self, name: str) -> int:
        counts = self._counts()
        counts[_KEPT + name] = counts.get(_KEPT + name, 0) + 1
        return counts[_KEPT + name]

    def _undecided(self, task: DrivenTask, conditions: list[FlowCondition]) -> tuple[list[str], str]:
        """The flows whose conditions cannot be computed, and why; none if one holds."""
        flows, why = [], ""
        for each in conditions:
            try:
                if super().holds(task, each.program):
                    return [], ""
            except ExpressionError as error:
                flows.append(each.flow)
                why = error.reason
        return flows, why

    def passes(self, task: DrivenTask) -> None:
        """Count, as a loop may have no gateway that leads out. Raises GoesRound."""
        if task.element_id is None or task.triggered:
            return
        instance = _instance_around(task)
        if instance is None:
            count = self._count(f"round {task.task_spec.name}")
        else:
            key = (instance.id, task.task_spec.name)
            count = self._within[key] = self._within.get(key, 0) + 1
        if count > PASSES:
            raise GoesRound(task.element_id)

    def passes_over_time(self, task: DrivenTask, error: Exception, *, beside: bool) -> bool:
        why = error.reason if isinstance(error, ExpressionError) else str(error)
        then = "never comes" if beside else "has come"
        self._note(task, f"simulated: a time that cannot be computed {then}: {why}")
        return True

    def collection(self, name: str) -> list[Any]:
        """What stands for a collection that is not there: one item, marked as a placeholder."""
        return [f"<{name}>"]


def _instance_around(task: DrivenTask) -> DrivenTask | None:
    """The innermost instance or round of a multi-instance or loop that the task is inside of."""
    opener = task.workflow.outer
    while opener is not None and not opener.triggered:
        opener = opener.workflow.outer
    return opener
