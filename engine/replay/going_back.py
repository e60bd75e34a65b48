"""Puts a live instance, as it stood at an earlier snapshot, at the end of its history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from engine.concluding import conclude
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.human_loop.intervention import Intervention
from governance.ports import timestamp

if TYPE_CHECKING:
    from engine.replay.line import Line


def go_back(line: Line, data: Mapping[str, Any], at: str) -> None:
    """What is there from then goes on under keys and ids that the future which is given up has not used.

    `data` is what a rewind's cause says: `number` (the how-maniest rewind), `counter` and `raised` (how many tasks and
    questions there have been), `items` (tasks of work items that were done since), `asked` (ids of questions that were
    closed since).
    """
    instance = line.instance
    instance.freeze_time(datetime.fromisoformat(at))
    instance.workflow.counter = max(instance.workflow.counter, data["counter"])
    instance.raised = max(instance.raised, data["raised"])
    instance.line = data["number"]
    for task_id in data["items"]:
        item = instance.work_items[task_id]
        instance.put_work_item(replace(item, id=_again(item.id, data["number"]), created_at=at))
    for id in data["asked"]:
        _ask_again(instance, instance.interventions[id], data["number"], at)
    conclude(instance)


def _ask_again(instance: Instance, asked: Intervention, number: int, at: str) -> None:
    """The same question under a new id; it is due as long after now as it was after it was asked."""
    task_id = instance.held[asked.id]
    instance.held.drop(asked.id)
    del instance.interventions[asked.id]
    changed: dict[str, Any] = {"id": _again(asked.id, number), "created_at": at}
    if asked.due is not None:
        given = datetime.fromisoformat(asked.due) - datetime.fromisoformat(asked.created_at)
        changed["due"] = timestamp(datetime.fromisoformat(at) + given)
    again = asked.model_copy(update=changed)
    instance.put_intervention(again, task_id)
    task = None if task_id is None else instance.task(task_id)
    if task is not None:
        _renamed(task, asked.id, again.id)
        instance.touch(task)


def _renamed(task: DrivenTask, old: str, new: str) -> None:
    run = task.activity
    run.holds = [new if id == old else id for id in run.holds]
    run.asks = {call: new if id == old else id for call, id in run.asks.items()}


def _again(id: str, number: int) -> str:
    return f"{id.partition('~')[0]}~{number}"
