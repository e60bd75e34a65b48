"""Job types: which handler does an activity. One function per dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bpmn.namespaces import CAMUNDA, GOV, OPERATON, ZEEBE
from bpmn.reader.extensions import extension
from bpmn.reader.reading import Reading
from bpmn.reader.xml import Xml, attribute

JOB_KINDS: Final = frozenset({"task", "serviceTask", "sendTask", "businessRuleTask"})


def _own(activity: Xml) -> str | None:
    return attribute(activity, "jobType", GOV)


def _camunda(activity: Xml) -> str | None:
    return attribute(activity, "topic", CAMUNDA)


def _operaton(activity: Xml) -> str | None:
    return attribute(activity, "topic", OPERATON)


def _zeebe(activity: Xml) -> str | None:
    definition = extension(activity, ZEEBE, "taskDefinition")
    return None if definition is None else attribute(definition, "type")


DIALECTS: Final[dict[str, Callable[[Xml], str | None]]] = {
    "gov:jobType": _own,
    "camunda:topic": _camunda,
    "operaton:topic": _operaton,
    "zeebe:taskDefinition": _zeebe,
}
"""Each way to write a job type, and the function that reads it from an activity."""


def read_job_type(activity: Xml, kind: str, reading: Reading) -> str | None:
    """The activity's job type; a finding where two dialects disagree or no handler does this kind of activity."""
    written = {name: job for name, read in DIALECTS.items() if (job := read(activity)) is not None}
    if not written:
        return None
    if len(set(written.values())) > 1:
        found = ", ".join(f"{name} {job}" for name, job in written.items())
        reading.error("job-type", "two job types disagree", activity, found=found, allowed=("one job type",))
    if kind not in JOB_KINDS:
        allowed = tuple(sorted(JOB_KINDS))
        reading.error("job-type", "no handler does this kind of activity", activity, found=kind, allowed=allowed)
    return next(iter(written.values()))
