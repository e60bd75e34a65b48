"""What people do to contexts from outside: put one back, and change SYSTEM for all of an instance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import UnknownBranch
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.hooks import GovernedHooks
from engine.governed.people import People
from engine.instance import Instance
from engine.spiff.census import is_token
from engine.spiff.task import DrivenTask
from governance.errors import LayerRefused
from governance.human_loop.intervention import Intervention
from governance.layers.manager import ContextLayerManager
from governance.snapshots.model import CommitMeta
from governance.vocabulary import Layer, Producer


class Contexts:
    """Changes to the contexts of one instance, inside an advance."""

    def __init__(self, instance: Instance, hooks: GovernedHooks) -> None:
        self._instance, self._hooks, self._people = instance, hooks, People(instance)

    def restore(self, snapshot: str, branch: str | None, by: str) -> list[DrivenTask]:
        """Put the context of the token on `branch` (None: of the only one) back to a snapshot, on top of its head.

        Gives the tasks that stood on it. Raises UnknownBranch, UnknownSnapshot.
        """
        tasks = self.on_branch(branch)
        for task in tasks:
            self._put_back(task, snapshot, by)
        self._hooks.stand_for_instance(tasks[0])
        return tasks

    def on_branch(self, branch: str | None) -> list[DrivenTask]:
        """The tasks that stand on the one snapshot of `branch`; None: the only one. Raises UnknownBranch."""
        waiting = [task for task in self._tasks() if is_token(task)]
        tasks = [task for task in waiting if branch in (None, task.token.branch)]
        if len({task.token.head for task in tasks}) != 1:
            raise UnknownBranch(self._instance.id, branch, sorted({task.token.branch for task in waiting}))
        return tasks

    def ask_for_system(self, name: str, value: Any, by: str) -> Intervention:
        """A host wants to change SYSTEM of a running instance: it needs an EXPLICIT_APPROVAL.

        Raises LayerRefused for what SYSTEM could not hold.
        """
        instance = self._instance
        head = self._hooks.newest_head()
        context = ContextLayerManager(instance.graph, head)
        before = context.read(Layer.SYSTEM, [name]).get(name)
        if instance.taint.of(value):
            raise LayerRefused(Layer.SYSTEM, name, "it holds what came from outside the organisation's own sources")
        context.write(Layer.SYSTEM, name, value, producer=Producer.HUMAN, approved=True)
        shown = {"name": name, "before": before, "after": value, "asked_by": by}
        return self._people.ask_about_system(shown, instance.index.policy(None))

    def settle_system(self, closed: Intervention) -> None:
        """An approval is applied to every context of the instance at once, so that no two of them ever differ."""
        shown = closed.shown
        assert isinstance(shown, dict)
        assert closed.answer is not None
        if closed.answer.decision != "approve":
            return
        self.rewrite(Layer.SYSTEM, str(shown["name"]), shown["after"], Producer.HUMAN)

    def rewrite(self, layer: Layer, name: str, value: Any, producer: Producer) -> None:
        """Put an entry into every context of the instance at once."""
        moved: dict[str, str] = {}
        for task in self._tasks(live_only=False):
            run = task.activity
            heads = [pair[1] for pair in run.heads] if isinstance(run, ActivityRun) else []
            for head in (task.token.head, *heads):
                if head not in moved:
                    moved[head] = self._rewritten(head, task.token.branch, layer, name, value, producer)
            self._move(task, moved)
        newest = self._hooks.newest_head()
        head = moved.get(newest) or self._rewritten(newest, "", layer, name, value, producer)
        self._instance.head = head
        last = self._instance.workflow.last_task
        if last is not None and last.token is not None:
            last.token = last.token._replace(head=head)

    def _rewritten(
        self, head: str, branch: str, layer: Layer, name: str, value: Any, producer: Producer
    ) -> str:
        context = ContextLayerManager(self._instance.graph, head, branch=branch)
        context.write(layer, name, value, producer=producer, approved=True)
        return context.commit(layer.value.lower(), "", self._instance.at)

    def _move(self, task: DrivenTask, moved: dict[str, str]) -> None:
        task.token = task.token._replace(head=moved[task.token.head])
        task.data = self._hooks.view(task.token)
        if isinstance(task.activity, ActivityRun):
            task.activity.heads = [[branch, moved[head]] for branch, head in task.activity.heads]
        self._instance.touch(task)

    def _put_back(self, task: DrivenTask, snapshot: str, by: str) -> None:
        token = task.token
        meta = CommitMeta("restore", "", token.branch, self._instance.at)
        head = self._instance.graph.restore(token.head, snapshot, meta).id
        task.token = token._replace(head=head)
        task.data = self._hooks.view(task.token)
        self._instance.touch(task)
        self._instance.log.add(
            EventType.CONTEXT_RESTORED, task.element_id, token.branch, snapshot=snapshot, before=token.head, by=by
        )

    def _tasks(self, *, live_only: bool = True) -> Iterator[DrivenTask]:
        for scope in self._instance.workflow.scopes():
            for task in (scope.live if live_only else scope.tasks).values():
                if task.token is not None:
                    yield task
