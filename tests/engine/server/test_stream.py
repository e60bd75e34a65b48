"""Events as they happen: told at once, and taken up again where a connection broke."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import orjson

from engine.governor import Governor
from engine.server.live import Feed, Heard
from tests.engine.report.stories import STORY, told_story
from tests.engine.server.clients import Server
from tests.engine.server.test_rest import settle, start


async def numbers(messages: AsyncIterator[bytes], last: int) -> list[int]:
    """Of the events up to one."""
    found: list[int] = []
    async for message in messages:
        if message.startswith(b"id: "):
            found.append(int(message[4:].split(b"\n", 1)[0]))
            if found[-1] == last:
                break
    return found


def test_a_feed_begins_where_it_is_told_to(governor: Governor) -> None:
    instance = told_story(governor)
    last = governor.events(instance)[-1].seq
    feed = Feed(governor, Heard(governor), instance, after=3)
    assert asyncio.run(numbers(feed.messages(), last)) == list(range(4, last + 1))


def test_a_feed_tells_what_happens_meanwhile(governor: Governor, server: Server) -> None:
    client = server.client("ada", "operator", "designer", "approver")
    instance = start(client)
    seen = governor.events(instance)[-1].seq

    async def watch() -> list[int]:
        feed = Feed(governor, Heard(governor), instance, after=seen, look=60)
        heard = asyncio.create_task(numbers(feed.messages(), seen + 3))
        await asyncio.sleep(0)
        await asyncio.to_thread(settle, client, instance)
        return await asyncio.wait_for(heard, 20)

    assert asyncio.run(watch()) == [seen + 1, seen + 2, seen + 3]


def test_a_feed_sees_what_another_program_did(governor: Governor) -> None:
    instance = told_story(governor)
    seen = governor.events(instance)[-1].seq
    silent = Heard(governor)
    silent._deaf()

    async def watch() -> list[int]:
        feed = Feed(governor, silent, instance, after=seen, look=0.01)
        heard = asyncio.create_task(numbers(feed.messages(), seen + 1))
        await asyncio.to_thread(governor.retry, instance)
        return await asyncio.wait_for(heard, 20)

    assert asyncio.run(watch()) == [seen + 1]


def test_a_stream_ends_with_its_instance_and_has_its_events_as_json(server: Server) -> None:
    client = server.client("ada", "operator", "designer", "approver")
    source = STORY.replace(b"checked = 1 / rate", b"checked = 1")
    version = client.post("/v1/definitions", json={"source": source.decode()}).json()
    instance = client.post("/v1/instances", json={"process": version["process"]}).json()["instance"]
    settle(client, instance)
    [item] = client.get("/v1/work-items").json()["work_items"]
    client.post(f"/v1/work-items/{item['id']}/completion", json={"outputs": {"signed": "yes"}})
    stream = client.get(f"/v1/instances/{instance}/stream", headers={"last-event-id": "2"})
    assert stream.headers["content-type"].startswith("text/event-stream")
    messages = [each for each in stream.text.split("\n\n") if each.startswith("id: ")]
    assert messages[0].startswith("id: 3\n")
    assert "event: instance_completed" in messages[-1]
    data = orjson.loads(messages[-1].split("data: ", 1)[1])
    assert data["type"] == "instance_completed"
    assert client.get("/v1/instances/none/stream").status_code == 404
