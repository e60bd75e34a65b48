"""`<gov:agent>`: a model does the activity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from bpmn.definition import AgentConfig
from bpmn.findings import near_match
from bpmn.namespaces import GOV, split
from bpmn.reader.extensions import extension
from bpmn.reader.jobs import JOB_KINDS
from bpmn.reader.outputs import OutputsError, parse_outputs
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, attribute

FIELDS: Final = ("model", "prompt", "tools", "outputs", "maxTurns", "maxTokens")
AGENT_KINDS: Final = JOB_KINDS | {"adHocSubProcess"}
AGENT_JOB: Final = "agent"
"""Job type that means: the model does it, as `<gov:agent>` says or by the activity's documentation."""


def read_agent(activity: Xml, kind: str, reading: Reading) -> tuple[AgentConfig | None, Mapping[str, Any] | None]:
    """The agent of an activity and the JSON Schema of the outputs it declares; None for each that is not there."""
    node = extension(activity, GOV, "agent")
    if node is None:
        return None, None
    if kind not in AGENT_KINDS:
        allowed = tuple(sorted(AGENT_KINDS))
        reading.error("agent", "gov:agent stands on a kind that no agent does", node, found=kind, allowed=allowed)
        return None, None
    _check_fields(node, reading)
    config = AgentConfig(
        model=attribute(node, "model"),
        prompt=attribute(node, "prompt"),
        tools=_tools(node, reading),
        max_turns=reading.count(node, "maxTurns", "agent"),
        max_tokens=reading.count(node, "maxTokens", "agent"),
    )
    return config, _outputs(node, reading)


def _check_fields(node: Xml, reading: Reading) -> None:
    attributes = (split(str(name)) for name in node.keys())  # noqa: SIM118 - an lxml element is no dict
    written = [name if not namespace else f"gov:{name}" for namespace, name in attributes if namespace in ("", GOV)]
    written += [f"<{split(str(child.tag))[1]}>" for child in node]
    for name in written:
        if name not in FIELDS:
            near = near_match(name, FIELDS)
            message = "gov:agent has no such field" + (f"; did you mean {near}?" if near else "")
            reading.error("agent", message, node, found=name, allowed=FIELDS)


def _tools(node: Xml, reading: Reading) -> tuple[str, ...]:
    """The names in `tools`; which tools there are is known when an instance starts."""
    text = attribute(node, "tools")
    names = tuple(filter(None, re.split(r"[,\s]+", text or "")))
    if text is not None and not names:
        reading.error("agent", "tools names none", node, found=text, allowed=("names of tools, with commas between",))
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        message = "tools names one several times"
        reading.error("agent", message, node, found=", ".join(twice), allowed=tuple(dict.fromkeys(names)))
    return tuple(dict.fromkeys(names))


def _outputs(node: Xml, reading: Reading) -> Mapping[str, Any] | None:
    text = attribute(node, "outputs")
    if text is None:
        return None
    try:
        return parse_outputs(text)
    except OutputsError as error:
        reading.error("agent", f"outputs: {error}", node, found=error.found, allowed=error.allowed)
        return None
