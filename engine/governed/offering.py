"""Offers activities to people: work items, for whom, and what they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bpmn.definition import Element
from bpmn.timers import due_after
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.assigning import assigned
from engine.governed.mapped import Mapped
from engine.governed.sla import due_time
from engine.instance import Instance
from engine.people.work_item import WorkItem
from engine.spiff.task import DrivenTask
from governance.ports import timestamp
from governance.snapshots.canonical import canonical, digest


class Offering:
    """Of one instance."""

    def __init__(self, instance: Instance, mapped: Mapped) -> None:
        self._instance, self._mapped = instance, mapped

    def offer(self, task: DrivenTask, element: Element) -> None:
        """Put it into the inbox. Raises ExpressionError, NobodyComputed."""
        seen = self._mapped.variables(task, element)
        assignment = assigned(element, self._instance.index.definition.file, seen, task.outside)
        run: ActivityRun = task.activity
        again = f".{run.attempt}" if run.attempt > 1 else ""
        item = WorkItem(
            id=f"{self._instance.id}-w{self._instance.run_id(task)}{again}",
            instance=self._instance.id,
            task=task.id,
            element=element.id,
            name=element.name or element.id,
            branch=task.token.branch,
            form=element.outputs_schema,
            shown=_shown(element, run, seen),
            users=assignment.users if assignment else (),
            groups=assignment.groups if assignment else (),
            assignee=assignment.assignee if assignment else None,
            restricted=assignment is not None and not assignment.of_lane and bool(assignment.names),
            due=self._due(assignment.due if assignment else None) or due_time(element.resolved.policy, run.started_at),
            created_at=self._instance.at,
        )
        self._instance.put_work_item(item)
        shown_hash = digest(canonical(item.shown))
        self._instance.log.add(
            EventType.WORK_ITEM_CREATED, element.id, task.token.branch, id=item.id, shown_hash=shown_hash
        )

    def _due(self, text: str | None) -> str | None:
        """When a task that is offered now is due."""
        after = None if text is None else due_after(text)
        return None if after is None else timestamp(after(self._instance.workflow.now))


def _shown(element: Element, run: ActivityRun, seen: Mapping[str, Any]) -> dict[str, Any]:
    set_ = [each.target.partition(".")[0] for each in element.input_mappings]
    taken = (item.variable or item.name for item in element.data_inputs if item.name not in set_)
    shown: dict[str, Any] = {
        "documentation": element.documentation or "",
        "inputs": {name: seen[name] for name in (*taken, *set_) if name in seen},
    }
    if run.feedback is not None:
        shown["feedback"] = run.feedback
    return shown


def completed(item: WorkItem, by: str, at: str, outputs: dict[str, Any]) -> WorkItem:
    """A work item that a person has done."""
    return replace(item, status="completed", completed_by=by, completed_at=at, outputs=outputs)
