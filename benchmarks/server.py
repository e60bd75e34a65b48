"""Pages of the console under load: many people look at many instances that are under way.

python -m benchmarks.server [--json] [--instances 200] [--clients 50] [--seconds 20]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, show
from bpmn.load import load
from engine.embedding import open_governor
from engine.server.identity.local import LocalIdentity
from engine.server.identity.port import Person
from engine.store.advance import InstanceRecord
from governance.ports import SystemClock

GOAL: Final = 150.0
"""Milliseconds that 95 of 100 pages may take."""
PAUSE: Final = 1.0
"""Seconds in which a client asks for one page: somebody who clicks fast."""
PROCESS: Final = b"""<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:gov="urn:bpmn-governor:governance:1.0">
  <process id="claim" name="Claim" isExecutable="true">
    <startEvent id="s"/><sequenceFlow id="f0" sourceRef="s" targetRef="read"/>
    <scriptTask id="read" name="Read" scriptFormat="python"><extensionElements>
      <gov:policy workingThreshold="3000" compressStrategy="ARCHIVE"/></extensionElements>
      <script>notes = 'what was written down. ' * 100
total = 0</script></scriptTask>
    <sequenceFlow id="f1" sourceRef="read" targetRef="split"/><parallelGateway id="split"/>
    <sequenceFlow id="f2" sourceRef="split" targetRef="left"/>
    <sequenceFlow id="f3" sourceRef="split" targetRef="right"/>
    <scriptTask id="left" name="Cover" scriptFormat="python"><script>payout = 1850
total = total + 1</script></scriptTask>
    <scriptTask id="right" name="Damage" scriptFormat="python"><script>payout = 1700
total = total + 2</script></scriptTask>
    <sequenceFlow id="f4" sourceRef="left" targetRef="join"/><sequenceFlow id="f5" sourceRef="right" targetRef="join"/>
    <parallelGateway id="join" name="Together"><extensionElements><gov:policy>
      <gov:branchStrategy merge="LAST_WRITE"/></gov:policy></extensionElements></parallelGateway>
    <sequenceFlow id="f6" sourceRef="join" targetRef="sign"/><userTask id="sign" name="Sign"/>
    <sequenceFlow id="f7" sourceRef="sign" targetRef="e"/><endEvent id="e"/>
  </process>
</definitions>"""


def prepare(database: str, instances: int) -> tuple[list[InstanceRecord], str]:
    """Instances that wait for a person, and the key of who may look at them."""
    with open_governor(database) as governor:
        version = governor.deploy(load(PROCESS, file="claim.bpmn"), by="bench")
        for _ in range(instances):
            governor.start_version(version, {}, starter="bench")
        identity = LocalIdentity(governor.store.access, SystemClock())
        identity.add_user("bench", "looks at pages", ["operator", "approver"])
        _, key = identity.add_key(Person(name="bench", roles=frozenset({"operator", "approver"})), "bench")
        return governor.instances(limit=instances), key


@contextmanager
def serving(database: str) -> Iterator[int]:
    """The server as users start it, in a process of its own; its port."""
    begin = "from engine.cli.app import main; main()"
    command = [sys.executable, "-u", "-c", begin, "serve", "--db", database, "--port", "0"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        found = re.search(r":(\d+);", child.stdout.readline())
        assert found is not None, "the server did not start"
        yield int(found[1])
    finally:
        child.terminate()
        child.wait(30)


def cpu() -> float:
    """Seconds of processor time that children which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Client:
    """One connection that stays open."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._head = port, f"Host: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nAccept-Encoding: gzip\r\n"
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> float:
        """Milliseconds until the whole page was there. Raises ValueError for anything but a page."""
        if self._ends is None:
            self._ends = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        reader, writer = self._ends
        begun = time.perf_counter()
        writer.write(f"GET {path} HTTP/1.1\r\n{self._head}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise ValueError(f"{path}: {head[:80]!r}")
        length = re.search(rb"content-length: (\d+)", head)
        if length is not None:
            await reader.readexactly(int(length[1]))
        else:
            while size := int(await reader.readline(), 16):
                await reader.readexactly(size + 2)
            await reader.readline()
        return 1000 * (time.perf_counter() - begun)


async def look(
    port: int, key: str, ids: Sequence[str], clients: int, seconds: float, pause: float
) -> dict[str, list[float]]:
    """What each page took, by kind. With a `pause` a client asks for a page in each of these; else at once again."""
    took: dict[str, list[float]] = {"list": [], "instance": [], "inbox": []}
    over = time.monotonic() + seconds

    async def browse(number: int) -> None:
        chance, client = random.Random(number), Client(port, key)
        await asyncio.sleep(chance.random() * pause)
        while time.monotonic() < over:
            begun = time.monotonic()
            kind = chance.choices(["list", "instance", "inbox"], [2, 6, 2])[0]
            path = {"list": "/", "inbox": "/inbox", "instance": f"/instances/{chance.choice(ids)}"}[kind]
            took[kind].append(await client.get(path))
            await asyncio.sleep(max(0.0, begun + pause - time.monotonic()))

    await asyncio.gather(*(browse(number) for number in range(clients)))
    return took


def figures(instances: int, clients: int, seconds: float) -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "runs.db")
        records, key = prepare(database, instances)
        ids = [record.id for record in records]
        before = cpu()
        with serving(database) as port:
            warm = asyncio.run(look(port, key, ids, clients, 3.0, 0.0))  # imports and first drawings
            paced = asyncio.run(look(port, key, ids, clients, seconds, PAUSE))
            eager = asyncio.run(look(port, key, ids, clients, seconds / 2, 0.0))
    spent = cpu() - before
    told = f"{clients} clients on loopback, {instances} instances under way, each client one page per {PAUSE:g} s"
    yield _p95("server.page_p95", [each for found in paced.values() for each in found], told, GOAL)
    for kind, found in paced.items():
        yield _p95(f"server.{kind}_p95", found, told, GOAL)
    flat = [each for found in eager.values() for each in found]
    at_once = f"{clients} clients on loopback, each asks again as soon as it is answered"
    yield _p95("server.eager_p95", flat, at_once, None)
    every = len(flat) + sum(map(len, paced.values())) + sum(map(len, warm.values()))
    yield Figure(
        name="server.cpu_per_page", value=round(1000 * spent / every, 2), unit="ms", better="lower",
        conditions=f"processor time of the server, its start among it, over {every} pages",
    )  # fmt: skip
    rate = len(flat) / (seconds / 2)
    yield Figure(name="server.pages_per_second", value=round(rate, 1), unit="1/s", better="higher", conditions=at_once)


def _p95(name: str, took: Sequence[float], conditions: str, goal: float | None) -> Figure:
    ordered = sorted(took)
    value = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else None
    told = f"{conditions}; {len(took)} pages, median {ordered[len(ordered) // 2]:.1f} ms" if ordered else conditions
    rounded = None if value is None else round(value, 1)
    return Figure(name=name, value=rounded, unit="ms", better="lower", goal=goal, conditions=told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    show(list(figures(given.instances, given.clients, given.seconds)), as_json=given.json)


if __name__ == "__main__":
    main()
