"""Event definitions: what an event throws, catches or waits for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from bpmn.cron import is_cron
from bpmn.definition import EventDefinition, EventKind, EventRef, Timer, TimerKind
from bpmn.namespaces import ZEEBE
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.text import read_expression
from bpmn.reader.vendors import family_attribute, is_marked
from bpmn.reader.xml import Xml, attribute, children_by_name, is_true, local_name, text_of

_KINDS: Final[Mapping[str, EventKind]] = {
    "messageEventDefinition": "message",
    "timerEventDefinition": "timer",
    "signalEventDefinition": "signal",
    "errorEventDefinition": "error",
    "escalationEventDefinition": "escalation",
    "conditionalEventDefinition": "conditional",
    "terminateEventDefinition": "terminate",
    "linkEventDefinition": "link",
    "compensateEventDefinition": "compensation",
    "cancelEventDefinition": "cancel",
}

_CODES: Final[Mapping[str, tuple[str, ...]]] = {
    "error": ("errorCodeVariable", "errorVariableName"),
    "escalation": ("escalationCodeVariable",),
}
"""How dialects name the variable that gets the code of what is caught."""

_TIMEDELTA: Final = re.compile(
    r"(?:datetime\.)?timedelta\(\s*((?:(?:weeks|days|hours|minutes|seconds)\s*=\s*\d+(?:\.\d+)?\s*,?\s*)+)\)"
)
_PART: Final = re.compile(r"(\w+)\s*=\s*(\d+(?:\.\d+)?)")
_SIGNS: Final = {"hours": "H", "minutes": "M", "seconds": "S"}

_TIMERS: Final[Mapping[str, TimerKind]] = {"timeDuration": "duration", "timeDate": "date", "timeCycle": "cycle"}


def read_event(event: Xml, reading: Reading, roots: Roots) -> EventDefinition:
    """The definition of a start, end, intermediate or boundary event; of kind `none` where it has none."""
    definitions = tuple(read_definition(node, reading, roots) for node in _definition_nodes(event, reading, roots))
    if not definitions:
        return EventDefinition(kind="none")
    if len(definitions) == 1:
        return definitions[0]
    return EventDefinition(
        kind="multiple",
        definitions=definitions,
        parallel_multiple=is_true(event, "parallelMultiple"),
    )


def message_of(task: Xml, reading: Reading, roots: Roots) -> EventDefinition | None:
    """The message of a send or receive task; None where it names none."""
    reference = attribute(task, "messageRef")
    message = reading.refer(task, "messageRef", reference, roots.messages, "message")
    return EventDefinition(kind="message", ref=message) if message else None


def _definition_nodes(event: Xml, reading: Reading, roots: Roots) -> list[Xml]:
    nodes = []
    for child in event:
        name = local_name(child)
        if name == "eventDefinitionRef":
            known = roots.event_definitions
            reference = reading.refer(child, "eventDefinitionRef", text_of(child), known, "event definition")
            if reference is not None:
                nodes.append(known[reference])
        elif name is not None and name.endswith("EventDefinition"):
            nodes.append(child)
    return nodes


def read_definition(node: Xml, reading: Reading, roots: Roots) -> EventDefinition:
    """One event definition, wherever it stands."""
    name = local_name(node) or ""
    kind = _KINDS.get(name)
    if kind is None:
        reading.error("event-definition", "unknown kind of event", node, found=name, allowed=tuple(_KINDS))
        return EventDefinition(kind="none")
    if kind == "timer":
        return EventDefinition(kind=kind, timer=_timer(node, reading))
    if kind == "conditional":
        condition = children_by_name(node).get("condition", [None])[0]
        return EventDefinition(kind=kind, condition=read_expression(condition, roots.language))
    if kind == "link":
        return EventDefinition(kind=kind, ref=attribute(node, "name"))
    if kind == "compensation":
        wait = attribute(node, "waitForCompletion") not in ("false", "0")
        return EventDefinition(kind=kind, ref=attribute(node, "activityRef"), wait=wait)
    return EventDefinition(
        kind=kind,
        ref=_reference(node, kind, reading, roots),
        code_variable=family_attribute(node, *_CODES.get(kind, ())),
        message_variable=family_attribute(node, "errorMessageVariable") if kind == "error" else None,
    )


def _reference(node: Xml, kind: EventKind, reading: Reading, roots: Roots) -> str | None:
    known: Mapping[str, EventRef] | None = {
        "message": roots.messages,
        "signal": roots.signals,
        "error": roots.errors,
        "escalation": roots.escalations,
    }.get(kind)
    if known is None:
        return None
    reference = reading.refer(node, f"{kind}Ref", attribute(node, f"{kind}Ref"), known, kind)
    if reference is not None:
        _tell_computed(node, known[reference], reading)
    return reference


def _tell_computed(node: Xml, ref: EventRef, reading: Reading) -> None:
    """What begins a process, or catches an error, has no variables to compute a name or code from."""
    around = [local_name(each) or "" for each in node.iterancestors()][:2]
    begins = around == ["startEvent", "process"]
    catches = around[:1] in (["startEvent"], ["boundaryEvent"], ["intermediateCatchEvent"])
    if (ref.computed and begins) or (ref.computed_code and catches):
        what, text = ("name", ref.name) if ref.computed and begins else ("code", ref.code)
        message = f"the {what} is not computed here: it is taken as it stands"
        reading.warning("ignored", message, node, found=text, allowed=("a text",))


def _timer(node: Xml, reading: Reading) -> Timer | None:
    found = [(_TIMERS[name], text_of(child)) for child in node if (name := local_name(child) or "") in _TIMERS]
    quartz = ZEEBE not in reading.root.nsmap.values()
    timers = [
        Timer(kind=kind, text=_unquoted(text), quartz=quartz and kind == "cycle" and _may_be_cron(_unquoted(text)))
        for kind, text in found
        if text
    ]
    if len(timers) > 1:
        several = ", ".join(timer.kind for timer in timers)
        reading.error("timer", "a timer has one of date, duration, cycle", node, found=several, allowed=tuple(_TIMERS))
    return timers[0] if timers else None


def _may_be_cron(text: str) -> bool:
    return is_cron(text) or is_marked(text)


def _unquoted(text: str) -> str:
    """Timer text without what engines ask for that evaluate it as an expression: quotes, or `timedelta(seconds=1)`."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].strip()
    return _span(text) or text


def _span(text: str) -> str | None:
    """A duration in Python's words as ISO 8601; None: it is something else."""
    match = _TIMEDELTA.fullmatch(text)
    parts = {} if match is None else dict(_PART.findall(match[1]))
    if not parts:
        return None
    day = f"{parts['days']}D" if "days" in parts else ""
    time = "".join(f"{parts[name]}{sign}" for name, sign in _SIGNS.items() if name in parts)
    return f"P{parts['weeks']}W" if "weeks" in parts else f"P{day}{'T' if time else ''}{time}"
