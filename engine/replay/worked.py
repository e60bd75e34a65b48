"""What came back from a workshop, and what happened to the instance while it was at work there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from engine.governed.activity_run import ActivityRun
from engine.governed.token import Token
from engine.instance import Instance
from engine.replay.results import Came, dump_result
from governance.budgets import Pool
from governance.snapshots.values import ValueStore


def dump_work(instance: Instance, results: Sequence[tuple[int, Came]]) -> dict[str, Any]:
    """Results by task, with who did it in which version and to what effect.

    An agent's work moves its token (D1 before a model call), asks people and spends: `after` is how its tasks stood
    when the work was over. What its models and tools said in between is not kept.
    """
    values = instance.graph.values
    row: dict[str, Any] = {"results": [_result(instance, values, task, came) for task, came in results]}
    if not instance.log.pending:
        return row
    tasks = [(id, task) for id, _ in results if (task := instance.jobs.get(id)) is not None]
    # A copy: what they are made of goes on changing until the advance is committed.
    row["after"] = deepcopy({str(id): [task.token.dump(), task.activity.dump()] for id, task in tasks})
    row["asked"], row["raised"] = sorted(instance.changes.interventions), instance.raised
    row["spent"], row["head"] = list(instance.spending.used), instance.head
    return row


def load_work(instance: Instance, row: Mapping[str, Any]) -> None:
    """Put the tasks where they stood after the work. Questions that were asked meanwhile are put by the caller."""
    for id, (token, run) in row.get("after", {}).items():
        task = instance.jobs[int(id)]
        task.token, task.activity = Token.load(token), ActivityRun.load(deepcopy(run))  # which goes on changing
        instance.touch(task)
    if "after" in row:
        instance.raised, instance.spending.used = row["raised"], Pool(*row["spent"])


def _result(instance: Instance, values: ValueStore, task_id: int, came: Came) -> list[Any]:
    told = dump_result(values, came)
    task = instance.jobs.get(task_id)
    if task is not None and "thought_hash" not in told:
        element = instance.index.elements[task.task_spec.bpmn_id]
        told["element"], told["effect"] = element.id, instance.effect_of(element).value
        told["key"] = f"{instance.id}/{instance.run_id(task)}/{task.activity.attempt}"
        told["version"] = instance.version_of(element)
    return [task_id, told]

