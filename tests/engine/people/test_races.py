"""Two programs answer at once: the first one stands, and the other is told who was first, and when."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.events import Event, EventType
from engine.governor import Governor
from engine.people.answering import AlreadyDone, NotForThem
from engine.result import RunResult
from governance.human_loop.errors import AlreadyClosed
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, start, user

PREVIEW = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')


class Race:
    """A governor whose answer another program overtakes, between its loading and its commit."""

    def __init__(self, path: Path, source: bytes) -> None:
        self.path = str(path / "governor.db")
        self._overtake: Callable[[Governor], Any] | None = None
        self.governor = open_governor(self.path, listener=self._hear)
        self.begun = self.governor.start(load(source, file="a.bpmn"), {"x": 0})

    def overtaken_by(self, move: Callable[[Governor], Any]) -> None:
        self._overtake = move

    def _hear(self, event: Event) -> None:
        move, self._overtake = self._overtake, None
        if move is not None and event.type in (EventType.INTERVENTION_ANSWERED, EventType.WORK_ITEM_COMPLETED):
            with open_governor(self.path) as other:
                move(other)


@pytest.fixture
def asked(tmp_path: Path) -> Race:
    return Race(tmp_path, model(start(), user("u", PREVIEW), user("v"), end(), edges("s > u > v > e")))


def question(race: Race) -> str:
    task = race.begun.waiting[0]["id"]
    result = race.governor.complete(task, {"x": 1}, by="ann")
    return str(result.waiting[0]["id"])


def test_of_two_answers_the_first_stands_and_the_second_learns_whose_it_is(asked: Race) -> None:
    id = question(asked)
    asked.overtaken_by(lambda other: other.answer(id, "approve", by="bob"))
    with pytest.raises(AlreadyClosed, match=rf"{id}: was answered by bob at 20.*Z; that stands"):
        asked.governor.answer(id, "deny", by="ann", reason="no")
    answer = asked.governor.store.intervention(id).answer
    assert answer is not None
    assert (answer.by, answer.decision) == ("bob", "approve")
    asked.governor.close()


def test_a_task_done_twice_at_once_is_done_once(asked: Race) -> None:
    task = asked.begun.waiting[0]["id"]
    asked.overtaken_by(lambda other: other.complete(task, {"x": 1}, by="bob"))
    with pytest.raises(AlreadyDone, match=r"was completed by bob at 20.*Z; that stands"):
        asked.governor.complete(task, {"x": 2}, by="ann")
    asked.governor.close()


def test_an_answer_beside_another_one_is_taken_on_what_that_made(tmp_path: Path) -> None:
    source = model(start(), gateway("g"), user("u"), user("v"), gateway("j"), end(),
                   edges("s > g > u > j > e", "g > v > j"))  # fmt: skip
    race = Race(tmp_path, source)
    one, other = (each["id"] for each in race.begun.waiting)
    race.overtaken_by(lambda governor: governor.complete(other, {"y": 2}, by="bob"))
    result: RunResult = race.governor.complete(one, {"x": 1}, by="ann")
    assert (result.status, result.variables) == ("completed", {"x": 1, "y": 2})
    race.governor.close()


@pytest.mark.parametrize(
    ("attributes", "person", "roles", "may"),
    [
        ('gov:assignee="Ann"', "ann", (), True),
        ('gov:assignee="Ann"', "bob", (), False),
        ('gov:candidateUsers="ann, bob"', "bob", (), True),
        ('gov:candidateUsers="ann, bob"', "eve", ("ann",), False),
        ('gov:candidateGroups="clerks"', "eve", ("clerks",), True),
        ('gov:candidateGroups="clerks"', "clerks", (), False),
        ('gov:candidateUsers="ann" gov:candidateGroups="clerks"', "ann", (), True),
        ("", "eve", (), True),
    ],
)
def test_a_task_is_done_by_whom_the_model_names(
    tmp_path: Path, attributes: str, person: str, roles: tuple[str, ...], may: bool
) -> None:
    source = model(start(), f'<userTask id="u" {attributes}/>', end(), edges("s > u > e"))
    with open_governor(str(tmp_path / "governor.db")) as governor:
        task = governor.start(load(source, file="a.bpmn"), {}).waiting[0]
        if may:
            assert governor.complete(task["id"], {}, by=person, roles=roles).status == "completed"
            return
        with pytest.raises(NotForThem, match=f"{person} may not do it; it is for ") as caught:
            governor.complete(task["id"], {}, by=person, roles=roles)
        assert all(name in str(caught.value) for name in (*task["users"], *task["groups"]))
        assert governor.store.work_item(task["id"]).status == "open"


def test_the_lane_of_a_task_is_a_hint(tmp_path: Path) -> None:
    lane = '<laneSet id="l"><lane id="k" name="Clerks"><flowNodeRef>u</flowNodeRef></lane></laneSet>'
    source = model(lane, start(), user("u"), end(), edges("s > u > e"))
    with open_governor(str(tmp_path / "governor.db")) as governor:
        task = governor.start(load(source, file="a.bpmn"), {}).waiting[0]
        assert task["groups"] == ["Clerks"]
        assert governor.complete(task["id"], {}, by="anybody").status == "completed"
