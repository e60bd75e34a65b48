"""Job types: which handler does an activity. One function per dialect."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from bpmn.namespaces import GOV, SPIFFWORKFLOW, ZEEBE
from bpmn.reader.extensions import extension
from bpmn.reader.reading import Reading
from bpmn.reader.tool_boxes import is_agent_job
from bpmn.reader.vendors import family_attribute, family_children, family_elements, unwrapped
from bpmn.reader.xml import Xml, attribute, text_of

JOB_KINDS: Final = frozenset({"task", "serviceTask", "sendTask", "businessRuleTask"})

_CALL: Final = re.compile(r"[$#]\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\(.*\)\s*\}", re.DOTALL)


def _own(activity: Xml) -> str | None:
    return attribute(activity, "jobType", GOV)


def _topic(activity: Xml) -> str | None:
    return family_attribute(activity, "topic")


def _type(activity: Xml) -> str | None:
    """`mail`, `http`, `shell` and the like; `external` says that a topic follows, `dmn` that a decision does."""
    kind = family_attribute(activity, "type")
    return None if kind in ("external", "external-worker", "dmn") else kind


def _class(activity: Xml) -> str | None:
    return family_attribute(activity, "class")


def _expression(activity: Xml) -> str | None:
    """`${bean}` is bean; a call `${bean.method(x)}` is bean.method."""
    return named_by(family_attribute(activity, "delegateExpression", "expression"))


def named_by(expression: str | None) -> str | None:
    """The job type that an expression of a dialect stands for; what is neither name nor call stands as it is."""
    if expression is None:
        return None
    call = _CALL.fullmatch(expression)
    return call[1] if call else unwrapped(expression)



def _zeebe(activity: Xml) -> str | None:
    definition = extension(activity, ZEEBE, "taskDefinition")
    return None if definition is None else attribute(definition, "type")


def _connector(activity: Xml) -> str | None:
    """The id of a connector of Camunda 7's, `http-connector` or `soap-http-connector`."""
    for connector in family_elements(activity, "connector"):
        return text_of(next(family_children(connector, "connectorId"), None))
    return None


def _operator(activity: Xml) -> str | None:
    operator = extension(activity, SPIFFWORKFLOW, "serviceTaskOperator")
    return None if operator is None else attribute(operator, "id")


DIALECTS: Final[dict[str, Callable[[Xml], str | None]]] = {
    "gov:jobType": _own,
    "camunda:topic": _topic,
    "camunda:class": _class,
    "camunda:expression": _expression,
    "camunda:type": _type,
    "camunda:connector": _connector,
    "zeebe:taskDefinition": _zeebe,
    "spiffworkflow:serviceTaskOperator": _operator,
}
"""Each way to write a job type, and the function that reads it from an activity; `camunda:` stands for operaton,
flowable and activiti too. Of one dialect's ways the first counts."""

_OF_DIALECTS: Final = frozenset(DIALECTS) - {"gov:jobType", "camunda:topic", "spiffworkflow:serviceTaskOperator"}


def read_job_type(activity: Xml, kind: str, reading: Reading) -> str | None:
    """The activity's job type; a finding where two dialects disagree or no handler does this kind of activity."""
    for connector in family_elements(activity, "connector"):
        if text_of(next(family_children(connector, "connectorId"), None)) is None:
            reading.error("job-type", "the connector does not say which it is", connector, allowed=("connectorId",))
    written = {name: job for name, read in DIALECTS.items() if (job := read(activity)) is not None}
    for name in [name for name in written if name.startswith("camunda:")][1:]:
        del written[name]
    if not written:
        return None
    if len(set(written.values())) > 1:
        found = ", ".join(f"{name} {job}" for name, job in written.items())
        reading.error("job-type", "two job types disagree", activity, found=found, allowed=("one job type",))
    if kind not in JOB_KINDS and not (kind == "adHocSubProcess" and is_agent_job(next(iter(written.values())))):
        allowed = tuple(sorted(JOB_KINDS))
        if set(written) <= _OF_DIALECTS:
            return None  # A dialect's own matter: user tasks of Camunda 8 are jobs too, and a person does them here.
        reading.error("job-type", "no handler does this kind of activity", activity, found=kind, allowed=allowed)
    return next(iter(written.values()))
