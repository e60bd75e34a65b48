"""Hard budgets: a model is not called once they are used up; a person raises them, or it is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.governed.raising import WrongRaise
from engine.result import RunResult
from governance.budgets import limits_of
from governance.vocabulary import Producer
from tests.engine.governed.test_dead_ends import CAUGHT, House
from tests.engine.models import boundary, edges, end, model, service, start


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "governor.db")
    yield house
    for each in house.open:
        each.store.close()


def agent(identifier: str, budget: str = "") -> str:
    policy = f'<gov:policy budget="{budget}"/>' if budget else ""
    return service(identifier, "agent", f"<extensionElements><gov:agent/>{policy}</extensionElements>")


def calling(times: int, made: list[str], **used: Any) -> Callable[[Work], Outcome]:
    """An agent that calls its model so often; `made` are the calls that really were."""

    def do(work: Work) -> Outcome:
        for number in range(times):
            def ask(name: str = f"{work.element.id}{number}") -> dict[str, Any]:
                made.append(name)
                return {"tokens_in": 60, "tokens_out": 40, **used}

            work.call_model(f"call{number}", ask)
        return Outcome(outputs={"y": 1}, producer=Producer.AGENT, confidence=0.9)

    return do


def one(budget: str) -> bytes:
    return model(start(), agent("a", budget), end(), edges("s > a > e"))


def asked(house: House, result: RunResult) -> Any:
    (found,) = house.governor().store.interventions(instance=result.instance)
    assert (found.kind, found.level.value, found.trigger.value) == ("budget", "EXPLICIT_APPROVAL", "RUNTIME")
    return found


def answer(house: House, result: RunResult, decision: Any) -> RunResult:
    return house.governor().answer(asked(house, result).id, decision, by="ann", reason="because")


@pytest.mark.parametrize(
    ("budget", "used", "told"),
    [
        ("tokens=150", {}, "200 of 150 tokens"),
        ("cost=0.02", {"cost": 0.01}, "0.0200 of 0.0200 US dollars"),
    ],
    ids=["tokens", "cost"],
)
def test_the_model_is_not_called_once_it_is_used_up(house: House, budget: str, used: Any, told: str) -> None:
    made: list[str] = []
    house.do["a"] = calling(3, made, **used)
    waiting = house.start(one(budget))
    assert (waiting.status, made) == ("waiting", ["a0", "a1"])
    assert asked(house, waiting).message == (
        f"the budget of the activity is used up: {told}; approve to raise it by as much again"
    )


def test_time_is_what_model_calls_take(house: House) -> None:
    made: list[str] = []

    def slow(work: Work) -> Outcome:
        def ask() -> dict[str, Any]:
            made.append("call")
            house.clock.move_to(house.clock.now() + timedelta(minutes=6))
            return {}

        for number in range(3):
            work.call_model(str(number), ask)
        return Outcome(producer=Producer.AGENT)

    house.do["a"] = slow
    waiting = house.start(one("minutes=10"))
    assert len(made) == 2
    assert "12.0 of 10.0 minutes" in asked(house, waiting).message


def test_who_approves_raises_it_and_no_call_is_made_twice(house: House) -> None:
    made: list[str] = []
    house.do["a"] = calling(3, made)
    waiting = house.start(one("tokens=150"))
    done = answer(house, waiting, "approve")
    assert (done.status, made) == ("completed", ["a0", "a1", "a2"])


def test_it_is_asked_again_when_the_raise_is_used_up(house: House) -> None:
    made: list[str] = []
    house.do["a"] = calling(5, made)
    again = answer(house, house.start(one("tokens=150")), "approve")
    assert (again.status, made) == ("waiting", ["a0", "a1", "a2"])
    assert "300 of 300 tokens" in asked(house, again).message


def test_who_denies_makes_it_an_incident(house: House) -> None:
    made: list[str] = []
    house.do["a"] = calling(3, made)
    denied = answer(house, house.start(one("tokens=150")), "deny")
    assert (denied.status, made) == ("failed", ["a0", "a1"])
    assert denied.reason == "a: BUDGET_EXCEEDED: denied by ann: because"


def test_a_boundary_event_may_wait_for_the_error(house: House) -> None:
    source = model(
        start(),
        agent("a", "tokens=150"),
        boundary("b", "a", CAUGHT),
        service("c"),
        end(),
        end("f"),
        edges("s > a > e", "b > c > f"),
        beside='<error id="known" errorCode="BUDGET_EXCEEDED"/>',
    )
    house.do["a"] = calling(3, [])
    done = answer(house, house.start(source), "deny")
    assert (done.status, house.done[-1]) == ("completed", "c")


def test_all_activities_of_an_instance_share_one_pool(house: House) -> None:
    process = model(start(), agent("a"), agent("b"), end(), edges("s > a > b > e"))
    policy = '<extensionElements><gov:policy budget="instance.tokens=250"/></extensionElements>'
    source = process.replace(b'isExecutable="true">', f'isExecutable="true">{policy}'.encode(), 1)
    made: list[str] = []
    house.do.update(a=calling(2, made), b=calling(2, made))
    waiting = house.start(source)
    assert (waiting.status, made) == ("waiting", ["a0", "a1", "b0"])
    assert "the budget of the instance is used up: 300 of 250 tokens" in asked(house, waiting).message
    assert answer(house, waiting, "approve").status == "completed"
    assert made == ["a0", "a1", "b0", "b1"]


def test_all_instances_of_a_database_share_the_tenant_s(house: House) -> None:
    made: list[str] = []
    house.do["a"] = calling(2, made)
    house.budget = limits_of("tokens=250")
    assert house.start(one("")).status == "completed"
    waiting = house.start(one(""))
    assert (waiting.status, made) == ("waiting", ["a0", "a1", "a0"])
    assert "the budget of the tenant is used up: 300 of 250 tokens" in asked(house, waiting).message
    assert answer(house, waiting, "approve").status == "completed"
    assert house.governor().store.spent().tokens == 400
    again = house.start(one(""))
    assert (again.status, len(made)) == ("waiting", 5), "it is raised for all of them, and by so much"
    assert "500 of 500 tokens" in asked(house, again).message


def raising(house: House, values: Any) -> RunResult:
    """The tenant's budget is used up, and somebody raises it so."""
    house.do["a"] = calling(2, [])
    house.budget = limits_of("tokens=250")
    house.start(one(""))
    waiting = house.start(one(""))
    return house.governor().answer(asked(house, waiting).id, "approve", by="ann", reason="month's end", values=values)


def test_the_tenant_s_is_raised_by_what_is_said_and_that_is_on_record(house: House) -> None:
    done = raising(house, {"tokens": 1000})
    assert done.status == "completed"
    (told,) = house.governor().store.events(done.instance, types=[EventType.BUDGET_RAISED])
    assert dict(told.data) == {"budget": "tenant", "by": "ann", "reason": "month's end", "tokens": 1000}
    (kept,) = house.governor().store.raises()
    assert (kept.amount.tokens, kept.by, kept.reason, kept.until) == (1000, "ann", "month's end", None)
    assert kept.instance == done.instance
    assert [house.start(one("")).status for _ in range(5)] == ["completed"] * 4 + ["waiting"]


def test_a_raise_holds_until_its_time_is_over(house: House) -> None:
    done = raising(house, {"tokens": 1000, "for": "PT8H"})
    (told,) = house.governor().store.events(done.instance, types=[EventType.BUDGET_RAISED])
    assert told.data["until"] == "2026-01-01T08:00:00.000000Z"
    assert house.start(one("")).status == "completed"
    house.clock.move_to(house.clock.now() + timedelta(hours=8))
    late = house.start(one(""))
    assert late.status == "waiting"
    assert "600 of 250 tokens" in asked(house, late).message


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"tokens": -1}, "tokens: Input should be greater than 0"),
        ({"money": 3}, "money: unknown; allowed: tokens, cost, minutes, for, until"),
        ({"cost": 3}, "cost has no limit that could be raised"),
        ({"for": "soon"}, "is no ISO 8601 duration"),
        ({"until": "2020-01-01T00:00:00Z"}, "allowed is a time to come"),
        ({"for": "P1D", "until": "2030-01-01T00:00:00Z"}, "either `for` or `until`"),
    ],
)
def test_a_raise_that_is_none_is_told_and_changes_nothing(house: House, values: Any, told: str) -> None:
    with pytest.raises(WrongRaise, match=told):
        raising(house, values)
    assert house.governor().store.raises() == []


def test_an_activity_s_takes_no_values(house: House) -> None:
    house.do["a"] = calling(3, [])
    waiting = house.start(one("tokens=150"))
    with pytest.raises(WrongRaise, match="takes no values"):
        house.governor().answer(asked(house, waiting).id, "approve", by="ann", values={"tokens": 5})
    done = answer(house, waiting, "approve")
    (event,) = house.governor().store.events(done.instance, types=[EventType.BUDGET_RAISED])
    assert (event.data["budget"], event.data["tokens"]) == ("activity", 150)


@pytest.mark.parametrize("text", ["tokens", "money=3", "tokens=-1", "cost=x"])
def test_limits_that_are_none_are_told(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition("=")[0]):
        limits_of(text)


def test_another_attempt_goes_on_with_what_is_left(house: House) -> None:
    made: list[str] = []

    def broken(work: Work) -> Outcome:
        calling(1, made)(work)
        raise ValueError("wrong")

    house.do["a"] = broken
    failed = house.start(one("tokens=150"))
    house.governor().retry(failed.instance)
    assert made == ["a0", "a0"]
    house.governor().retry(failed.instance)
    assert made == ["a0", "a0"]
