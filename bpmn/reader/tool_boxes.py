"""Agents' boxes of tools as Camunda draws them: ad-hoc sub-processes, and what `fromAi(...)` wants from the model.

Sources: Camunda 8 documentation, "AI Agent Sub-process", "AI Agent Task", "Tool definitions" (facts alone).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpmn.definition import AgentConfig, DataMapping, Expression, ToolBoxConfig
from bpmn.namespaces import ZEEBE, qualified
from bpmn.reader.extensions import extension
from bpmn.reader.types import JSON_TYPES
from bpmn.reader.xml import Xml, attribute, local_name

AGENT_TASK: Final = "io.camunda.agenticai:aiagent"
"""Job types that begin so are agents: `...aiagent:1` on a task, `...aiagent-job-worker:1` on an ad-hoc sub-process."""

CALL, RESULT, RESULTS, TURN = "toolCall", "toolCallResult", "toolCallResults", "agent"
"""Camunda's names: a call and its result inside the box, all results, and the variable of the agent's turn."""

_FROM_AI: Final = re.compile(
    r"""fromAi\(\s*(?:value\s*:\s*)?toolCall\.(?P<name>\w+)
        (?:\s*,\s*(?:description\s*:\s*)?"(?P<description>(?:[^"\\]|\\.)*)")?
        (?:\s*,\s*(?:type\s*:\s*)?"(?P<type>\w+)")?""",
    re.VERBOSE,
)
PROMPTS: Final = ("data.systemPrompt.prompt", "data.userPrompt.prompt")
"""Where Camunda puts an agent's prompts; computed ones are data, not orders, for they hold what a process knows."""
_CONNECTOR: Final = ("provider.", "data.", "configuration.")
_LITERAL: Final = re.compile(r'^=\s*"((?:[^"\\]|\\.)*)"\s*$', re.DOTALL)


def is_agent_job(job_type: str | None) -> bool:
    """Whether a job type stands for an agent of Camunda's."""
    return job_type is not None and job_type.startswith(AGENT_TASK)


def read_parameters(activity: Xml) -> Mapping[str, Any] | None:
    """JSON Schema, an object's, of what the model gives an activity by `fromAi(...)`; None where it gives nothing."""
    properties: dict[str, Any] = {}
    for source, _ in _inputs(activity):
        for found in _FROM_AI.finditer(source):
            schema = {"type": found["type"]} if found["type"] in JSON_TYPES else {}
            told = {"description": _unescaped(found["description"])} if found["description"] else {}
            properties[found["name"]] = {**schema, **told}
    if not properties:
        return None
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_agent_job(activity: Xml) -> AgentConfig:
    """The agent of an activity whose job type says that it is Camunda's."""
    given = {target: source for source, target in _inputs(activity)}
    prompt = _text(given.get("data.userPrompt.prompt"))
    system = _text(given.get("data.systemPrompt.prompt"))
    most = _text(given.get("data.limits.maxModelCalls")) or ""
    return AgentConfig(
        prompt="\n\n".join(filter(None, (system, prompt))) or None,
        max_turns=int(most) if most.isdigit() and int(most) else None,
        box=_text(given.get("data.tools.containerElementId")),
        turn=_header(activity, "resultVariable") or TURN,
    )


def agent_inputs(mappings: tuple[DataMapping, ...]) -> tuple[DataMapping, ...]:
    """The input mappings of an agent's job that say something here: prompts that are computed.

    The others set up a connector of Camunda's (`provider.…`, `data.…`), and literal prompts are read already.
    """
    return tuple(
        mapping
        for mapping in mappings
        if not mapping.target.startswith(_CONNECTOR)
        or (mapping.target in PROMPTS and mapping.expression is not None and _text(mapping.expression.text) is None)
    )


def read_tool_box(activity: Xml) -> ToolBoxConfig | None:
    """What `zeebe:adHoc` and `zeebe:loopCharacteristics` say of an ad-hoc sub-process."""
    node = extension(activity, ZEEBE, "adHoc")
    active = None if node is None else attribute(node, "activeElementsCollection")
    marker = next((child for child in activity if local_name(child) == "multiInstanceLoopCharacteristics"), None)
    loop = None if marker is None else extension(marker, ZEEBE, "loopCharacteristics")
    collection = None if loop is None else attribute(loop, "inputCollection")
    if node is None:
        return None
    return ToolBoxConfig(
        active=None if active is None else Expression(text=active, line=node.sourceline),
        collection=None if collection is None else Expression(text=collection, line=node.sourceline),
        results=(None if loop is None else attribute(loop, "outputCollection"))
        or attribute(node, "outputCollection")
        or RESULTS,
    )


def _inputs(activity: Xml) -> Iterator[tuple[str, str]]:
    """(source, target) of each input mapping."""
    holder = extension(activity, ZEEBE, "ioMapping")
    for node in () if holder is None else holder.iter(qualified(ZEEBE, "input")):
        source, target = attribute(node, "source"), attribute(node, "target")
        if source is not None and target is not None:
            yield source, target


def _header(activity: Xml, key: str) -> str | None:
    holder = extension(activity, ZEEBE, "taskHeaders")
    for node in () if holder is None else holder.iter(qualified(ZEEBE, "header")):
        if attribute(node, "key") == key:
            return attribute(node, "value")
    return None


def _text(source: str | None) -> str | None:
    """A mapping's source where it is text or a literal; an expression's value is not known here."""
    if source is None or not source.startswith("="):
        return source
    literal = _LITERAL.match(source)
    if literal is not None:
        return _unescaped(literal[1])
    bare = source[1:].strip()
    return bare if bare.isdigit() else None


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text
