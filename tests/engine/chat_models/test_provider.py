"""A provider's model over real HTTP: what goes out keeps the provider's rules, what comes back is all there."""

from __future__ import annotations

import pytest
from pydantic_ai import messages as theirs

from engine.models.base import Message, ModelAnswer, ToolCall, ToolSpec
from engine.models.choose import model_from
from engine.models.errors import ModelCallFailed, ModelNotReady, UnknownModel
from engine.models.provider.conversation import to_ours, to_theirs
from engine.models.retrying import RetryPlan
from tests.engine.chat_models.providers import local
from tests.engine.chat_models.requests import LOOK_UP, TALK, a_request
from tests.engine.chat_models.strict_server.script import Break, Drip, Fail, Say, Stall, in_order
from tests.engine.chat_models.strict_server.server import KEY

CALL = Say("Let me see.", (("look_up", {"order": "17"}),))


def test_text_tokens_and_name_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with local(in_order(Say("It is shipped.")), monkeypatch) as there:
        answer = there.model.answer(a_request(messages=TALK, max_tokens=50))
    assert (answer.text, answer.model, answer.tries) == ("It is shipped.", "strict-1", 1)
    assert answer.tokens_in > 0
    assert answer.tokens_out > 0
    assert answer.cost is None, "nobody has a price for this model"
    body = there.server.asked[0]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body.get("max_completion_tokens", body.get("max_tokens")) == 50


def test_a_known_model_has_a_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    with local(in_order(Say("Yes.")), monkeypatch):
        answer = model_from("openai:gpt-4o-mini").answer(a_request())
    assert answer.cost is not None
    assert answer.cost > 0


def test_a_conversation_with_tools_keeps_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    with local(in_order(CALL, Say("Shipped.")), monkeypatch) as there:
        called = there.model.answer(a_request(messages=TALK, tools=(LOOK_UP,)))
        assert called.tool_calls == (ToolCall("call_1_1", "look_up", '{"order":"17"}'),)
        result = Message("tool", "", tool_call_id="call_1_1")
        restored = ModelAnswer.from_json(called.to_json())
        done = there.model.answer(a_request(messages=(*TALK, restored.as_message(), result), tools=(LOOK_UP,)))
    assert done.text == "Shipped."
    assert there.server.refusals == []
    assert there.server.asked[1]["messages"][-1] == {"role": "tool", "tool_call_id": "call_1_1", "content": ""}


def test_an_orphaned_result_is_refused_and_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    orphan = (*TALK, Message("tool", "shipped", tool_call_id="call_9"))
    with local(in_order(CALL), monkeypatch) as there:
        with pytest.raises(ModelCallFailed, match="preceding message") as failed:
            there.model.answer(a_request(messages=orphan))
        assert there.server.asked == []
    assert (failed.value.fault, failed.value.tries, there.waits) == ("refused", 1, [])


def test_a_bad_schema_of_a_tool_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ToolSpec("look_up", "", {"type": "object", "properties": {"order": {"type": "txt"}}})
    with local(in_order(CALL), monkeypatch) as there, pytest.raises(ModelCallFailed, match="Invalid schema"):
        there.model.answer(a_request(tools=(wrong,)))


def test_what_is_longer_than_the_window_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    with local(in_order(CALL), monkeypatch, window=50) as there, pytest.raises(ModelCallFailed) as failed:
        there.model.answer(a_request(messages=(Message("user", "word " * 200),)))
    assert failed.value.fault == "context_length"


def test_rate_limits_and_failing_servers_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = in_order(Fail(429, "slow down", retry_after=7), Fail(500), Fail(503), Say("At last."))
    with local(turns, monkeypatch) as there:
        answer = there.model.answer(a_request())
    assert (answer.text, answer.tries) == ("At last.", 4)
    assert there.waits == [7.0, 2.0, 4.0], "what the provider asks for, else twice the last"


def test_it_gives_up_after_so_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = RetryPlan(tries=3)
    with local(in_order(*[Fail(500, "boom")] * 5), monkeypatch, plan=plan) as there:
        with pytest.raises(ModelCallFailed, match=r"overloaded after 3 tries: HTTP 500: boom"):
            there.model.answer(a_request())
        assert len(there.server.asked) == 3, "the library does not try by itself"


def test_a_wait_that_is_too_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    tomorrow = in_order(Fail(429, "tomorrow", retry_after=86_400))
    with local(tomorrow, monkeypatch) as there, pytest.raises(ModelCallFailed) as failed:
        there.model.answer(a_request())
    assert (failed.value.fault, failed.value.retry_after, there.waits) == ("rate_limit", 86_400, [])


def test_an_answer_that_does_not_come_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    with local(in_order(Stall(), Say("Now.")), monkeypatch, timeout=0.3) as there:
        assert there.model.answer(a_request()).tries == 2


def test_an_answer_that_has_no_end_is_a_timeout_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something comes all the time, so that nobody waits long for the next piece."""
    heard: list[str] = []
    with local(in_order(Drip(0.02), Say("Now.")), monkeypatch, timeout=0.5) as there:
        assert there.model.stream(a_request(), heard.append).tries == 2
    assert "." in heard


def test_nobody_there_is_a_connection_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    with local(in_order(), monkeypatch) as there:
        there.server.close()
        with pytest.raises(ModelCallFailed) as failed:
            there.model.answer(a_request())
    assert failed.value.fault == "connection"
    assert len(there.waits) == 4


def test_no_key_is_told_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "sk-wrong-ABCDEFGHIJKL"
    with local(in_order(), monkeypatch, key=wrong) as there, pytest.raises(ModelCallFailed) as failed:
        there.model.answer(a_request())
    assert failed.value.fault == "credentials"
    assert "[hidden]" in str(failed.value)
    assert wrong not in str(failed.value)
    assert KEY not in str(failed.value)


def test_what_looks_like_a_key_is_told_to_nobody_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that stands in no variable of ours: a provider may say whose it took it for."""
    turns = in_order(Fail(400, "no such project of sk-other-ABCDEFGHIJ"))
    told = pytest.raises(ModelCallFailed, match=r"no such project of \[hidden\]")
    with local(turns, monkeypatch) as there, told:
        there.model.answer(a_request())


def test_a_provider_s_own_parts_go_back_to_it_as_they_were() -> None:
    """Its reasoning, signed, stands before the call that it led to; a restart between the two changes nothing."""
    thinking = theirs.ThinkingPart(content="First the order.", signature="c2lnbmVk", provider_name="anthropic")
    call = theirs.ToolCallPart(tool_name="look_up", args='{"order":"17"}', tool_call_id="call_1_1")
    answer = to_ours(theirs.ModelResponse(parts=[thinking, call], model_name="m"), "m")
    restored = ModelAnswer.from_json(answer.to_json())
    result = Message("tool", "shipped", tool_call_id="call_1_1")
    [_, said, heard] = to_theirs([*TALK, restored.as_message(), result])
    assert said.parts == [thinking, call]
    assert [(part.tool_call_id, part.tool_name) for part in heard.parts] == [("call_1_1", "look_up")]  # type: ignore[union-attr]


def test_text_is_heard_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    said = Say("It was shipped on Monday, by sea.", (("look_up", {"order": "17"}),))
    with local(in_order(said), monkeypatch) as there:
        answer = there.model.stream(a_request(messages=TALK, tools=(LOOK_UP,)), heard.append)
    assert "".join(heard) == answer.text == said.text
    assert len(heard) > 1
    assert [call.name for call in answer.tool_calls] == ["look_up"]
    assert answer.tokens_in > 0


def test_an_answer_that_breaks_off_is_asked_for_again_and_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    said = Say("It was shipped on Monday, by sea.")
    with local(in_order(Break("It was"), said), monkeypatch) as there:
        answer = there.model.stream(a_request(messages=TALK), heard.append)
    assert (answer.text, answer.tries, len(there.waits)) == (said.text, 2, 1)
    assert "".join(heard).endswith(said.text)


def test_a_missing_key_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ModelNotReady, match="OPENAI_API_KEY"):
        model_from("openai:gpt-4o-mini")


def test_a_timeout_is_a_number_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GOVERNOR_MODEL_TIMEOUT", "soon")
    with pytest.raises(ModelNotReady, match="'soon'; allowed: a number of seconds above 0"):
        model_from("openai:gpt-4o-mini")


def test_a_misspelt_provider_is_told_with_the_near_one() -> None:
    with pytest.raises(UnknownModel, match=r"offline, replay:FILE, openai:NAME"):
        model_from("opnai:gpt-4o-mini")
