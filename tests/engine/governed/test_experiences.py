"""What goes well often enough becomes a skill, and is shown to the agents of later instances."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.result import RunResult
from governance.cda.experience.model import Skill
from governance.vocabulary import Producer
from tests.engine.governed.test_dead_ends import House, agent, failing
from tests.engine.models import edges, end, model, start

ONE = model(start(), agent("a"), end(), edges("s > a > e"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "governor.db")
    yield house
    for each in house.open:
        each.store.close()


def good(told: list[tuple[str, ...]]) -> Any:
    def do(work: Work) -> Outcome:
        told.append(work.skills)
        return Outcome(outputs={"y": 1}, decision="looked it up", tools=("find", "read"), producer=Producer.AGENT)

    return do


def learned(house: House, result: RunResult) -> list[str]:
    return [each.data["id"] for each in house.governor().store.events(result.instance, types=[EventType.SKILL_LEARNED])]


def test_the_third_time_makes_a_skill_that_the_fourth_is_shown(house: House) -> None:
    told: list[tuple[str, ...]] = []
    house.do["a"] = good(told)
    results = [house.start(ONE, query=str(number)) for number in range(4)]
    assert told == [(), (), (), ("Worked before: find -> read. Holds for: input:query.",)]
    assert [len(learned(house, each)) for each in results] == [0, 0, 1, 0]
    (skill,) = house.governor().store.experience().skills("p")
    assert skill.preconditions.evidence == ("activity:a", "input:query")


def test_what_is_long_ago_does_not_count(house: House) -> None:
    house.do["a"] = good([])
    for _ in range(2):
        house.start(ONE, query="x")
    house.clock.move_to(house.clock.now() + timedelta(days=8))
    house.start(ONE, query="x")
    assert house.governor().store.experience().skills() == []


def test_failures_are_where_it_does_not_hold(house: House) -> None:
    house.do["a"] = failing(ValueError("there is no such order"))
    house.start(ONE, query="gone")
    house.do["a"] = good([])
    for number in range(3):
        house.start(ONE, query=str(number))
    (skill,) = house.governor().store.experience().skills()
    assert skill.boundaries.invalid_conditions == ("there is no such order",)


def test_a_skill_that_was_taken_in_is_shown_from_the_first_time(house: House) -> None:
    told: list[tuple[str, ...]] = []
    house.do["a"] = good(told)
    taken = Skill.model_validate(
        {"id": "s1", "preconditions": {"evidence": ["activity:a"]}, "execution_pattern": {"steps": ["ask", "act"]}}
    )
    house.governor().store.experience().put([taken])
    house.start(ONE, query="x")
    assert told == [("Worked before: ask -> act.",)]


PERSONAL = '<extensionElements><gov:policy personalKeys="{0}"/></extensionElements>'


@pytest.mark.parametrize("personal", ["customer.name mail", "*"])
def test_what_says_something_of_a_person_is_in_no_experience_and_no_skill(house: House, personal: str) -> None:
    """Whatever tells it: an input, what the activity itself gives, a reason for which it failed."""

    def tells(work: Work) -> Outcome:
        told.append(work.skills)
        said = f"{work.variables['customer']['name']} lives in {work.variables['customer']['city']}: maria@example.org"
        return Outcome(outputs={"mail": "maria@example.org"}, decision=said, producer=Producer.AGENT)

    told: list[tuple[str, ...]] = []
    keys = personal.replace(" ", ", ")
    process = model(PERSONAL.format(keys), start(), agent("a"), end(), edges("s > a > e"))
    customer = {"name": "Maria Musterfrau", "city": "Ulm"}
    house.do["a"] = failing(ValueError("Maria Musterfrau is unknown"))
    house.start(process, customer=customer, query="gone")
    house.do["a"] = tells
    for _ in range(4):
        house.start(process, customer=customer, query="known")
    (skill,) = house.governor().store.experience().skills()
    kept = house.governor().store.experience().recent("p", "activity:a")
    for text in (skill.model_dump_json(), *(each.model_dump_json() for each in kept), *told[-1]):
        assert not any(word in text for word in ("Maria", "Musterfrau", "maria@example.org")), text
    city = "•••" if personal == "*" else "Ulm"
    assert skill.outcome_tags.success_patterns == (f"••• lives in {city}: •••",)
    assert skill.boundaries.invalid_conditions == ("••• is unknown",)


def test_other_processes_do_not_see_what_one_learned(house: House) -> None:
    told: list[tuple[str, ...]] = []
    house.do["a"] = good(told)
    for _ in range(3):
        house.start(ONE, query="x")
    house.start(ONE.replace(b'id="p"', b'id="q"'), query="x")
    assert told[-1] == ()
