"""`AsyncGovernor` does what a Governor does, and the event loop goes on meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import threading
from pathlib import Path

import pytest

from engine.activities.work import Outcome, Work
from engine.async_governor import AsyncGovernor
from engine.governor import Governor
from engine.people.answering import AlreadyDone
from engine.result import RunResult
from tests.engine.models import edges, end, model, service, start, user
from tests.engine.operating.office import Office, on, read

ONE = model(start(), user("u"), service("a"), end(), edges("s > u > a > e"))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return on(tmp_path)


def test_the_event_loop_goes_on_while_a_handler_works(office: Office) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slow(work: Work) -> Outcome:
        begun.set()
        assert may_end.wait(20)
        return Outcome(outputs={"done": True})

    async def run() -> RunResult:
        async with AsyncGovernor(governor) as later:
            result = await later.start(read(ONE), {})
            completing = asyncio.create_task(later.complete(result.waiting[0]["id"], {}, by="ann"))
            while not begun.is_set():
                await asyncio.sleep(0)
            assert (await later.result(result.instance)).status == "running"  # the loop, and other threads, go on
            may_end.set()
            return await completing

    office.doers["a"] = slow
    with office.governor() as governor:
        result = asyncio.run(run())
    assert (result.status, result.variables["done"]) == ("completed", True)


def test_of_two_at_once_one_is_refused(office: Office) -> None:
    async def run() -> list[RunResult | BaseException]:
        async with AsyncGovernor(governor) as later:
            item = (await later.start(read(ONE), {})).waiting[0]["id"]
            both = (later.complete(item, {}, by=name) for name in ("ann", "bob"))
            return await asyncio.gather(*both, return_exceptions=True)

    with office.governor() as governor:
        results = asyncio.run(run())
    assert sorted(type(each).__name__ for each in results) == ["AlreadyDone", "RunResult"]
    (refused,) = (each for each in results if isinstance(each, AlreadyDone))
    assert refused.item.completed_by in ("ann", "bob")


def test_events_are_heard_as_they_come(office: Office) -> None:
    async def run() -> list[str]:
        heard: list[str] = []
        async with AsyncGovernor(governor) as later:
            first = await later.start(read(ONE), {})

            async def listening() -> None:
                async for event in later.hear(first.instance):
                    heard.append(event.type.value)
                    if event.type == "instance_completed":
                        return

            listener = asyncio.create_task(listening())
            await asyncio.sleep(0)
            await later.start(read(ONE), {})
            await later.complete(first.waiting[0]["id"], {}, by="ann")
            await listener
        return heard

    with office.governor() as governor:
        heard = asyncio.run(run())
    assert heard[0] == "work_item_completed"
    assert heard[-1] == "instance_completed"


def test_whatever_else_is_done_on_a_thread(office: Office) -> None:
    async def run() -> str:
        async with AsyncGovernor(governor) as later:
            return await later.run(lambda governor: threading.current_thread().name)

    with office.governor() as governor:
        assert asyncio.run(run()).startswith("governor")


def test_it_has_the_methods_of_a_governor_with_their_signatures() -> None:
    ours = {name: each for name, each in vars(AsyncGovernor).items() if hasattr(each, "__wrapped__")}
    for name, method in ours.items():
        if name not in ("hear", "run"):
            assert inspect.signature(method) == inspect.signature(getattr(Governor, name)), name
            assert inspect.iscoroutinefunction(method)
