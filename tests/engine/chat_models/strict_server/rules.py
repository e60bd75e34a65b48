"""What a provider refuses: the rules of the chat protocol, enforced to the letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

ROLES = ("system", "developer", "user", "assistant", "tool")
FIELDS = frozenset(
    {"model", "messages", "tools", "tool_choice", "stream", "stream_options", "max_completion_tokens", "max_tokens"}
    | {"parallel_tool_calls", "temperature", "store"}
)
_TOOL_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


class Refused(Exception):
    """A request that breaks a rule; `code` as the provider names it."""

    def __init__(self, message: str, code: str = "invalid_request_error", status: int = 400) -> None:
        self.message, self.code, self.status = message, code, status
        super().__init__(message)


def check(body: Mapping[str, Any], window: int) -> None:
    """Raises Refused for whatever is wrong with a request; `window` is in tokens."""
    unknown = sorted(set(body) - FIELDS)
    if unknown:
        raise Refused(f"Unrecognized request arguments: {', '.join(unknown)}")
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise Refused("you must provide a model parameter")
    _check_messages(body.get("messages"))
    _check_tools(body.get("tools"))
    found = tokens(body)
    if found > window:
        message = f"This model's maximum context length is {window} tokens. However, your messages have {found} tokens."
        raise Refused(message, "context_length_exceeded")


def tokens(body: Mapping[str, Any]) -> int:
    """How long the server finds a request: its own count, which is not ours."""
    messages = body["messages"]
    texts = [str(message.get(part) or "") for message in messages for part in ("content", "tool_calls")]
    return len("".join(texts)) // 4 + 3 * len(messages) + len(str(body.get("tools") or "")) // 4


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise Refused("[] is too short - 'messages'")
    open_calls: list[str] = []
    for place, message in enumerate(messages):
        role = message.get("role")
        if role not in ROLES:
            raise Refused(f"Invalid value: {role!r}. Supported are: {', '.join(ROLES)} - 'messages.[{place}].role'")
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                raise Refused(
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with"
                    f" 'tool_calls' - 'messages.[{place}].role'"
                )
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            raise Refused(
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each"
                f" 'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(open_calls)}"
            )
        if role == "assistant":
            open_calls = _calls(message, place)
        elif not isinstance(message.get("content"), str | list):
            raise Refused(f"Invalid type for 'messages[{place}].content': expected a string")
    if open_calls:
        raise Refused(f"The following tool_call_ids did not have response messages: {', '.join(open_calls)}")
    if messages[-1]["role"] in ("assistant", "system", "developer") and len(messages) > 1:
        raise Refused("the last message must be the user's or a tool's")


def _calls(message: Mapping[str, Any], place: int) -> list[str]:
    calls = message.get("tool_calls") or []
    if not calls and not message.get("content"):
        raise Refused(f"'messages[{place}]': an assistant message needs content or tool_calls")
    ids = [call.get("id") for call in calls]
    if len(set(ids)) != len(ids) or not all(isinstance(each, str) and each for each in ids):
        raise Refused(f"'messages[{place}].tool_calls': each needs an id of its own")
    for call in calls:
        if call.get("type") != "function" or not isinstance(call.get("function", {}).get("arguments"), str):
            raise Refused(f"'messages[{place}].tool_calls': type 'function' with arguments as text")
    return ids


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    if not isinstance(tools, list) or not tools:
        raise Refused("[] is too short - 'tools'")
    names = [tool.get("function", {}).get("name") for tool in tools]
    if len(set(names)) != len(names):
        raise Refused("'tools': names must be unique")
    for tool, name in zip(tools, names, strict=True):
        function = tool.get("function", {})
        if tool.get("type") != "function" or not isinstance(name, str) or not _TOOL_NAME.match(name):
            raise Refused(f"Invalid 'tools': {name!r} does not match ^[a-zA-Z0-9_-]{{1,64}}$")
        _check_schema(name, function.get("parameters"), strict=bool(function.get("strict")))


def _check_schema(name: str, schema: Any, *, strict: bool) -> None:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise Refused(f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise Refused(f"Invalid schema for function '{name}': {error.message}") from error
    if strict:
        required = set(schema.get("required", ()))
        if schema.get("additionalProperties") is not False or required != set(schema.get("properties", {})):
            raise Refused(f"Invalid schema for function '{name}': strict needs every property and no other")
