"""What is saved anew of an instance that was put together on another definition."""

from __future__ import annotations

from collections.abc import Collection

from engine.instance import Instance
from engine.operations.migration.planning import MigrationPlan
from engine.spiff.triggers import Topic


def renew(instance: Instance, awaited: Collection[Topic], planned: MigrationPlan) -> None:
    """Every row, and what is waited for now in the place of what was `awaited`, go with the next advance."""
    workflow, changes = instance.workflow, instance.changes
    for scope in workflow.scopes():
        workflow.dirty.update(scope.tasks)
        workflow.records_changed.update((number, (scope, record)) for number, record in scope.records.items())
    workflow.new_scopes += workflow.subprocesses.values()
    workflow.event_manager.changed |= {*awaited} ^ {*workflow.event_manager.from_outside()}
    changes.gone += planned.gone
    changes.definition = (planned.definition, planned.process)
    instance.migration = planned
