"""The strict server is strict: over real HTTP each rule refuses what breaks it, and what keeps them all is answered."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

import pytest

from tests.engine.chat_models.strict_server.script import Fail, Say, Stall, in_order
from tests.engine.chat_models.strict_server.server import KEY, StrictServer, serving

USER = {"role": "user", "content": "Where is order 17?"}
SYSTEM = {"role": "system", "content": "You help."}
SCHEMA = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}


def call(id: str = "c1", **more: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": "look_up", "arguments": "{}"}, **more}


def calling(*calls: Mapping[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def result(id: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": ""}


def tool(name: str = "look_up", schema: Any = SCHEMA, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": schema, **more}}


def body(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "strict-1", "messages": list(messages) or [USER], **more}


def post(
    server: StrictServer, sent: Any, path: str = "/chat/completions", key: str = KEY, timeout: float = 20.0
) -> tuple[int, Any]:
    request = urllib.request.Request(
        server.url + path, json.dumps(sent).encode(), {"Authorization": f"Bearer {key}"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, {**json.load(refused), "headers": refused.headers}


BROKEN = {
    "an orphaned result": (body(USER, result()), "must be a response to a preceding message"),
    "a result of another call": (body(USER, calling(call()), result("c2")), "must be a response to a preceding"),
    "a result twice": (body(USER, calling(call()), result(), result()), "must be a response to a preceding"),
    "a call without a result": (body(USER, calling(call()), USER), "must be followed by tool messages"),
    "one of two calls without": (body(USER, calling(call(), call("c2")), result(), USER), "did not have response"),
    "an open call at the end": (body(USER, calling(call())), "did not have response messages: c1"),
    "a result after somebody spoke": (body(USER, calling(call()), USER, result()), "must be followed by tool"),
    "two calls with one id": (body(USER, calling(call(), call()), result()), "each needs an id of its own"),
    "a call without an id": (body(USER, calling(call("")), result("")), "each needs an id of its own"),
    "arguments that are no text": (
        body(USER, calling(call(function={"name": "look_up", "arguments": {}})), result()), "arguments as text",
    ),
    "a call of another type": (body(USER, calling(call(type="custom")), result()), "type 'function'"),
    "an answer that says nothing": (body(USER, {"role": "assistant", "content": None}, USER), "needs content"),
    "an unknown role": (body({"role": "boss", "content": "Do it."}), "Supported are"),
    "no content": (body({"role": "user", "content": None}), "expected a string"),
    "the model's word at the end": (body(USER, {"role": "assistant", "content": "Well."}), "the last message"),
    "no messages": ({"model": "strict-1", "messages": []}, "too short - 'messages'"),
    "no model": ({"model": "", "messages": [USER]}, "model parameter"),
    "an unknown field": (body(fee=1), "Unrecognized request arguments: fee"),
    "no tools in the list": (body(tools=[]), "too short - 'tools'"),
    "two tools of one name": (body(tools=[tool(), tool()]), "names must be unique"),
    "a bad name": (body(tools=[tool("look up")]), "does not match"),
    "a name of 65 characters": (body(tools=[tool("a" * 65)]), "does not match"),
    "a tool of another type": (body(tools=[{**tool(), "type": "web"}]), "does not match"),
    "no schema": (body(tools=[tool(schema=None)]), "must be a JSON Schema"),
    "a schema of a list": (body(tools=[tool(schema={"type": "array"})]), "must be a JSON Schema"),
    "a schema that is none": (body(tools=[tool(schema={**SCHEMA, "required": "order"})]), "Invalid schema"),
    "strict with other properties": (body(tools=[tool(strict=True)]), "strict needs every property and no other"),
    "more than the window": (body({"role": "user", "content": "word " * 2_000}), "maximum context length is 1000"),
    "tools that fill the window": (body(tools=[tool(schema={**SCHEMA, "title": "t" * 5_000})]), "maximum context"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_a_rule_is_refused_and_nobody_answers(name: str) -> None:
    sent, told = BROKEN[name]
    with serving(in_order(Say("Never said.")), window=1_000) as server:
        status, answer = post(server, sent)
        assert (status, server.asked, len(server.refusals)) == (400, [], 1)
    assert told in answer["error"]["message"]
    assert answer["error"]["code"] == (
        "context_length_exceeded" if "maximum context" in told else answer["error"]["type"]
    )


def test_what_keeps_all_rules_is_answered() -> None:
    strict = {**SCHEMA, "additionalProperties": False}
    talk = (
        SYSTEM,
        USER,
        calling(call(), call("c2")),
        result("c2"),
        result(),
        {"role": "assistant", "content": "So."},
        USER,
    )
    with serving(in_order(Say("It is shipped."), Say(calls=(("look_up", {"order": "17"}),))), window=1_000) as server:
        status, first = post(server, body(*talk, tools=[tool(), tool("a" * 64, strict, strict=True)]))
        _, second = post(server, body())
        assert server.refusals == []
    assert (status, first["choices"][0]["message"]["content"]) == (200, "It is shipped.")
    assert first["usage"]["prompt_tokens"] > 0
    (called,) = second["choices"][0]["message"]["tool_calls"]
    assert (called["function"]["name"], second["choices"][0]["finish_reason"]) == ("look_up", "tool_calls")


def test_a_wrong_key_and_a_wrong_address_are_refused() -> None:
    with serving(in_order(Say("Never said."))) as server:
        assert post(server, body(), key="sk-other")[0] == 401
        assert post(server, body(), path="/completions")[0] == 404
        assert server.asked == []


def test_failures_come_on_demand() -> None:
    with serving(in_order(Fail(429, "slow down", retry_after=7), Fail(500, "boom"), Stall())) as server:
        too_often, failed = post(server, body()), post(server, body())
        with pytest.raises(TimeoutError):
            post(server, body(), timeout=0.2)
    assert (too_often[0], too_often[1]["headers"]["Retry-After"]) == (429, "7")
    assert (failed[0], failed[1]["error"]["message"]) == (500, "boom")
