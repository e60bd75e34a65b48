"""Our messages as the library wants them, and its answer as ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_ai import messages as theirs
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from engine.models.base import Message, ModelAnswer, ModelRequest, ToolCall

_PART: Final[TypeAdapter[Any]] = TypeAdapter(theirs.ModelResponsePart)
_NO_CALL: Final = "(a tool)"


def to_theirs(messages: Sequence[Message]) -> list[theirs.ModelMessage]:
    """The conversation; messages in a row that are not the model's become one request."""
    found: list[theirs.ModelMessage] = []
    parts: list[Any] = []
    names: dict[str, str] = {}
    for message in messages:
        if message.role != "assistant":
            parts.append(_request_part(message, names))
            continue
        names.update({call.id: call.name for call in message.tool_calls})
        if parts:
            found.append(theirs.ModelRequest(parts=parts))
            parts = []
        found.append(theirs.ModelResponse(parts=list(_response_parts(message))))
    if parts:
        found.append(theirs.ModelRequest(parts=parts))
    return found


def parameters(request: ModelRequest) -> ModelRequestParameters:
    """The tools that the model may call."""
    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters))
        for tool in request.tools
    ]
    return ModelRequestParameters(function_tools=tools)


def to_ours(response: theirs.ModelResponse, name: str) -> ModelAnswer:
    """The answer, with the provider's own parts kept as they are."""
    usage = response.usage
    return ModelAnswer(
        text="".join(part.content for part in response.parts if isinstance(part, theirs.TextPart)),
        tool_calls=tuple(
            ToolCall(part.tool_call_id, part.tool_name, part.args_as_json_str())
            for part in response.parts
            if isinstance(part, theirs.ToolCallPart)
        ),
        tokens_in=usage.input_tokens,
        tokens_out=usage.output_tokens,
        model=response.model_name or name,
        blocks=tuple(_PART.dump_python(part, mode="json") for part in response.parts),
        cost=_cost(response),
    )


def _request_part(message: Message, names: dict[str, str]) -> Any:
    if message.role == "system":
        return theirs.SystemPromptPart(content=message.content)
    if message.role == "tool":
        call = message.tool_call_id
        return theirs.ToolReturnPart(tool_name=names.get(call, _NO_CALL), content=message.content, tool_call_id=call)
    return theirs.UserPromptPart(content=message.content)


def _response_parts(message: Message) -> Iterator[Any]:
    if message.blocks:
        yield from (_PART.validate_python(block) for block in message.blocks)
        return
    if message.content:
        yield theirs.TextPart(content=message.content)
    for call in message.tool_calls:
        yield theirs.ToolCallPart(tool_name=call.name, args=call.arguments, tool_call_id=call.id)


def _cost(response: theirs.ModelResponse) -> float | None:
    """US dollars as the library's price list has it; a model that it does not have costs nobody knows what."""
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None
