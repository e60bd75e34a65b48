"""The tools of one agent: governance's, and handlers that the process names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from bpmn.findings import near_match
from engine.activities.errors import UnknownTools
from engine.activities.job import ServiceHandler
from engine.activities.registry import HandlerRegistry
from engine.activities.tools.declared import ToolDeclaration, declaration_of
from engine.models.base import ToolSpec
from governance.tools.toolbox import TOOLS
from governance.vocabulary import Effect

_NOT_IN_A_NAME: Final = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME: Final = 64


@dataclass(frozen=True, slots=True)
class BoxedTool:
    """A tool in the box. `name` is the process's word for it; `handler` None: it is one of governance's four."""

    name: str
    declaration: ToolDeclaration
    handler: ServiceHandler | None

    def spec(self, offered_as: str) -> ToolSpec:
        return ToolSpec(offered_as, self.declaration.description or self.name, self.declaration.parameters)


class ToolBox:
    """Finds the tools that an activity names: governance's by name or glob (`context_*`), handlers by job type."""

    def __init__(self, registry: HandlerRegistry) -> None:
        self._registry = registry

    def tools(self, names: Iterable[str], element: str) -> dict[str, BoxedTool]:
        """By the name that models are told. Raises UnknownTools."""
        found: dict[str, BoxedTool] = {}
        unknown = []
        for name in names:
            own = [tool for tool in TOOLS if fnmatchcase(tool, name)]
            for tool in own:
                found[tool] = governance_tool(tool)
            handler = None if own else self._registry.find(name)
            if handler is not None:
                found[_offered(name, found)] = BoxedTool(name, declaration_of(handler), handler)
            elif not own:
                unknown.append(name)
        if unknown:
            known = [*TOOLS, *self._registry.job_types()]
            raise UnknownTools(element, unknown, known, near_match(unknown[0], known))
        return found


def governance_tool(name: str) -> BoxedTool:
    """One of the four; they act on the context alone."""
    tool = TOOLS[name]
    return BoxedTool(name, ToolDeclaration(tool.description, Effect.READ, tool.schema, _public(name)), None)


def _public(name: str) -> tuple[str, ...]:
    """Arguments of governance's tools hold no data, but for the texts of questions."""
    fields = TOOLS[name].arguments.model_fields
    return tuple(field for field in fields if field not in ("message", "diff_content", "options"))


def _offered(name: str, taken: Mapping[str, BoxedTool]) -> str:
    """A name that every provider takes: letters, digits, `_` and `-`, at most 64."""
    plain = _NOT_IN_A_NAME.sub("_", name)[:_LONGEST_NAME]
    number, offered = 2, plain
    while offered in taken and taken[offered].name != name:
        tail = f"_{number}"
        offered, number = plain[: _LONGEST_NAME - len(tail)] + tail, number + 1
    return offered
