"""Messages between pools: each reaches one receiver, exactly once, now or later."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bpmn.load import load
from engine.spiff.messages import NotAwaited
from tests.engine.between.city import City, pools
from tests.engine.models import catch, edges, end, message, model, script, start, throw, user

MESSAGES = '<message id="m" name="order"/><message id="n" name="bill"/>'


def sending(content: str = "") -> str:
    data = (
        '<ioSpecification><dataInput id="ti" name="x"/><inputSet/><outputSet/></ioSpecification>' if not content else ""
    )
    thrown = throw("t", data, message("m"))
    return f"{start('ps')}{thrown}{script('a', 'pass')}{end('pe')}{edges('ps > t > a > pe')}"


RECEIVING = f"{start('qs')}{catch('c', message('m'))}{script('b', 'seen = x')}{end('qe')}{edges('qs > c > b > qe')}"


@pytest.fixture
def city(tmp_path: Path) -> City:
    return City(tmp_path / "runs.db")


@pytest.mark.parametrize("first", ["p", "q"])
def test_a_message_reaches_its_receiver_whoever_comes_first(city: City, first: str) -> None:
    source = pools({"p": sending(), "q": RECEIVING}, {"t": "c"}, MESSAGES)
    for process in (first, "q" if first == "p" else "p"):
        city.start(source, process, **({"x": 7} if process == "p" else {}))
    assert sorted(city.done) == ["a", "b"]
    assert set(city.status().values()) == {"completed"}
    assert city.posts() == 0


def test_a_message_goes_to_one_receiver(city: City) -> None:
    source = pools({"p": sending(), "q": RECEIVING}, {"t": "c"}, MESSAGES)
    for process in ("q", "q", "p"):
        city.start(source, process, x=1)
    assert city.done == ["a", "b"]
    assert city.status() == {"i1 q": "completed", "i2 q": "waiting", "i3 p": "completed"}


def test_a_message_starts_the_process_that_its_flow_leads_to(city: City) -> None:
    begins = start("qs", message("m")) + script("b", "seen = x") + end("qe") + edges("qs > b > qe")
    source = pools({"p": sending(), "q": begins}, {"t": "qs"}, MESSAGES)
    for _ in range(2):
        city.start(source, "p", x=7)
    assert city.done == ["a", "b"] * 2
    assert city.status() == {"i1 p": "completed", "i2 q": "completed", "i3 p": "completed", "i4 q": "completed"}


def test_a_receive_task_may_start_a_process(city: City) -> None:
    begins = '<receiveTask id="c" instantiate="true" messageRef="m"/>' + script("b", "pass") + edges("c > b")
    source = pools({"p": sending(), "q": begins}, {"t": "c"}, MESSAGES)
    city.start(source, "p", x=7)
    assert city.done == ["a", "b"]


def test_pools_may_talk_to_and_fro(city: City) -> None:
    asks = (
        f"{start('ps')}{throw('t', message('m'))}{catch('r', message('n'))}{script('a', 'pass')}{end('pe')}"
        f"{edges('ps > t > r > a > pe')}"
    )
    answers = (
        f"{start('qs', message('m'))}{user('u')}{throw('v', message('n'))}{end('qe')}{edges('qs > u > v > qe')}"
    )
    source = pools({"p": asks, "q": answers}, {"t": "qs", "v": "r"}, MESSAGES)
    result = city.start(source, "p")
    assert [each["name"] for each in result.waiting] == ["bill"]
    city.complete("u")
    assert city.done == ["u", "a"]
    assert set(city.status().values()) == {"completed"}


def test_what_leaves_for_a_black_box_is_gone(city: City) -> None:
    source = pools({"p": sending(), "q": RECEIVING}, {"t": "black"}, MESSAGES)
    city.start(source, "q")
    city.start(source, "p", x=1)
    assert city.status() == {"i1 q": "waiting", "i2 p": "completed"}
    assert city.posts() == 0


def test_a_message_that_nobody_wants_is_given_up_in_the_end(city: City) -> None:
    source = pools({"p": sending(), "q": RECEIVING}, {"t": "c"}, MESSAGES)
    city.start(source, "p", x=1)
    assert city.posts() == 1
    city.clock.move_to(city.clock.now() + timedelta(days=8))
    city.start(source, "q")
    assert city.status()["i2 q"] == "waiting"
    city.start(source, "p", x=2)
    assert city.posts() == 0
    assert city.done == ["a", "a", "b"]


WAITS = model(start(), user("u"), catch("c", message("m")), script("a", "pass"), end(), edges("s > u > c > a > e"),
              beside=MESSAGES)  # fmt: skip


def test_a_message_from_outside_before_its_receiver_is_refused_or_kept(city: City) -> None:
    city.start(WAITS, "p")
    with pytest.raises(NotAwaited, match="awaited are none"):
        city.do(lambda governor: governor.correlate("i1", "order"))
    city.do(lambda governor: governor.correlate("i1", "order", {"x": 1}, keep=timedelta(hours=1)))
    result = city.complete("u")
    assert (result.status, result.variables) == ("completed", {"x": 1})


def test_a_message_from_outside_is_kept_no_longer_than_asked(city: City) -> None:
    city.start(WAITS, "p")
    city.do(lambda governor: governor.correlate("i1", "order", keep=timedelta(hours=1)))
    city.clock.move_to(city.clock.now() + timedelta(hours=2))
    assert city.complete("u").status == "waiting"


def test_who_waits_with_another_key_does_not_get_it(city: City) -> None:
    keyed = MESSAGES.replace('name="order"', 'name="order" gov:correlationKey="number"')
    source = model(start(), catch("c", message("m")), end(), edges("s > c > e"), beside=keyed)
    for number in (1, 2):
        city.start(source, "p", number=number)
    with pytest.raises(NotAwaited, match="with the key 2"):
        city.do(lambda governor: governor.correlate("i1", "order", key=2))
    city.do(lambda governor: governor.correlate("i2", "order", key=2))
    assert city.status() == {"i1 p": "waiting", "i2 p": "completed"}
    talking = pools({"p": sending(), "q": RECEIVING}, {"t": "c"}, keyed)
    city.start(talking, "q", number=5)
    city.start(talking, "q", number=6)
    city.start(talking, "p", number=6, x=1)
    assert city.status()["i4 q"] == "completed"
    assert city.status()["i3 q"] == "waiting"


@pytest.mark.parametrize(
    ("kind", "sent", "done"), [("Exclusive", 1, True), ("Parallel", 1, False), ("Parallel", 2, True)]
)
def test_a_process_may_begin_with_an_event_based_gateway(city: City, kind: str, sent: int, done: bool) -> None:
    begins = (
        f'<eventBasedGateway id="g" instantiate="true" eventGatewayType="{kind}"/>{catch("c", message("m"))}'
        f'{catch("d", message("n"))}{script("b", "pass")}{end("qe")}{end("qf")}{edges("g > c > b > qe", "g > d > qf")}'
    )
    bills = f"{start('rs')}{throw('v', message('n'))}{end('re')}{edges('rs > v > re')}"
    source = pools({"p": sending(), "q": begins, "r": bills}, {"t": "c", "v": "d"}, MESSAGES)
    for process in ("p", "r")[:sent]:
        city.start(source, process, x=1)
    assert city.done == ["a", "b"]
    started = [status for name, status in city.status().items() if name.endswith(" q")]
    assert started == ["completed" if done else "waiting"]


KEY = (
    '<correlationProperty id="order_id"><correlationPropertyRetrievalExpression messageRef="m"><messagePath>{path}'
    '</messagePath></correlationPropertyRetrievalExpression></correlationProperty>'
)
SUBSCRIPTION = (
    '<correlationSubscription id="cs" correlationKeyRef="k"><correlationPropertyBinding '
    'correlationPropertyRef="order_id"><dataPath>{path}</dataPath></correlationPropertyBinding></correlationSubscription>'
)


@pytest.mark.parametrize(("subscribed", "name"), [(False, "x"), (True, "mine")])
def test_a_message_is_correlated_as_bpmn_itself_writes_it(city: City, subscribed: bool, name: str) -> None:
    waits = (SUBSCRIPTION.format(path="mine") if subscribed else "") + RECEIVING
    source = pools({"p": sending(), "q": waits}, {}, MESSAGES + KEY.format(path="x"))
    for value in (1, 2):
        city.start(source, "q", **{name: value})
    city.start(source, "p", x=2)
    assert city.status() == {"i1 q": "waiting", "i2 q": "completed", "i3 p": "completed"}
    assert city.done == ["a", "b"]


def test_who_has_no_key_yet_waits_for_any_and_then_for_that(city: City) -> None:
    twice = (
        f"{start('qs')}{catch('c', message('m'))}{catch('d', message('m'))}{script('b', 'seen = x')}{end('qe')}"
        f"{edges('qs > c > d > b > qe')}"
    )
    source = pools({"p": sending(), "q": twice}, {}, MESSAGES + KEY.format(path="x"))
    city.start(source, "q")
    for value in (5, 6, 5):
        city.start(source, "p", x=value)
    assert city.status()["i1 q"] == "completed"
    assert city.posts() == 1


def test_a_message_carries_what_spiffarena_writes_and_is_kept_in_its_variable(city: City) -> None:
    payload = (
        '<message id="m" name="order" xmlns:spiffworkflow="http://spiffworkflow.org/bpmn/schema/1.0/core">'
        '<extensionElements><spiffworkflow:messagePayload>{"id": n, "to": "me"}</spiffworkflow:messagePayload>'
        "<spiffworkflow:messageVariable>got</spiffworkflow:messageVariable></extensionElements></message>"
    )
    receiving = RECEIVING.replace("seen = x", "seen = got")
    source = pools({"p": sending(), "q": receiving}, {}, payload + KEY.format(path="id"))
    city.start(source, "q", id=1)
    city.start(source, "q", id=2)
    city.start(source, "p", n=2)
    assert city.status() == {"i1 q": "waiting", "i2 q": "completed", "i3 p": "completed"}
    result = city.do(lambda governor: governor.result("i2"))
    assert result.variables["seen"] == {"id": 2, "to": "me"}


def test_a_message_is_kept_as_long_as_it_says(city: City) -> None:
    lasting = '<message id="m" name="order" gov:timeToLive="PT1H"/><message id="n" name="bill"/>'
    source = pools({"p": sending(), "q": RECEIVING}, {}, lasting)
    for minutes, status in ((59, "completed"), (61, "waiting")):
        city.start(source, "p", x=1)
        city.clock.move_to(city.clock.now() + timedelta(minutes=minutes))
        assert city.start(source, "q").status == status


def test_a_simulation_passes_over_what_a_message_cannot_carry_or_be_correlated_by(city: City) -> None:
    sent = MESSAGES.replace('name="order"/>', 'name="order" gov:correlationKey="missing"/>', 1)
    source = pools({"p": sending(), "q": RECEIVING}, {}, sent)
    loaded = load(source, file="m.bpmn", process="p", simulate=True)
    result = city.do(lambda governor: governor.start(loaded, {}, settings={"simulate": True}))
    assert (result.status, result.incidents) == ("completed", [])


def test_a_path_that_is_no_expression_is_refused_and_passed_over_in_a_simulation() -> None:
    source = pools({"p": sending(), "q": RECEIVING}, {}, MESSAGES + KEY.format(path="from.name"))
    errors = load(source, file="m.bpmn", process="q").errors
    assert [(each.rule, each.element) for each in errors] == [("expression", "c")]
    assert not load(source, file="m.bpmn", process="q", simulate=True).errors
