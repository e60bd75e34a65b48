"""Zones grade what an agent is shown of HISTORY and KNOWLEDGE, in place of the distance on the path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.governed.token import Token
from governance.vocabulary import Fidelity, Producer
from tests.bpmn.files import policy
from tests.engine.governed.test_dead_ends import House
from tests.engine.models import edges, end, gateway, model, script, service, start
from tests.engine.running import Run

TOPICS = [
    "pump", "invoice", "garden", "violin", "harbour", "bakery", "telescope", "saddle", "glacier", "theatre", "lantern",
    "orchard",
]  # fmt: skip
STEPS = [f"t{number}" for number in range(len(TOPICS))]


def told(topic: str) -> str:
    return f"The {topic} report names the {topic} and all that the {topic} needs. " * 8


def writing(topic: str) -> Any:
    return lambda work: Outcome(outputs={f"about_{topic}": told(topic)}, producer=Producer.SERVICE)


def asking(seen: list[dict[str, Fidelity]], calls: int = 1) -> Any:
    """An agent that calls its model so often; what each call was shown of HISTORY, by activity."""

    def do(work: Work) -> Outcome:
        for call in range(calls):
            if call:
                work.compress(0)
            seen.append(shown(work))
        return Outcome(outputs={"answer": 1}, head=work.context.head, confidence=0.9, producer=Producer.AGENT)

    return do


def shown(work: Work) -> dict[str, Fidelity]:
    items = work.context.contents.items("HISTORY")
    return {name.rpartition(":")[2]: item.fidelity for name, item in items}


def agent(identifier: str, attributes: str = "", name: str = "Check what the pump needs") -> str:
    extension = policy(f"<gov:policy {attributes}/><gov:agent/>")
    return f'<serviceTask id="{identifier}" name="{name}">{extension}</serviceTask>'


def chain(*agents: str, ids: str) -> bytes:
    content = [service(step) for step in STEPS]
    return model(start(), *content, *agents, end(), edges(f"s > {' > '.join(STEPS)} > {ids} > e"))


def handlers(**more: Any) -> dict[str, Any]:
    return {**{step: writing(topic) for step, topic in zip(STEPS, TOPICS, strict=True)}, **more}


def test_what_matters_now_is_shown_however_long_ago_it_was() -> None:
    seen: list[dict[str, Fidelity]] = []
    run = Run(chain(agent("ask", 'zones="on"'), ids="ask"), handlers=handlers(ask=asking(seen)))
    (at_call,) = seen
    assert at_call["t0"] is Fidelity.FULL
    assert {at_call[step] for step in STEPS[4:6]} == {Fidelity.KEY_ONLY}
    assert {at_call[step] for step in STEPS[6:]} == {Fidelity.SUMMARY}
    (event,) = run.events(EventType.ZONES)
    assert (event.element, event.data["keep"], event.data["compress"], event.data["drop"]) == ("ask", 1, 6, 5)
    assert event.data["before"] != event.data["after"]


def test_without_zones_only_the_distance_on_the_path_counts() -> None:
    seen: list[dict[str, Fidelity]] = []
    run = Run(chain(agent("ask", 'zones="off"'), ids="ask"), handlers=handlers(ask=asking(seen)))
    (at_call,) = seen
    assert at_call["t0"] is Fidelity.ARCHIVED
    assert at_call["t8"] is Fidelity.SUMMARY
    assert {at_call[step] for step in STEPS[9:]} == {Fidelity.FULL}
    assert run.events(EventType.ZONES) == []


@pytest.mark.parametrize(("window", "on"), [(128_000, False), (4_000, True)])
def test_by_themselves_they_are_on_where_the_context_is_a_fifth_of_the_window(window: int, on: bool) -> None:
    run = Run(chain(agent("ask", f'windowTokens="{window}"'), ids="ask"), handlers=handlers(ask=asking([])))
    assert bool(run.events(EventType.ZONES)) == on


@pytest.mark.parametrize(("steps", "on"), [(50, False), (51, True)])
def test_by_themselves_they_are_on_after_fifty_records(steps: int, on: bool) -> None:
    ids = [f"n{number}" for number in range(steps)]
    content = [script(each, f"{each} = 'word ' * 60") for each in ids]
    source = model(start(), *content, agent("ask"), end(), edges(f"s > {' > '.join(ids)} > ask > e"))
    run = Run(source, handlers={"ask": asking([])})
    assert bool(run.events(EventType.ZONES)) == on


def test_once_on_they_stay_on_and_nothing_is_graded_by_distance() -> None:
    """`ask` finds the record of the pump in full; later ones leave it so, until an agent needs another."""
    seen: list[dict[str, Fidelity]] = []
    later: list[dict[str, Fidelity]] = []
    more = [script(f"n{number}", f"n{number} = {number}") for number in range(4)]
    ask, again = agent("ask", 'windowTokens="4000"'), agent("again", name="Tune the violin")
    source = model(
        start(), *(service(step) for step in STEPS), ask, *more, again, end(),
        edges(f"s > {' > '.join(STEPS)} > ask > n0 > n1 > n2 > n3 > again > e"),
    )  # fmt: skip
    Run(source, handlers=handlers(ask=asking(seen), again=asking(later)))
    assert seen[0]["t0"] is Fidelity.FULL
    assert later[0]["t3"] is Fidelity.SUMMARY  # from drop: past its boundary by the margin, and no further
    assert later[0]["t0"] < Fidelity.FULL
    assert later[0]["ask"] is not Fidelity.ARCHIVED


def test_what_was_left_out_three_times_is_shown_once() -> None:
    seen: list[dict[str, Fidelity]] = []
    Run(chain(agent("ask", 'zones="on"'), ids="ask"), handlers=handlers(ask=asking(seen, calls=6)))
    assert [each["t4"] for each in seen] == [
        Fidelity.KEY_ONLY, Fidelity.KEY_ONLY, Fidelity.KEY_ONLY, Fidelity.SUMMARY, Fidelity.KEY_ONLY, Fidelity.KEY_ONLY,
    ]  # fmt: skip


def test_what_the_policy_retains_is_always_kept() -> None:
    seen: list[dict[str, Fidelity]] = []
    keeps = 'zones="on" retainKeys="*:t5"'
    Run(chain(agent("ask", keeps), ids="ask"), handlers=handlers(ask=asking(seen)))
    assert seen[0]["t5"] is Fidelity.FULL


def test_what_a_kept_record_came_from_is_shown() -> None:
    """The pump's record has read what the violin's step wrote."""
    reads = '<ioSpecification><dataInput id="i" name="about_violin"/><inputSet/><outputSet/></ioSpecification>'
    seen: list[dict[str, Fidelity]] = []
    order = ["t3", "t0", *STEPS[4:]]
    content = [service(step, inside=reads if step == "t0" else "") for step in order]
    source = model(
        start(), *content, agent("ask", 'zones="on"'), end(), edges(f"s > {' > '.join(order)} > ask > e")
    )
    Run(source, handlers=handlers(ask=asking(seen)))
    assert (seen[0]["t0"], seen[0]["t3"], seen[0]["t4"]) == (Fidelity.FULL, Fidelity.SUMMARY, Fidelity.KEY_ONLY)


def test_branches_that_come_together_keep_the_higher_zone() -> None:
    seen: list[dict[str, Fidelity]] = []
    pump, violin = agent("pump", 'zones="on"'), agent("violin", 'zones="on"', name="Tune the violin")
    source = model(
        start(), *(service(step) for step in STEPS), gateway("g"), pump, violin, gateway("j"),
        agent("ask", 'zones="on"', name="Say it"), end(),
        edges(f"s > {' > '.join(STEPS)} > g > pump > j > ask > e", "g > violin > j"),
    )  # fmt: skip
    run = Run(source, handlers=handlers(pump=asking([]), violin=asking([]), ask=asking(seen)))
    assert {event.element for event in run.events(EventType.ZONES)} >= {"pump", "violin"}
    assert (seen[0]["t0"], seen[0]["t3"]) == (Fidelity.SUMMARY, Fidelity.SUMMARY)  # each kept by one of them
    assert seen[0]["t4"] < Fidelity.SUMMARY


def test_a_token_keeps_its_zones_over_a_restart() -> None:
    token = Token("h", zones=(("HISTORY/@1:a", "keep", 0, False), ("HISTORY/@2:b", "drop", 2, True)))
    assert Token.load(token.dump()) == token
    assert Token.load(Token("h").dump()) == Token("h")
    assert len(Token("h").dump()) == 7


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "governor.db")
    yield house
    for each in house.open:
        each.store.close()


def test_a_run_with_zones_is_replayed_to_the_same_snapshots(house: House) -> None:
    more = [script(f"n{number}", f"n{number} = {number}") for number in range(5)]
    source = model(
        start(), *(service(step) for step in STEPS), agent("ask", 'windowTokens="4000"'), *more, end(),
        edges(f"s > {' > '.join(STEPS)} > ask > n0 > n1 > n2 > n3 > n4 > e"),
    )  # fmt: skip
    house.do = handlers(ask=asking([]))
    done = house.start(source)
    governor = house.governor()
    assert list(governor.store.events(done.instance, types=[EventType.ZONES]))
    assert governor.replay(done.instance).difference is None
