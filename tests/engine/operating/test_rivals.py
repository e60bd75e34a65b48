"""Of two programs at once exactly one wins, and the other is refused with a word: processes of their own, again and
again, on both databases. Every other time both have moved the instance before either commits.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.embedding import open_governor
from engine.events import EventType
from engine.governor import Governor
from engine.result import RunResult
from tests.engine.cli.command import environment
from tests.engine.models import edges, end, model, service, start
from tests.engine.operating.contested import ASKED, BRANCHES, RECEIVES, TASK
from tests.engine.operating.office import read
from tests.engine.operating.rival import Rival

WORK = model(start(), service("pay"), end(), edges("s > pay > e"))
TIMES = 20
_DEADLINE = 60.0
Told = dict[str, Any]


def move(do: str, *on: Any, **more: Any) -> Told:
    return {"do": do, "on": on, "more": more}


class Rivals:
    """Two programs on a database, and one that begins what they compete for."""

    def __init__(self, where: str, folder: Path) -> None:
        self.where, self._effects = where, folder / "effects"
        self.governor: Governor = open_governor(where, handlers=Rival(str(self._effects)).handlers, detached=True)
        command = [sys.executable, "-m", "tests.engine.operating.rival", where, str(self._effects)]
        self._both = [
            subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(2)
        ]

    def start(self, source: bytes, **variables: Any) -> RunResult:
        return self.governor.start(read(source), variables)

    def compete(self, *moves: Told, meeting: bool) -> list[Told]:
        """What each came to. The one that is told last to go is the one that was first before."""
        for program, wanted in zip(self._both, moves, strict=True):
            self._tell(program, json.dumps({**wanted, "meets": meeting}))
        for said in ["ready", "met"] if meeting else ["ready"]:
            for program in self._both:
                assert self._hear(program) == said
            for program in self._both:
                self._tell(program, "go")
        told = [json.loads(self._hear(program)) for program in self._both]
        self._both.reverse()
        return told

    def effects(self, instance: str) -> list[str]:
        """Which calls of services there were for an instance, by their keys."""
        lines = self._effects.read_text().splitlines() if self._effects.exists() else []
        return [line.split()[0] for line in lines if line.startswith(f"{instance}/")]

    def times(self, id: str, type: EventType, element: str | None) -> int:
        return sum(event.element == element for event in self.governor.events(id, types=[type]))

    def close(self) -> None:
        self.governor.close()
        for program in self._both:
            program.kill()
            program.communicate(timeout=_DEADLINE)

    def _tell(self, program: subprocess.Popen[bytes], line: str) -> None:
        assert program.stdin is not None
        program.stdin.write(f"{line}\n".encode())
        program.stdin.flush()

    def _hear(self, program: subprocess.Popen[bytes]) -> str:
        assert program.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            readable, _, _ = select.select([program.stdout], [], [], _DEADLINE)
            found = os.read(program.stdout.fileno(), 1) if readable else b""
            assert found, f"it says nothing more after {line!r}, exit code {program.poll()}"
            line += found
        return line.decode().strip()


@pytest.fixture(params=["sqlite", "postgresql"])
def rivals(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rivals]:
    file = str(tmp_path / "governor.db")
    made = Rivals(file if request.param == "sqlite" else request.getfixturevalue("postgres_url"), tmp_path)
    try:
        yield made
    finally:
        made.close()


def again_and_again(once: Callable[[bool], str]) -> Counter[str]:
    """How often what came of it."""
    return Counter(once(bool(round % 2)) for round in range(TIMES))


def one_of(told: list[Told]) -> tuple[Told, Told]:
    """The one that won, and the refusal of the other."""
    won, lost = [each for each in told if "status" in each], [each for each in told if "refused" in each]
    assert (len(won), len(lost)) == (1, 1), told
    assert "\n" not in lost[0]["says"]
    return won[0], lost[0]


def test_two_answers_to_one_question(rivals: Rivals) -> None:
    def once(meeting: bool) -> str:
        begun = rivals.start(ASKED, n=0)
        asked = rivals.governor.complete(begun.waiting[0]["id"], {"n": 0}, by="eve").waiting[0]["id"]
        told = rivals.compete(*(move("answer", asked, "approve", by=by) for by in ("ann", "bob")), meeting=meeting)
        won, lost = one_of(told)
        assert (won["status"], won["variables"]["n"], lost["refused"]) == ("completed", 1, "AlreadyClosed")
        stands = rivals.governor.store.intervention(asked).answer
        assert stands is not None
        assert stands.by in lost["says"]
        assert rivals.times(begun.instance, EventType.INTERVENTION_ANSWERED, "u") == 1
        return str(stands.by)

    again_and_again(once)


def test_two_who_do_one_task(rivals: Rivals) -> None:
    def once(meeting: bool) -> str:
        begun = rivals.start(TASK, n=0)
        item = begun.waiting[0]["id"]
        told = rivals.compete(*(move("complete", item, {}, by=by) for by in ("ann", "bob")), meeting=meeting)
        won, lost = one_of(told)
        assert (won["status"], won["variables"]["n"], lost["refused"]) == ("completed", 1, "AlreadyDone")
        first = rivals.governor.store.work_item(item).completed_by
        assert first is not None
        assert first in lost["says"]
        return first

    again_and_again(once)


def test_two_messages_for_one_receiver(rivals: Rivals) -> None:
    def once(meeting: bool) -> str:
        id = rivals.start(RECEIVES, n=0).instance
        told = rivals.compete(
            *(move("correlate", id, "m", {"by": n}, by=by) for n, by in ((1, "ann"), (2, "bob"))), meeting=meeting
        )
        won, lost = one_of(told)
        first = "ann" if won["variables"]["n"] == 1 else "bob"
        assert (won["status"], lost["refused"]) == ("completed", "AlreadyReceived")
        assert f"from {first}; that stands" in lost["says"]
        assert rivals.times(id, EventType.MESSAGE_RECEIVED, "c") == 1
        return first

    again_and_again(once)


def test_two_that_come_to_a_join_both_arrive_and_it_goes_on_once(rivals: Rivals) -> None:
    def once(meeting: bool) -> str:
        begun = rivals.start(BRANCHES, n=0)
        items = [each["id"] for each in begun.waiting]
        told = rivals.compete(*(move("complete", item, {}, by="ann") for item in items), meeting=meeting)
        statuses = sorted(each.get("status", "refused") for each in told)
        # Who was first may look when the other one has come, too.
        assert statuses in (["completed", "waiting"], ["completed", "completed"]), told
        assert rivals.governor.result(begun.instance).variables["n"] == 1
        assert rivals.times(begun.instance, EventType.D3, "j") == 1
        assert rivals.times(begun.instance, EventType.ACTIVITY_COMPLETED, "after") == 1
        return str(statuses[1])

    again_and_again(once)


def test_an_end_from_outside_and_the_last_task(rivals: Rivals) -> None:
    def once(meeting: bool) -> str:
        begun = rivals.start(TASK, n=0)
        id, item = begun.instance, begun.waiting[0]["id"]
        told = rivals.compete(move("cancel", id, by="olga"), move("complete", item, {}, by="ann"), meeting=meeting)
        won, lost = one_of(told)
        assert lost["refused"] == "InstanceEnded"
        by = {"cancelled": "olga", "completed": "ann"}[won["status"]]
        assert f"was {won['status']} by {by}" in lost["says"]
        done = rivals.governor.store.work_item(item).status
        assert done == {"cancelled": "cancelled", "completed": "completed"}[won["status"]]
        ends = [rivals.times(id, each, None) for each in (EventType.INSTANCE_COMPLETED, EventType.INSTANCE_CANCELLED)]
        assert sum(ends) == 1
        return str(won["status"])

    again_and_again(once)


def test_two_that_go_on_with_what_was_left_call_its_service_once(rivals: Rivals) -> None:
    def once(meeting: bool) -> str:
        id = rivals.start(WORK).instance
        told = rivals.compete(move("resume", id), move("resume", id), meeting=False)
        assert rivals.governor.result(id).status == "completed"
        assert len(rivals.effects(id)) == 1
        lost = [each for each in told if each.get("status") != "completed"]
        assert len(lost) < 2, told
        assert all(each.get("refused", "AtWorkElsewhere") == "AtWorkElsewhere" for each in lost), told
        assert all("broken" not in each for each in told), told
        return str(lost[0].get("refused", lost[0].get("status"))) if lost else "completed"

    again_and_again(once)
