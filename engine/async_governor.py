"""`AsyncGovernor`: a Governor for programs with an event loop, which never waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from engine.events import Event
from engine.governor import Governor

P = ParamSpec("P")
T = TypeVar("T")

_THREADS: Final = 8


def _threaded(
    method: Callable[Concatenate[Governor, P], T],
) -> Callable[Concatenate[AsyncGovernor, P], Coroutine[Any, Any, T]]:
    @wraps(method)
    async def call(self: AsyncGovernor, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(lambda governor: method(governor, *args, **kwargs))

    return call


class AsyncGovernor:
    """The methods of a `Governor`, each run on a thread of `threads`; what they take, give and raise is the same.

    A call whose task is cancelled is finished all the same: an advance is whole, or it is not. `governor` is the one
    that does the work; closing this one closes that.
    """

    def __init__(self, governor: Governor, *, threads: int = _THREADS) -> None:
        self.governor = governor
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="governor")

    async def run(self, call: Callable[[Governor], T]) -> T:
        """Whatever else is to be done with the Governor, on a thread: several calls in a transaction of the host's."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(call, self.governor))

    check = _threaded(Governor.check)
    deploy = _threaded(Governor.deploy)
    definitions = _threaded(Governor.definitions)
    versions = _threaded(Governor.versions)
    start = _threaded(Governor.start)
    start_version = _threaded(Governor.start_version)
    resume = _threaded(Governor.resume)
    due = _threaded(Governor.due)
    correlate = _threaded(Governor.correlate)
    signal = _threaded(Governor.signal)
    answer = _threaded(Governor.answer)
    delegate = _threaded(Governor.delegate)
    complete = _threaded(Governor.complete)
    retry = _threaded(Governor.retry)
    skip = _threaded(Governor.skip)
    edit = _threaded(Governor.edit)
    move = _threaded(Governor.move)
    cancel = _threaded(Governor.cancel)
    suspend = _threaded(Governor.suspend)
    unsuspend = _threaded(Governor.unsuspend)
    restore_context = _threaded(Governor.restore_context)
    result = _threaded(Governor.result)
    instances = _threaded(Governor.instances)
    variables = _threaded(Governor.variables)
    events = _threaded(Governor.events)
    snapshots = _threaded(Governor.snapshots)
    incidents = _threaded(Governor.incidents)
    plan_migration = _threaded(Governor.plan_migration)
    migrate = _threaded(Governor.migrate)
    work_items = _threaded(Governor.work_items)
    interventions = _threaded(Governor.interventions)
    heads = _threaded(Governor.heads)

    async def hear(self, instance: str | None = None) -> AsyncIterator[Event]:
        """Events of an instance, or of all, once they are durable; it begins with the first step of the iteration."""
        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[Event] = asyncio.Queue()

        def put(of: str, event: Event) -> None:
            if instance in (None, of):
                loop.call_soon_threadsafe(heard.put_nowait, event)

        stop = self.governor.listen(put)
        try:
            while True:
                yield await heard.get()
        finally:
            stop()

    async def close(self) -> None:
        """Wait for what is going on, and close the Governor."""
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self.governor.close()

    async def __aenter__(self) -> AsyncGovernor:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()
