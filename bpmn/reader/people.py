"""Who may do a user or manual task."""

from __future__ import annotations

import re

from bpmn.definition import Assignment, Lane
from bpmn.namespaces import GOV
from bpmn.reader.xml import Xml, attribute


def read_assignment(task: Xml, lane: Lane | None) -> Assignment | None:
    """What `gov:assignee`, `gov:candidateUsers`, `gov:candidateGroups` and `gov:due` say; None where all are missing.

    A task that names nobody is offered to the people of its lane.
    """
    assignee, due = attribute(task, "assignee", GOV), attribute(task, "due", GOV)
    users, groups = _names(task, "candidateUsers"), _names(task, "candidateGroups")
    of_lane = lane is not None and not (assignee or users or groups)
    if lane is not None and of_lane:
        groups = (lane.name or lane.id,)
    if not (assignee or users or groups or due):
        return None
    return Assignment(assignee=assignee, users=users, groups=groups, due=due, of_lane=of_lane)


def _names(task: Xml, name: str) -> tuple[str, ...]:
    parts = re.split(r"[,\n]", attribute(task, name, GOV) or "")
    return tuple(filter(None, (part.strip() for part in parts)))
