"""Every error of ours has the status that its kind should have."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature

import pytest

from engine.server.problems import OURS, STATUS, UNFIT, problem_of, status_of
from engine.store.errors import StoreError
from tests.engine.server.clients import create_app

WRITTEN_IN_A_FILE = {
    "UnknownProcess", "UnknownElement", "UnknownTools", "UnknownModel", "UnknownDecision", "UnknownAnswer",
    "UnknownEntry", "UnknownKept", "UnknownTool", "UnknownRelease", "UnknownValue", "UnknownFunction", "UnknownSkill",
}  # fmt: skip
"""What a file, an answer or a setting names, and not an address: 422."""

NUMBERS = {"waited", "found", "known"}
"""Parameters of errors that are numbers."""


def kinds(of: type[Exception]) -> Iterator[type[Exception]]:
    yield of
    for each in of.__subclasses__():
        yield from kinds(each)


def test_what_an_address_names_and_is_not_there_is_not_found() -> None:
    assert create_app
    every = (each for base in OURS for each in kinds(base) if not each.__module__.startswith("engine.cli"))
    found = {each.__name__ for each in every if each.__name__.startswith("Unknown")}
    missing = {each.__name__ for each, status in STATUS.items() if status == 404}
    assert found - missing <= WRITTEN_IN_A_FILE
    assert missing <= found


def test_an_error_is_a_problem_with_its_facts() -> None:
    class TooEarly(OURS[0]):
        def __init__(self) -> None:
            self.hour = 6
            super().__init__("come back later")

    assert status_of(TooEarly()) == UNFIT
    assert problem_of(TooEarly()) == {
        "type": "urn:bpmn-governor:problem:too-early", "title": "Too early", "status": 422,
        "detail": "come back later", "hour": 6,
    }  # fmt: skip


def placed() -> list[type[Exception]]:
    """All errors that know where the database is."""
    every = {kind.__name__: kind for kind in kinds(StoreError) if "database" in signature(kind.__init__).parameters}
    return [every[name] for name in sorted(every)]


@pytest.mark.parametrize("kind", placed())
def test_no_problem_tells_where_the_database_is(kind: type[Exception]) -> None:
    place = "postgresql://somebody@house.example/governor"
    names = [name for name in signature(kind.__init__).parameters if name not in ("self", "database")]
    error = kind(database=place, **{name: 1 if name in NUMBERS else "x" for name in names})
    assert place in str(error)
    assert place not in str(problem_of(error))
