"""The workers' queue, on DBOS Transact: the one module that knows it.

DBOS keeps one short workflow for each time that an instance is to be moved: until the next wait state, then it ends.
Its queue is partitioned by instance, one at a time each. Its global object stays in this process, which a worker has
for itself: a program that embeds the engine never comes here. Texts in it are JSON; a pickled one is refused, whoever
wrote it. It has no server of its own; the one for administration is not part of what is started here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dbos import (
    DBOS,
    DBOSClient,
    DBOSConfig,
    DBOSPortableJSONSerializer,
    EnqueueOptions,
    WorkflowSerializationFormat,
    _serialization,
)

from engine.distributed.protocol import version_name
from engine.store.dispatch import Dispatched

SCHEMA: Final = "governor_dbos"
QUEUE: Final = "advance"
WORKFLOW: Final = "advance"
APPLICATION: Final = "governor"
_PENDING: Final = "PENDING"
_UNFINISHED: Final = ("ENQUEUED", "DELAYED", "PENDING")
_SPARE_CONNECTIONS: Final = 6
_IDLE: Final = 10.0
"""Seconds: as for the store, who is frozen inside a transaction must not keep its locks."""

Run = Callable[[str, str], None]
"""Moves an instance: its ticket, its id. It must not raise."""


class Transport:
    """The queue as one worker sees it. Only one may be in a process at a time."""

    def __init__(self, url: str, worker: str, protocol: int, *, slots: int, poll: float) -> None:
        self._url, self._worker, self._protocol = url, worker, protocol
        self._slots, self._poll = slots, poll
        self._client: DBOSClient | None = None

    def start(self, run: Run, most: int) -> None:
        """Take instances from the queue from now on, each on a thread of its own.

        `most` is how many any worker moves at once: the queue has one limit for all. Who moves fewer takes as many, and
        lets them wait.
        """
        _refuse_pickles()
        DBOS(config=self._config())

        def advance(instance: str) -> None:
            ticket = DBOS.workflow_id
            assert ticket is not None
            run(ticket, instance)

        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(advance)
        DBOS.listen_queues([QUEUE])
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            partition_concurrency=1,
            worker_concurrency=most,
            polling_interval_sec=self._poll,
            on_conflict="always_update",
        )
        self._client = DBOSClient(
            system_database_url=self._url,
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
            system_database_pool_size=_SPARE_CONNECTIONS,
            sys_db_idle_transaction_timeout_sec=_IDLE,
        )

    def put(self, connection: Any, given: Dispatched) -> None:
        """Put an instance into the queue, in the transaction of a connection of the store."""
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": QUEUE,
            "queue_partition_key": given.instance,
            "workflow_id": given.ticket,
            "app_version": version_name(self._protocol),
            "serialization_type": WorkflowSerializationFormat.PORTABLE,
        }
        self._known.enqueue_in_transaction(connection, options, given.instance)

    def begun(self) -> dict[str, str]:
        """Tickets that were begun and have not ended, each with the worker that has it."""
        found = self._known.list_workflows(queue_name=QUEUE, status=_PENDING, load_input=False, load_output=False)
        return {each.workflow_id: each.executor_id or "" for each in found}

    def of_protocol(self, protocol: int) -> list[str]:
        """Tickets that wait for a worker of this protocol."""
        found = self._known.list_workflows(
            queue_name=QUEUE, app_version=version_name(protocol), status="ENQUEUED", load_input=False, load_output=False
        )
        return [each.workflow_id for each in found]

    def again(self, tickets: Sequence[str]) -> None:
        """Put them back into the queue. Of a worker that lives this would make two; see `DispatchTable.fence`."""
        if tickets:
            self._known.resume_workflows(list(tickets), queue_name=QUEUE)

    def withdraw(self, tickets: Sequence[str]) -> None:
        """Take them out of the queue."""
        if tickets:
            self._known.cancel_workflows(list(tickets))

    def ended(self, tickets: Sequence[str]) -> list[str]:
        """Those that no worker has, and that none will get."""
        found = self._known.list_workflows(workflow_ids=list(tickets), load_input=False, load_output=False)
        unfinished = {each.workflow_id for each in found if each.status in _UNFINISHED}
        return [each for each in tickets if each not in unfinished]

    def forget(self, before: str, limit: int) -> int:
        """Leave nothing of so many of those that ended before (ISO 8601); how many there were."""
        found = self._known.list_workflows(
            completed_before=before, queue_name=QUEUE, limit=limit, load_input=False, load_output=False,
            status=["SUCCESS", "ERROR", "CANCELLED"],
        )  # fmt: skip
        if found:
            self._known.delete_workflows([each.workflow_id for each in found])
        return len(found)

    def stop(self, grace: int) -> None:
        """Take nothing more from the queue, wait for what runs for so many seconds, and close everything."""
        DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=grace)
        if self._client is not None:
            self._client.destroy()
            self._client = None

    def _config(self) -> DBOSConfig:
        return {
            "name": APPLICATION,
            "system_database_url": self._url,
            "dbos_system_schema": SCHEMA,
            "executor_id": self._worker,
            "application_version": version_name(self._protocol),
            "serializer": DBOSPortableJSONSerializer(),
            "max_executor_threads": self._slots,
            "sys_db_pool_size": min(self._slots, 16) + _SPARE_CONNECTIONS,
            "sys_db_idle_transaction_timeout_sec": _IDLE,
            "console_log_level": "ERROR",
            "log_level": "ERROR",
        }

    @property
    def _known(self) -> DBOSClient:
        assert self._client is not None, "not started"
        return self._client


def _refuse_pickles() -> None:
    """The library reads what says it is pickled, whatever serializer it was given (CVE-2025-64439 is of that kind)."""

    def refuse(_: str) -> Mapping[str, Any]:
        raise ValueError("a pickled text in the queue: only JSON is read")

    setattr(_serialization.DBOSDefaultSerializer, "deserialize", refuse)  # noqa: B010 - it is its type's method
