"""What is going on in an instance, or at one of its tasks: what would be left undone."""

from __future__ import annotations

from typing import Any

from engine.instance import Instance
from engine.spiff.relocating import beneath
from engine.spiff.task import DrivenTask
from engine.spiff.waiting import events_of
from engine.waiting import what_it_waits_for


def under_way(instance: Instance) -> list[dict[str, Any]]:
    """What an instance was about: {"kind", "element"} of what it waits for, of work handed out, and of failures."""
    waiting = [_named(each) for each in what_it_waits_for(instance)]
    jobs = [{"kind": "activity", "element": task.element_id} for task in instance.jobs.values()]
    return waiting + jobs + [{"kind": "incident", "element": each.element} for each in instance.incidents.values()]


def under_way_at(instance: Instance, task: DrivenTask) -> list[dict[str, Any]]:
    """The same of what goes on at a task, beside it, and inside it."""
    found: list[dict[str, Any]] = []
    for each in sorted(beneath(task), key=lambda each: each.id):
        element = each.element_id
        if each.id in instance.work_items:
            found.append({"kind": "work_item", "element": element})
        if each.id in instance.jobs:
            found.append({"kind": "activity", "element": element})
        if each.id in instance.incidents:
            found.append({"kind": "incident", "element": element})
        if each.activity is not None:
            found += [{"kind": "intervention", "element": element} for _ in each.activity.holds]
        if each.id in instance.workflow.event_manager.tasks:
            found += [_named(event) for event in events_of(each)]
    return found


def _named(each: dict[str, Any]) -> dict[str, Any]:
    return {"kind": each["kind"], "element": each["element"]}
