"""What failed gets another try, or is passed over, inside an advance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.activities.outputs import problems
from engine.activities.work import Outcome
from engine.errors import NothingToRetry
from engine.events import EventType
from engine.governed.hooks import GovernedHooks
from engine.instance import Incident, Instance
from engine.operations.editing import Edit, changes
from engine.operations.operation import NotPossible, Operation
from engine.spiff.driven import NOT_REACHED, DrivenActivity
from engine.spiff.task import DrivenTask
from engine.steps import Steps
from governance.vocabulary import Producer

_WITHOUT_WAY: Final = ("Gateway", "ubProcess", "transaction", "callActivity")
"""Ends of the kinds of elements that nobody but themselves can say how to go on from."""


class Retry:
    """Another try for what failed, with other variables if they are given."""

    def __init__(self, instance: Instance, steps: Steps, edit: Edit) -> None:
        self._instance, self._steps, self._edit = instance, steps, edit

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        """A try alone asks what its policy asks for; other variables are a change from outside."""
        return [each.element for each, _ in failed(self._instance, wanted)] if _edits(wanted) else ()

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        tasks = failed(self._instance, wanted)
        shown = {"failed": [{"element": each.element, "error": each.error} for each, _ in tasks]}
        return {**shown, "variables": changes([task for _, task in tasks], wanted)} if _edits(wanted) else shown

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        found = failed(self._instance, wanted)
        if _edits(wanted):
            tasks = [task for _, task in found]
            changed = sorted(changes(tasks, wanted))
            self._edit.write(tasks, wanted)
            for task in tasks:
                self._instance.log.add(EventType.VARIABLES_EDITED, task.element_id, task.token.branch, **who,
                                       variables=changed)  # fmt: skip
        self._steps.retry([each.task for each, _ in found], who)


class Skip:
    """What failed is passed over: the token goes on behind it, with outputs that a person gives, if any."""

    def __init__(self, instance: Instance, hooks: GovernedHooks) -> None:
        self._instance, self._hooks = instance, hooks

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return [each.element for each, _ in failed(self._instance, wanted)]

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        found = failed(self._instance, wanted)
        for _, task in found:
            self._check(task, wanted)
        shown = {"failed": [{"element": each.element, "error": each.error} for each, _ in found]}
        return {**shown, "variables": changes([task for _, task in found], wanted)}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        for incident, task in failed(self._instance, wanted):
            if self._instance.task(task.id) is task:  # one before it may have ended it
                self._pass(incident, task, wanted, who)

    def _check(self, task: DrivenTask, wanted: Operation) -> None:
        """Raises NotPossible where nobody can say what would follow."""
        element = self._instance.index.elements.get(task.element_id or "")
        run, instance = task.activity, self._instance
        if element is None or run.heads or task.task_spec.leads or element.kind.endswith(_WITHOUT_WAY):
            raise NotPossible(instance.id, "skip", f"{wanted.element} is no single activity or event; "
                              "give it another try, or move its token")  # fmt: skip
        if wanted.values and element.outputs_schema is not None:
            wrong = problems(wanted.values, element.outputs_schema)
            if wrong:
                raise NotPossible(instance.id, "skip", f"{element.id}: {'; '.join(wrong)}")

    def _pass(self, incident: Incident, task: DrivenTask, wanted: Operation, who: Mapping[str, str]) -> None:
        instance, run = self._instance, task.activity
        instance.incidents.pop(incident.task)
        instance.log.add(EventType.INCIDENT_RESOLVED, incident.element, task.token.branch, how="skip", **who)
        task.internal_data.pop(NOT_REACHED, None)
        if isinstance(task.task_spec, DrivenActivity):
            why = f"skipped by {wanted.by}{': ' + wanted.reason if wanted.reason else ''}"
            outcome = Outcome(outputs=dict(wanted.values), confidence=1.0, producer=Producer.HUMAN, decision=why)
            element = instance.index.elements[incident.element]
            self._hooks.outputs.apply(task, run, element, outcome, (run.pressure, run.usage))
        elif wanted.values:
            self._hooks.received(task, wanted.values)
        instance.changes.finished_runs.append(str(task.id))
        task.activity = None
        task.complete()


def failed(instance: Instance, wanted: Operation) -> list[tuple[Incident, DrivenTask]]:
    """The failures that are meant, with their tasks. Raises NothingToRetry."""
    found: list[tuple[Incident, DrivenTask]] = []
    for each in instance.incidents.values():
        task = instance.task(each.task)
        assert task is not None
        if wanted.element in (None, each.element) and wanted.branch in (None, task.token.branch):
            found.append((each, task))
    if not found:
        raise NothingToRetry(instance.id, wanted.element, [each.element for each in instance.incidents.values()])
    return found


def _edits(wanted: Operation) -> bool:
    return bool(wanted.values or wanted.deleted)
