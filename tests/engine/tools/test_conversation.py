"""What was said with tools may shrink; calls, results and a provider's own blocks stay together whatever happens."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.activities.conversation import MARK, Conversation, Correction, Exchange
from engine.models.base import Message, ToolCall
from tests.engine.chat_models.strict_server.rules import check
from tests.engine.tools.agents import paired, texts_of

FENCES = 2 * len("<data-0123456789ab>\n\n</data-0123456789ab>")
TEXT = st.text("abc 123.\n", max_size=1_500)


def exchange(number: int, results: list[str], reasoning: str = "") -> Exchange:
    calls = tuple(ToolCall(f"c{number}.{place}", "look_up", "{}") for place in range(len(results)))
    blocks = ({"part_kind": "thinking", "content": reasoning, "signature": f"s{number}"},) if reasoning else ()
    answer = Message("assistant", "", calls, blocks=blocks)
    pairs = zip(calls, results, strict=True)
    return Exchange(answer, tuple(Message("tool", text, tool_call_id=call.id) for call, text in pairs))


def correction() -> Correction:
    return Correction((Message("assistant", "{}"), Message("user", "y is missing")))


@st.composite
def parts(draw: st.DrawFn) -> list[Exchange | Correction]:
    made: list[Exchange | Correction] = []
    for number in range(draw(st.integers(1, 6))):
        if draw(st.integers(0, 4)) == 0:
            made.append(correction())
        else:
            results = draw(st.lists(TEXT, min_size=1, max_size=3))
            made.append(exchange(number, results, draw(st.sampled_from(["", "I think"]))))
    return made


def conversation(said: list[Exchange | Correction]) -> Conversation:
    made = Conversation(len, lambda text, limit: text[:limit])
    for part in said:
        made.add(part)
    return made


@settings(max_examples=200)
@given(parts(), st.integers(0, 4_000))
def test_pairs_stay_whole_and_blocks_as_they_are(said: list[Exchange | Correction], room: int) -> None:
    talk = conversation(said)
    sent = talk.messages(room)
    assert paired(sent)
    exchanges = [part for part in said if isinstance(part, Exchange)]
    originals = {call.id: part for part in exchanges for call in part.answer.tool_calls}
    for message in sent:
        for call in message.tool_calls:
            assert message == originals[call.id].answer, "reasoning and calls are never touched"
    kept = [message for message in sent if message.role == "tool"]
    whole = {result.tool_call_id: result.content for part in exchanges for result in part.results}
    told = zip(kept, texts_of(kept), strict=True)
    assert all(len(text) <= len(whole[message.tool_call_id]) + 2 * text.count("\n") for message, text in told)
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}, *map(_wire, sent)]}
    if sent[-1].role != "assistant":
        check(body, window=10_000_000)


@settings(max_examples=100)
@given(parts(), st.integers(0, 4_000))
def test_enough_room_changes_nothing_and_less_gives_no_more(said: list[Exchange | Correction], room: int) -> None:
    talk = conversation(said)
    whole = talk.messages()
    assert talk.messages(talk.tokens(whole)) == whole
    assert talk.messages(room) == talk.messages(room), "the same each time"
    told = 200
    """A line tells what was left out."""
    assert talk.tokens(talk.messages(room)) <= talk.tokens(whole) + told


def test_older_results_shrink_first_then_exchanges_leave_whole_and_the_last_is_kept_longest() -> None:
    talk = conversation([exchange(1, ["a" * 1_000]), exchange(2, ["b" * 1_000])])
    once = talk.messages(1_500 + FENCES)
    assert texts_of(once) == [MARK + "a" * (300 - len(MARK)), "b" * 1_000]
    alone = talk.messages(1_110 + FENCES)
    assert [message.role for message in alone] == ["assistant", "tool", "assistant", "tool"]
    assert len(texts_of(alone)[0]) == 80
    left = talk.messages(700 + FENCES)
    assert [message.role for message in left] == ["user", "assistant", "tool"]
    assert left[0].content.startswith("(1 earlier tool calls are archived: look_up")
    assert texts_of(left)[0].startswith(MARK + "b")


def test_nothing_is_lost_by_shrinking() -> None:
    talk = conversation([exchange(1, ["a" * 1_000]), exchange(2, ["b" * 1_000])])
    talk.messages(0)
    assert texts_of(talk.messages())[0] == "a" * 1_000


def _wire(message: Message) -> dict[str, object]:
    wire: dict[str, object] = {"role": message.role, "content": message.content or None}
    if message.role == "tool":
        wire |= {"tool_call_id": message.tool_call_id, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return wire
