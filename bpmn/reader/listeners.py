"""Listeners of all dialects, and the scripts that SpiffArena runs before and after an activity."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bpmn.definition import Listener, Script
from bpmn.namespaces import SPIFFWORKFLOW, ZEEBE, qualified
from bpmn.parts.listeners import Moment
from bpmn.reader.extensions import extension, is_extended
from bpmn.reader.jobs import named_by
from bpmn.reader.kinds import FLOW_NODES
from bpmn.reader.mappings import fields_of
from bpmn.reader.text import script_of
from bpmn.reader.vendors import family_children, family_elements
from bpmn.reader.xml import Xml, attribute, local_name

LISTENERS: Final = frozenset(
    {"executionListener", "executionListeners", "taskListener", "taskListeners", "preScript", "postScript"}
)
"""The vendors' names of what is read here."""
LISTENED_TO: Final = FLOW_NODES | {"sequenceFlow", "process"}
"""What may have them."""

_TASK: Final[dict[str, Moment]] = {
    "create": "before", "creating": "before", "complete": "after", "completing": "after",
}  # fmt: skip
_EXECUTION: Final[dict[str, Moment]] = {"start": "before", "end": "after", "take": "take"}
_SET: Final = re.compile(
    r"[$#]\{\s*execution\.setVariable(?:Local)?\(\s*(['\"])(?P<name>\w+)\1\s*,(?P<value>.*)\)\s*\}", re.DOTALL
)


def read_listeners(node: Xml) -> tuple[Listener, ...]:
    """In the order in which they are run: a task's own moments lie inside those of its execution."""
    if not is_extended(node):
        return ()
    around = [*_family(node, "executionListener", _EXECUTION), *_zeebe(node, "executionListener", _EXECUTION)]
    inside = [*_family(node, "taskListener", _TASK), *_zeebe(node, "taskListener", _TASK), *_scripts(node)]
    before = [each for each in around if each.moment != "after"]
    return (*before, *inside, *(each for each in around if each.moment == "after"))


def _family(node: Xml, name: str, moments: dict[str, Moment]) -> Iterator[Listener]:
    """`camunda:executionListener`, `camunda:taskListener` and their like; without an event a flow's is told of it."""
    for each in family_elements(node, name):
        event = attribute(each, "event") or ("take" if local_name(node) == "sequenceFlow" else "start")
        script = _script(each)
        elsewhere = script is None and _is_script(each)
        expression = attribute(each, "delegateExpression") or attribute(each, "expression")
        yield Listener(
            event=f"{event}, a script without text" if elsewhere else event,
            moment=None if elsewhere else moments.get(event),
            script=script,
            job_type=None if script is not None or elsewhere else attribute(each, "class") or named_by(expression),
            inputs=() if script is not None else tuple(fields_of(family_children(each, "field"))),
            line=each.sourceline,
        )


def _script(listener: Xml) -> Script | None:
    """A script inside, one in Flowable's fields, or `${execution.setVariable(...)}`."""
    inner = next(family_children(listener, "script"), None)
    if inner is not None:
        return script_of(inner, attribute(inner, "scriptFormat") or attribute(inner, "language"))
    if _is_script(listener):
        fields = {attribute(each, "name"): each for each in family_children(listener, "field")}
        text, language = fields.get("script"), fields.get("language")
        return None if text is None else script_of(text, None if language is None else _value(language))
    return set_by(attribute(listener, "expression") or "", listener.sourceline)


def set_by(expression: str, line: int | None) -> Script | None:
    """What `${execution.setVariable('x', ...)}` sets, as a script; None for any other expression."""
    setting = _SET.fullmatch(expression.strip())
    if setting is None:
        return None
    return Script(text=f"${{{setting['value'].strip()}}}", language="juel", line=line, result=setting["name"])


def _is_script(listener: Xml) -> bool:
    told = attribute(listener, "type") == "script" or next(family_children(listener, "script"), None) is not None
    return told or (attribute(listener, "class") or "").endswith((".ScriptExecutionListener", ".ScriptTaskListener"))


def _value(field: Xml) -> str | None:
    return attribute(field, "stringValue") or "".join(field.itertext()).strip() or None


def _zeebe(node: Xml, name: str, moments: dict[str, Moment]) -> Iterator[Listener]:
    """Jobs, by their types."""
    holder = extension(node, ZEEBE, f"{name}s")
    for each in () if holder is None else holder.iter(qualified(ZEEBE, name)):
        event = attribute(each, "eventType") or ""
        job = attribute(each, "type")
        yield Listener(event=event, moment=moments.get(event), job_type=job, line=each.sourceline)


def _scripts(node: Xml) -> Iterator[Listener]:
    """`spiffworkflow:preScript` and `postScript`, in Python; empty ones are left by the designer."""
    moments: tuple[tuple[str, Moment], ...] = (("preScript", "before"), ("postScript", "after"))
    for name, moment in moments:
        inner = extension(node, SPIFFWORKFLOW, name)
        script = None if inner is None else script_of(inner, "python")
        if script is not None:
            yield Listener(event=name, moment=moment, script=script, line=script.line)
