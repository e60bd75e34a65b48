"""The four tools by name: one implementation for models, Python and the command line (Design: tools and chains)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from governance.tools import branching, compressing, confirming, inspecting
from governance.tools.arguments import BranchArguments, CompressArguments, ConfirmArguments, InspectArguments
from governance.tools.bench import Bench
from governance.tools.confirming import Question
from governance.tools.errors import BadArguments, UnknownTool


@dataclass(frozen=True, slots=True)
class ContextTool:
    """A tool: what models are told of it, its arguments, and what it does."""

    name: str
    arguments: type[BaseModel]
    run: Callable[[Bench, Any], dict[str, Any] | Question]

    @property
    def description(self) -> str:
        return self.arguments.__doc__ or ""

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema, an object's, of the arguments."""
        return self.arguments.model_json_schema()


TOOLS: Final[Mapping[str, ContextTool]] = {
    tool.name: tool
    for tool in (
        ContextTool(inspecting.NAME, InspectArguments, inspecting.inspect),
        ContextTool(compressing.NAME, CompressArguments, compressing.compress),
        ContextTool(branching.NAME, BranchArguments, branching.branch),
        ContextTool(confirming.NAME, ConfirmArguments, lambda bench, asked: confirming.confirm(asked)),
    )
}


def parsed(tool: str, arguments: Mapping[str, Any] | str) -> Any:
    """The arguments of a call, checked; text is read as JSON. Raises UnknownTool and BadArguments."""
    if tool not in TOOLS:
        raise UnknownTool(tool, list(TOOLS))
    given = json_object(tool, arguments)
    try:
        return TOOLS[tool].arguments.model_validate(given)
    except ValidationError as error:
        raise BadArguments(tool, [_told(problem) for problem in error.errors()]) from None


def call(bench: Bench, tool: str, arguments: Mapping[str, Any] | str) -> dict[str, Any] | Question:
    """What the tool gives: a JSON object, or a question that people have to be told or asked. Raises ToolRefused."""
    asked = parsed(tool, arguments)
    return TOOLS[tool].run(bench, asked)


def json_object(tool: str, arguments: Mapping[str, Any] | str) -> dict[str, Any]:
    """Arguments as an object; no text at all is an empty one. Raises BadArguments."""
    if not isinstance(arguments, str):
        return dict(arguments)
    try:
        given = json.loads(arguments or "{}", parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadArguments(tool, [f"the arguments are not JSON: {error}"]) from None
    if not isinstance(given, dict):
        raise BadArguments(tool, [f"the arguments are {type(given).__name__}; allowed: an object"])
    return given


def _told(problem: Any) -> str:
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else str(problem["msg"])


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
