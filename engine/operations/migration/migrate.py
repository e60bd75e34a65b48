"""The step that makes a migration an advance: what agents and people are told changes with the definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.events import EventType
from engine.governed.contexts import Contexts
from engine.governed.outline import outline
from engine.instance import Instance
from engine.operations.operation import NotPossible, Operation
from governance.vocabulary import Layer, Producer


class Migrate:
    """An instance that was put together on another definition goes on with it."""

    def __init__(self, instance: Instance, contexts: Contexts) -> None:
        self._instance, self._contexts = instance, contexts

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        """Asked about on the old definition; once it stands on the new one, that is done."""
        return (None,) if self._instance.migration is None else ()

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        return dict(wanted.details)

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        planned = self._instance.migration
        if planned is None:
            raise NotPossible(self._instance.id, "migrate", "it was agreed to by itself, and nobody was there to do it")
        told = {name: value for name, value in planned.to_json().items() if name != "process"}
        self._contexts.rewrite(Layer.PROCESS, "definition", outline(self._instance.index), Producer.DESIGNER)
        self._renew_work_items()
        self._rename_questions(planned.mapped)
        self._instance.log.add(EventType.INSTANCE_MIGRATED, **who, **told)

    def _renew_work_items(self) -> None:
        """Open tasks are called, and take what, the new definition says."""
        instance = self._instance
        for task_id, item in list(instance.work_items.items()):
            task = instance.task(task_id)
            assert task is not None
            element = instance.index.elements[task.element_id or ""]
            renewed = replace(item, element=element.id, name=element.name or element.id, form=element.outputs_schema)
            if renewed != item:
                instance.put_work_item(renewed)

    def _rename_questions(self, mapped: Mapping[str, str]) -> None:
        instance = self._instance
        for id, task in list(instance.held.items()):
            asked = instance.interventions[id]
            name = mapped.get(asked.element, asked.element)
            if name != asked.element:
                instance.put_intervention(asked.model_copy(update={"element": name}), task)
