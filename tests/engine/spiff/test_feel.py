"""FEEL wherever a process has an expression."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.events import EventType
from engine.status import Status
from tests.engine.models import boundary, edges, end, gateway, instances, model, script, start, timer, user
from tests.engine.running import Run

CHOICE = model(
    start(), gateway("x", "exclusive", default="other"), script("big", 'way = "big"'), script("small", 'way = "small"'),
    end(), edges("s > x", 'x -= order.total > 100 and order.region = "EU"-> big > e', "x =other=> small > e"),
)  # fmt: skip


@pytest.mark.parametrize(("total", "region", "way"), [(150, "EU", "big"), (150, "US", "small"), (99.99, "EU", "small")])
def test_a_condition(total: float, region: str, way: str) -> None:
    assert Run(CHOICE, {"order": {"total": total, "region": region}}).variables["way"] == way


def test_a_condition_that_is_neither_true_nor_false_is_an_incident_that_says_why() -> None:
    run = Run(CHOICE, {"order": {"total": "lots", "region": "EU"}})
    assert run.status is Status.FAILED
    [incident] = run.events(EventType.INCIDENT)
    assert "order.total is text 'lots' (string), 100 is a number (number)" in str(incident.data)


IN_JUEL = model(
    start(), gateway("x", "exclusive", default="other"), script("yes", 'way = "yes"'), script("no", 'way = "no"'),
    end(), edges("s > x", "x -${amount gt 5}-> yes > e", "x =other=> no > e"),
)  # fmt: skip


@pytest.mark.parametrize(("amount", "way"), [(6, "yes"), ("6", "yes"), (None, "no"), ("", "no")])
def test_a_condition_in_juel(amount: object, way: str) -> None:
    assert Run(IN_JUEL, {"amount": amount}).variables["way"] == way


def test_a_condition_in_juel_that_cannot_be_computed_is_an_incident_that_names_flow_variable_and_type() -> None:
    run = Run(IN_JUEL, {"amount": "lots"})
    assert run.status is Status.FAILED
    [incident] = run.events(EventType.INCIDENT)
    [flow] = [each for each in run.deployed.index.definition.processes["p"].scope.flows.values() if each.condition]
    assert f": {flow.id}: `amount gt 5`: amount is text 'lots' (str); allowed: a whole number" in incident.data["error"]


PLAIN = model(
    start(), gateway("x", "exclusive", default="other"), script("yes", 'way = "yes"'), script("no", 'way = "no"'),
    end(), edges("s > x", "x -approved-> yes > e", "x =other=> no > e"),
)  # fmt: skip


def test_a_text_in_the_place_of_a_truth_value_is_an_incident_in_python_whatever_it_says() -> None:
    assert [Run(PLAIN, {"approved": value}).variables["way"] for value in (True, False)] == ["yes", "no"]
    run = Run(PLAIN, {"approved": "false"})
    assert run.status is Status.FAILED
    [incident] = run.events(EventType.INCIDENT)
    assert "`approved`: the condition gives text 'false' (str); allowed: True, False" in str(incident.data["error"])
    [flow] = [each for each in run.deployed.index.definition.processes["p"].scope.flows.values() if each.condition]
    assert f": {flow.id}: " in str(incident.data["error"])


def test_a_collection_and_a_completion_condition() -> None:
    source = model(
        start(),
        script("m", "o = it * 10", instances(collection="= for i in orders[n > 1] return i.n", output="res")),
        script("q", "k = it", instances(cardinality="= count(orders)", output="n", result="k", until="= k = 1",
                                        sequential=True)),
        end(), edges("s > m > q > e"),
    )  # fmt: skip
    found = Run(source, {"orders": [{"n": 1}, {"n": 2}, {"n": 3}]}).variables
    assert found["res"] == [20, 30]
    assert len(found["n"]) == 2


def test_a_timer_by_the_engines_clock() -> None:
    source = model(
        start(), user("t"), boundary("late", "t", timer('= now() + duration("PT" + string(hours) + "H")', "timeDate")),
        user("after"), end(), edges("s > t > e", "late > after > e"),
    )  # fmt: skip
    run = Run(source, {"hours": 2})
    run.clock.move_to(run.clock.now() + timedelta(hours=1, minutes=59))
    run.go()
    assert run.open_items() == ["t"]
    run.clock.move_to(run.clock.now() + timedelta(minutes=1))
    run.go()
    assert run.open_items() == ["after"]
