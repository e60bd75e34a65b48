"""A conversation with a tool, the same with the strict server here and with a real endpoint where one is configured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine.activities.agent import AgentHandler
from engine.models.base import ChatModel, Message, ModelAnswer, StreamingModel, ToolCall
from engine.models.errors import ModelCallFailed
from engine.prompts.assembler import PromptAssembler
from tests.engine.activities.works import Story, a_run, an_element
from tests.engine.chat_models.providers import live, local
from tests.engine.chat_models.requests import LOOK_UP, TALK, a_request
from tests.engine.chat_models.strict_server.script import Say, Turn


def clerk(body: Mapping[str, Any]) -> Turn:
    """Looks up what it is asked, then says what it found."""
    if body["messages"][-1]["role"] == "tool":
        return Say(f"I looked: {body['messages'][-1]['content']}")
    if "Answer with one JSON object" in str(body["messages"][-1]["content"]):
        return Say('{"outputs": {"state": "shipped"}, "decision": "It says so.", "confidence": 1.0}')
    return Say(calls=(("look_up", {"order": "17"}),)) if body.get("tools") else Say("I am a clerk.")


@pytest.fixture(params=["strict", pytest.param("live", marks=pytest.mark.live)])
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatModel]:
    if request.param == "live":
        yield live()
        return
    with local(clerk, monkeypatch) as there:
        yield there.model


def test_text_comes_back(model: ChatModel) -> None:
    answer = model.answer(a_request(messages=(TALK[0], Message("user", "What are you? One sentence."))))
    assert "clerk" in answer.text.lower()
    assert answer.tokens_in > 0


def test_a_tool_is_called_and_its_result_used(model: ChatModel) -> None:
    called = model.answer(a_request(messages=TALK, tools=(LOOK_UP,)))
    assert [call.name for call in called.tool_calls] == ["look_up"]
    done = model.answer(a_request(messages=(*TALK, *_exchange(called)), tools=(LOOK_UP,)))
    assert "shipped" in done.text.lower()


def test_the_same_streamed(model: ChatModel) -> None:
    assert isinstance(model, StreamingModel)
    heard: list[str] = []
    called = model.stream(a_request(messages=TALK, tools=(LOOK_UP,)), heard.append)
    heard.clear()
    done = model.stream(a_request(messages=(*TALK, *_exchange(called)), tools=(LOOK_UP,)), heard.append)
    assert "shipped" in "".join(heard).lower()
    assert "".join(heard) == done.text


def test_two_calls_at_once_and_a_tool_that_gives_nothing(model: ChatModel) -> None:
    both = (TALK[0], Message("user", "Look up the orders 17 and 18, both at once."))
    calls = tuple(ToolCall(f"call_{number}", "look_up", f'{{"order": "{number}"}}') for number in (17, 18))
    found = [Message("tool", text, tool_call_id=call.id) for call, text in zip(calls, ("shipped", ""), strict=True)]
    asked = (*both, Message("assistant", "", calls), *found)
    assert model.answer(a_request(messages=asked, tools=(LOOK_UP,))).text


def test_a_result_without_its_call_is_refused(model: ChatModel) -> None:
    orphan = (*TALK, Message("tool", "shipped", tool_call_id="call_9"))
    with pytest.raises(ModelCallFailed) as failed:
        model.answer(a_request(messages=orphan))
    assert (failed.value.fault, failed.value.tries) == ("refused", 1)


def test_an_agent_does_its_activity(model: ChatModel) -> None:
    """The whole way: prompt, answer, declared outputs."""
    element = an_element("state", name="State of the order", documentation="Say in which state the order is.",
                         outputs={"state": {"type": "string"}})  # fmt: skip
    run = a_run(Story().put(order={"number": 17, "state": "shipped"}), element)
    outcome = AgentHandler(lambda spec: model, PromptAssembler())(run.work)
    assert outcome.problems == ()
    assert "shipped" in outcome.outputs["state"].lower()


def _exchange(called: ModelAnswer) -> list[Message]:
    """The answer as the journal gives it back, and a result for each of its calls."""
    restored = ModelAnswer.from_json(called.to_json())
    results = [Message("tool", '{"state": "shipped"}', tool_call_id=call.id) for call in restored.tool_calls]
    return [restored.as_message(), *results]
