"""Requests as agents make them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.models.base import Message, ModelRequest, ToolSpec
from engine.prompts.fence import fenced

LOOK_UP = ToolSpec(
    "look_up",
    "Gives an order by its number.",
    {
        "type": "object",
        "properties": {"order": {"type": "string", "description": "The order's number."}},
        "required": ["order"],
        "additionalProperties": False,
    },
)
TALK = (Message("system", "You are a clerk."), Message("user", "Which state is order 17 in? Look it up."))


def a_request(activity: str = "triage", **fields: Any) -> ModelRequest:
    return ModelRequest(activity=activity, messages=fields.pop("messages", (Message("user", "Hello"),)), **fields)


def asking(
    outputs: Mapping[str, Any] | None, *entries: str, task: str = "", required: list[str] | None = None
) -> ModelRequest:
    """A request for outputs (JSON Schemas by name) with the entries as its only data."""
    schema = None
    if outputs is not None:
        names = list(outputs) if required is None else required
        schema = {"type": "object", "properties": dict(outputs), "required": names}
    messages = (Message("system", "Do it."), Message("user", f"# Data\n{fenced(entries)}\n\n# Task\n{task}"))
    return a_request(messages=messages, task=task, outputs_schema=schema)
