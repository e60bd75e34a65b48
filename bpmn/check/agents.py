"""The activities that agents do."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place
from bpmn.definition import Element
from bpmn.reader.agents import AGENT_JOB


def done_by_agents(place: Place) -> Iterator[Element]:
    """Those of the scope itself."""
    for element in place.scope.elements.values():
        if element.agent is not None or element.job_type == AGENT_JOB:
            yield element
