"""Decisions that activities ask for, and what becomes of their results. One function per dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast, get_args

from bpmn.definition import CalledDecision, ResultMapping
from bpmn.namespaces import CAMUNDA, FLOWABLE, GOV, OPERATON, SPIFFWORKFLOW, ZEEBE, qualified
from bpmn.reader.extensions import extension, extensions
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, attribute, text_of

DECISION_KINDS: Final = frozenset({"task", "serviceTask", "businessRuleTask"})

_FLOWABLE_FIELDS: Final = ("decisionTableReferenceKey", "decisionServiceReferenceKey", "decisionReferenceKey")
_UNNAMED: Final = "decisionResult"
"""The variable that Camunda 7 and Operaton give a result without a variable of its own."""


def _own(activity: Xml, reading: Reading) -> CalledDecision | None:
    name = attribute(activity, "decision", GOV)
    if name is None:
        return None
    result = attribute(activity, "resultVariable", GOV)
    default: ResultMapping = "entries" if result is None else "value"
    return CalledDecision(name=name, result=result, mapping=_mapping(activity, GOV, default, reading))


def _camunda(namespace: str) -> Callable[[Xml, Reading], CalledDecision | None]:
    def read(activity: Xml, reading: Reading) -> CalledDecision | None:
        name = attribute(activity, "decisionRef", namespace)
        if name is None:
            return None
        result = attribute(activity, "resultVariable", namespace) or _UNNAMED
        return CalledDecision(name=name, result=result, mapping=_mapping(activity, namespace, "resultList", reading))

    return read


def _mapping(activity: Xml, namespace: str, default: ResultMapping, reading: Reading) -> ResultMapping:
    written = attribute(activity, "mapDecisionResult", namespace)
    if written is None or written in get_args(ResultMapping):
        return cast("ResultMapping | None", written) or default
    allowed = get_args(ResultMapping)
    reading.error("called-decision", "there is no such mapping", activity, found=written, allowed=allowed)
    return default


def _zeebe(activity: Xml, reading: Reading) -> CalledDecision | None:
    called = extension(activity, ZEEBE, "calledDecision")
    name = None if called is None else attribute(called, "decisionId")
    if called is None or name is None:
        return None
    result = attribute(called, "resultVariable")
    return CalledDecision(name=name, result=result, mapping="entries" if result is None else "value")


def _flowable(activity: Xml, reading: Reading) -> CalledDecision | None:
    if attribute(activity, "type", FLOWABLE) != "dmn":
        return None
    fields = {
        attribute(each, "name"): attribute(each, "stringValue") or text_of(each)
        for each in extensions(activity)
        if each.tag == qualified(FLOWABLE, "field")
    }
    name = next((found for key in _FLOWABLE_FIELDS if (found := fields.get(key))), None)
    return None if name is None else CalledDecision(name=name, mapping="entries")


def _spiff(activity: Xml, reading: Reading) -> CalledDecision | None:
    called = extension(activity, SPIFFWORKFLOW, "calledDecisionId")
    name = text_of(called)
    return None if name is None else CalledDecision(name=name, mapping="entries")


DIALECTS: Final[dict[str, Callable[[Xml, Reading], CalledDecision | None]]] = {
    "gov:decision": _own,
    "camunda:decisionRef": _camunda(CAMUNDA),
    "operaton:decisionRef": _camunda(OPERATON),
    "zeebe:calledDecision": _zeebe,
    "flowable:type dmn": _flowable,
    "spiffworkflow:calledDecisionId": _spiff,
}
"""Each way to ask for a decision, and the function that reads it from an activity."""


def read_decision(activity: Xml, kind: str, job: str | None, reading: Reading) -> CalledDecision | None:
    """The decision that an activity asks for; findings where two dialects disagree, or something else does it too."""
    written = {name: called for name, read in DIALECTS.items() if (called := read(activity, reading)) is not None}
    if not written:
        return None
    first = next(iter(written.values()))
    if len({each.name for each in written.values()}) > 1:
        found = ", ".join(f"{name} {each.name}" for name, each in written.items())
        reading.error("called-decision", "two decisions disagree", activity, found=found, allowed=("one decision",))
    if job is not None:
        message = "the activity has a decision and a job type"
        reading.error("called-decision", message, activity, found=f"{first.name} and {job}", allowed=("one of them",))
    if kind not in DECISION_KINDS:
        message, kinds = "no decision does this kind of activity", tuple(sorted(DECISION_KINDS))
        reading.error("called-decision", message, activity, found=kind, allowed=kinds)
    return first
