"""A chat hears a process and drives it; a process asks, and is answered in words."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from engine.chat.bridge import ChatProcessBridge
from engine.chat.events import (
    ActivityCompleted,
    ChatEvent,
    ChatTurn,
    GatewayReached,
    InstanceBegan,
    InstanceEnded,
    TurnClosed,
    TurnOpened,
)
from engine.chat.replies import WrongReply
from engine.errors import UnknownBranch
from engine.events import Event, EventType
from engine.governor import Governor
from engine.result import RunResult
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.report.stories import ran

OUTPUTS = (
    '<ioSpecification><dataOutput id="o" name="remark"/><inputSet/><outputSet><dataOutputRefs>o</dataOutputRefs>'
    "</outputSet></ioSpecification>"
)
ASKING = model(
    start(), script("a", "x = 1"), user("u", OUTPUTS), script("b", "y = x"), end(), edges("s > a > u > b > e")
)
BY_PERSON = policy('<gov:policy><gov:mergeKey name="v" strategy="HUMAN"/></gov:policy>')
HUMAN = f'<parallelGateway id="j">{BY_PERSON}</parallelGateway>'
APART = model(
    start(),
    gateway("g"),
    script("l", "v = 1"),
    script("r", "v = 2"),
    HUMAN,
    end(),
    edges("s > g > l > j > e", "g > r > j"),
)
TWO = model(start(), gateway("g"), user("l"), user("r"), gateway("j"), end(), edges("s > g > l > j > e", "g > r > j"))


@pytest.fixture
def bridge(governor: Governor) -> Any:
    opened = ChatProcessBridge(governor)
    yield opened
    opened.close()


def waiting(result: RunResult) -> str:
    return str(result.waiting[0]["id"])


def test_a_chat_hears_what_happens_in_order(governor: Governor, bridge: ChatProcessBridge) -> None:
    heard: list[ChatEvent] = []
    bridge.listen(heard.append)
    result = ran(governor, ASKING)
    assert [type(event) for event in heard] == [InstanceBegan, ActivityCompleted, TurnOpened]
    bridge.reply(waiting(result), "fine", by="ann")
    assert [type(event) for event in heard[3:]] == [TurnClosed, ActivityCompleted, ActivityCompleted, InstanceEnded]
    assert [event.seq for event in heard] == sorted(event.seq for event in heard)
    assert bridge.history(result.instance) == heard


def test_a_task_with_one_text_takes_the_reply_as_it_is(governor: Governor, bridge: ChatProcessBridge) -> None:
    result = bridge.reply(waiting(ran(governor, ASKING)), "  all is well ", by="ann")
    assert (result.status, result.variables["remark"]) == ("completed", "all is well")


def test_a_question_takes_an_option_and_a_reason(governor: Governor, bridge: ChatProcessBridge) -> None:
    asked = ran(governor, APART)
    with pytest.raises(WrongReply, match="allowed are resolve"):
        bridge.reply(waiting(asked), "whatever", by="ann")
    result = bridge.reply(waiting(asked), 'resolve {"v": 7}', by="ann")
    assert (result.status, result.variables["v"]) == ("completed", 7)


@pytest.mark.parametrize("text", ["", "[1]", "{"])
def test_what_is_no_answer_changes_nothing(governor: Governor, bridge: ChatProcessBridge, text: str) -> None:
    two_fields = OUTPUTS.replace("<inputSet/>", '<dataOutput id="o2" name="sum"/><inputSet/>')
    asked = ran(governor, model(start(), user("u", two_fields), end(), edges("s > u > e")))
    with pytest.raises(WrongReply, match="a JSON object with remark, sum"):
        bridge.reply(waiting(asked), text, by="ann")
    assert governor.result(asked.instance).status == "waiting"


def test_what_is_said_stands_in_working_and_attention_is_measured(
    governor: Governor, bridge: ChatProcessBridge
) -> None:
    asked = ran(governor, ASKING)
    heard: list[ChatEvent] = []
    bridge.listen(heard.append, asked.instance)
    bridge.on_chat_turn(asked.instance, "She has paid twice.", by="ann")
    result = bridge.on_chat_turn(asked.instance, "Sorry, once.", by="bob")
    assert [(turn["by"], turn["text"]) for turn in bridge.turns(asked.instance)] == [
        ("ann", "She has paid twice."),
        ("bob", "Sorry, once."),
    ]
    assert [type(event) for event in heard] == [ChatTurn, ChatTurn]
    assert result.status == "waiting"
    assert len(governor.store.events(asked.instance, types=[EventType.ATTENTION])) == 2
    assert "paid twice" not in str([event.data for event in governor.store.events(asked.instance)])


def test_a_turn_needs_a_branch_where_there_are_several_and_both_turns_are_kept(
    governor: Governor, bridge: ChatProcessBridge
) -> None:
    asked = ran(governor, TWO)
    with pytest.raises(UnknownBranch):
        bridge.on_chat_turn(asked.instance, "Hello", by="ann")
    for number, branch in enumerate(governor.heads(asked.instance)):
        bridge.on_chat_turn(asked.instance, f"turn {number}", by="ann", branch=branch)
    graph = governor.graph(asked.instance)
    for number, head in enumerate(governor.heads(asked.instance).values()):
        said = [item.value for name, item in graph.contents(head).items("WORKING") if name.startswith("chat/")]
        assert [graph.values.get(value)["text"] for value in said] == [f"turn {number}"]
    for each in governor.store.work_items(instance=asked.instance):
        result = governor.complete(each.id, {}, by="ann")
    assert result.status == "completed"
    assert [turn["text"] for turn in bridge.turns(asked.instance)] == ["turn 0", "turn 1"]
    assert not result.conflicts


def test_gateways_tell_what_chose_split_and_joined(governor: Governor, bridge: ChatProcessBridge) -> None:
    heard: list[GatewayReached] = []
    bridge.on_gateway_reached(heard.append)
    asked = ran(governor, APART)
    bridge.reply(waiting(asked), 'resolve {"v": 7}', by="ann")
    assert [(event.kind, event.by) for event in heard] == [("split", ""), ("joined", "ann")]
    assert heard[1].conflicts == ["WORKING/v"]


def test_a_listener_that_breaks_stops_neither_the_process_nor_others(
    governor: Governor, bridge: ChatProcessBridge
) -> None:
    heard: list[ActivityCompleted] = []

    def broken(event: ChatEvent) -> None:
        raise ValueError("gone")

    bridge.listen(broken)
    stop = bridge.on_activity_complete(heard.append)
    assert ran(governor, ASKING).status == "waiting"
    assert [event.element for event in heard] == ["a"]
    stop()
    ran(governor, ASKING)
    assert len(heard) == 1


def test_a_listener_that_drives_the_process_leaves_everybody_the_order(
    governor: Governor, bridge: ChatProcessBridge
) -> None:
    before: list[ChatEvent] = []
    own: list[ChatEvent] = []
    after: list[ChatEvent] = []

    def drive(event: ChatEvent) -> None:
        own.append(event)
        if isinstance(event, TurnOpened):
            bridge.on_chat_turn(event.instance, "I look at it.", by="ann")
            bridge.reply(event.id, "fine", by="ann")

    for listener in (before.append, drive, after.append):
        bridge.listen(listener)
    result = ran(governor, ASKING)
    assert governor.result(result.instance).status == "completed"
    assert before == own == after == bridge.history(result.instance)
    assert [type(event) for event in own[2:5]] == [TurnOpened, ChatTurn, TurnClosed]


def test_a_slow_listener_delays_nobody_s_order_and_loses_nothing(governor: Governor, bridge: ChatProcessBridge) -> None:
    """While one listener is busy with the first turn, another thread answers it."""
    asked = ran(governor, ASKING)
    slow: list[ChatEvent] = []
    quick: list[ChatEvent] = []
    busy, answered = threading.Event(), threading.Event()

    def wait(event: ChatEvent) -> None:
        busy.set()
        assert answered.wait(20)
        slow.append(event)

    bridge.listen(wait, asked.instance)
    bridge.listen(quick.append, asked.instance)
    saying = threading.Thread(target=lambda: bridge.on_chat_turn(asked.instance, "Wait.", by="bob"))
    saying.start()
    assert busy.wait(20)
    bridge.reply(waiting(asked), "fine", by="ann")
    answered.set()
    saying.join(20)
    assert [type(event) for event in quick] == [
        ChatTurn, TurnClosed, ActivityCompleted, ActivityCompleted, InstanceEnded,
    ]  # fmt: skip
    assert slow == quick


def test_what_a_host_s_ear_raises_comes_out_when_everybody_has_heard_it(governor: Governor) -> None:
    heard: list[EventType] = []

    def broken(instance: str, event: Event) -> None:
        raise ValueError(event.type)

    stop = governor.listen(broken)
    governor.listen(lambda instance, event: heard.append(event.type))
    with pytest.raises(ValueError, match="instance_started"):
        ran(governor, ASKING)
    (instance,) = governor.instances()
    assert heard == [event.type for event in governor.store.events(instance.id)]
    stop()
    (item,) = governor.store.work_items(instance=instance.id)
    assert governor.complete(item.id, {"remark": "fine"}, by="ann").status == "completed"
    assert heard[-1] is EventType.INSTANCE_COMPLETED


def test_a_stream_has_what_was_and_what_comes_each_once(governor: Governor, bridge: ChatProcessBridge) -> None:
    asked = ran(governor, ASKING)
    opened = threading.Event()

    async def hear() -> list[ChatEvent]:
        found = []
        async for event in bridge.stream(asked.instance):
            found.append(event)
            if isinstance(event, TurnOpened):
                opened.set()
        return found

    def reply() -> None:
        opened.wait(10)
        bridge.reply(waiting(asked), "fine", by="ann")

    other = threading.Thread(target=reply)
    other.start()
    heard = asyncio.run(asyncio.wait_for(hear(), 20))
    other.join()
    assert heard == bridge.history(asked.instance)
    assert isinstance(heard[-1], InstanceEnded)


def test_a_stream_goes_on_after_what_was_heard(governor: Governor, bridge: ChatProcessBridge) -> None:
    asked = ran(governor, ASKING)
    bridge.reply(waiting(asked), "fine", by="ann")
    every = bridge.history(asked.instance)

    async def rest() -> list[ChatEvent]:
        return [event async for event in bridge.stream(asked.instance, after=every[2].seq)]

    assert asyncio.run(rest()) == every[3:]


def test_nothing_is_heard_that_is_not_durable(governor: Governor, bridge: ChatProcessBridge) -> None:
    heard: list[bool] = []
    bridge.listen(lambda event: heard.append(event.seq < len(governor.store.events(event.instance))))
    ran(governor, ASKING)
    assert heard
    assert all(heard)
