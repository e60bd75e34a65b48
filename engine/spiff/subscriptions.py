"""Waiting events by what they wait for, so that a throw looks at those alone that it concerns."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.util.event import EventManager

from engine.spiff.task import DrivenTask
from engine.spiff.triggers import Topic, Trigger

_OUTSIDE = frozenset({"message", "element", "signal"})


class Subscriptions(EventManager):
    """The library's list of waiting tasks, and an index of it by topic."""

    def __init__(self, workflow: Any) -> None:
        super().__init__(workflow)
        self._by_topic: dict[Topic, dict[int, DrivenTask]] = {}
        self.changed: set[Topic] = set()
        """Topics that somebody has begun or ceased to wait for, since somebody looked."""

    def add_task(self, my_task: DrivenTask) -> None:
        self.tasks[my_task.id] = my_task
        for topic in _topics(my_task):
            waiting = self._by_topic.setdefault(topic, {})
            if not waiting:
                self.changed.add(topic)
            waiting[my_task.id] = my_task

    def remove_task(self, my_task: DrivenTask) -> None:
        if self.tasks.pop(my_task.id, None) is None:
            return
        for topic in _topics(my_task):
            waiting = self._by_topic.get(topic, {})
            waiting.pop(my_task.id, None)
            if not waiting and self._by_topic.pop(topic, None) is not None:
                self.changed.add(topic)

    def waiting_for(self, topic: Topic) -> list[DrivenTask]:
        """Those that wait for it, the one that began to wait first first."""
        waiting = self._by_topic.get(topic)
        return [] if waiting is None else [waiting[task_id] for task_id in sorted(waiting)]

    def from_outside(self) -> list[Topic]:
        """What may come from outside the instance and is waited for."""
        return sorted(topic for topic in self._by_topic if topic[0] in _OUTSIDE)

    def drain_changes(self) -> tuple[list[Topic], list[Topic]]:
        """Of what may come from outside: what is waited for since the last call, and what no longer is."""
        changed = sorted(topic for topic in self.changed if topic[0] in _OUTSIDE)
        self.changed.clear()
        awaited = [each for each in changed if each in self._by_topic]
        return awaited, [each for each in changed if each not in self._by_topic]

    def topics(self, kind: str) -> list[str]:
        """Names of what is waited for of one kind."""
        return sorted(name for each, name in self._by_topic if each == kind)


def _topics(my_task: DrivenTask) -> tuple[Topic, ...]:
    definition = my_task.task_spec.event_definition
    return definition.topics_of(my_task) if isinstance(definition, Trigger) else ()
