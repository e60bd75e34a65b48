"""What a host looks at; nothing moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any

from engine.context_view import LogEntry, log
from engine.events import Event
from engine.people.work_item import WorkItem
from engine.persistence import graph_from
from engine.result import RunResult
from engine.results import Results
from engine.store.advance import InstanceRecord, OpenIncident
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Intervention
from governance.snapshots.graph import SnapshotGraph


class LookingDoor:
    """The part of a Governor that only looks."""

    store: InstanceStore
    _results: Results

    def result(self, instance: str) -> RunResult:
        """What an instance came to so far. Raises UnknownInstance."""
        return self._results.of(instance)

    def instances(
        self,
        *,
        status: str | None = None,
        process: str | None = None,
        definition: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> list[InstanceRecord]:
        """A page of instances, the newest first: those of a status, a process (its id), a definition (its hash).

        `before` is the id of the last one on the page before. Raises UnknownInstance for that.
        """
        last = None if before is None else self.store.instance(before)
        return self.store.instances(
            status=status, process=process, definition=definition, before=last, limit=limit
        )

    def variables(self, instance: str) -> Mapping[str, Any]:
        """The variables that stand; those about which branches differ are in `result(instance).differing`."""
        return self._results.of(instance).variables

    def events(
        self, instance: str, *, after: int = -1, types: Collection[str] | None = None, limit: int | None = None
    ) -> list[Event]:
        """The log of an instance in order: what is numbered higher than `after`, of these types."""
        self.store.instance(instance)
        return self.store.events(instance, after=after, types=types, limit=limit)

    def work_items(
        self, instance: str | None = None, *, status: str | None = "open", limit: int | None = None
    ) -> Sequence[WorkItem]:
        """Tasks of people, the oldest first; `status` None: all."""
        return self.store.work_items(instance=instance, status=status, limit=limit)

    def interventions(
        self, instance: str | None = None, *, status: str | None = "open", limit: int | None = None
    ) -> Sequence[Intervention]:
        """What people are asked, the oldest first; `status` None: all."""
        return self.store.interventions(instance=instance, status=status, limit=limit)

    def incidents(
        self, instance: str | None = None, *, limit: int | None = None, after: tuple[str, str] | None = None
    ) -> Sequence[OpenIncident]:
        """What has failed and waits for somebody, of all instances or of one; the oldest instance first.

        `after` is (instance, task) of the last one on the page before. Cost: as many as are asked for, however many
        instances there are. Raises UnknownInstance.
        """
        if instance is not None:
            self.store.instance(instance)
        return self.store.incidents(instance=instance, limit=limit, after=after)

    def graph(self, instance: str) -> SnapshotGraph:
        """The snapshots of an instance, to look at."""
        return graph_from(self.store, instance)

    def snapshots(self, instance: str, limit: int | None = None) -> list[LogEntry]:
        """The snapshots of its contexts, the newest first. Raises UnknownInstance."""
        record, graph, names = self.store.instance(instance), self.graph(instance), self.heads(instance)
        heads = sorted({*names.values(), *filter(None, (record.head,))})
        return list(islice(log(graph, heads, names), limit))

    def heads(self, instance: str) -> dict[str, str]:
        """The branches that are still going on, each with the snapshot it stands on; none where an instance has ended.

        Raises UnknownInstance.
        """
        return self._results.heads(instance)
