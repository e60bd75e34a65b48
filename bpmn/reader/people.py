"""Who may do a user or manual task."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bpmn.definition import Assignment, Lane
from bpmn.namespaces import GOV, ZEEBE
from bpmn.reader.extensions import extension
from bpmn.reader.performers import read_performers
from bpmn.reader.vendors import family_attribute, is_marked
from bpmn.reader.xml import Xml, attribute

_APART = re.compile(r"[,\n](?![^{}]*\})")
"""Between names; a comma inside of `${...}` is none."""


def read_assignment(task: Xml, lane: Lane | None, resources: Mapping[str, str]) -> Assignment | None:
    """What `gov:assignee`, `gov:candidateUsers`, `gov:candidateGroups` and `gov:due` say, or a dialect in their place,
    or BPMN's own roles, over the file's `resources`; None where all are missing.

    A task that names nobody is offered to the people of its lane.
    """
    assignee, due = _written(task, "assignee"), _written(task, "due", "dueDate")
    users, groups = _names(task, "candidateUsers"), _names(task, "candidateGroups")
    if not (assignee or users or groups):
        roles = read_performers(task, resources)
        assignee, users, groups = roles.assignee, roles.users, roles.groups
    of_lane = lane is not None and not (assignee or users or groups)
    if lane is not None and of_lane:
        groups = (lane.name or lane.id,)
    if not (assignee or users or groups or due):
        return None
    return Assignment(assignee=assignee, users=users, groups=groups, due=due, of_lane=of_lane)


def _written(task: Xml, name: str, family_name: str | None = None) -> str | None:
    """A word that names somebody, or a time, or an expression that gives it."""
    own = attribute(task, name, GOV)
    if own is not None:
        return own
    camunda_8 = (extension(task, ZEEBE, each) for each in ("assignmentDefinition", "taskSchedule"))
    zeebe = (attribute(node, family_name or name) for node in camunda_8 if node is not None)
    return family_attribute(task, family_name or name) or next(filter(None, zeebe), None)


def is_computed(text: str) -> bool:
    """Whether names, or a time, are to be computed first."""
    return is_marked(text)


def _names(task: Xml, name: str) -> tuple[str, ...]:
    text = _written(task, name) or ""
    parts = [text] if text.startswith("=") else _APART.split(text)
    return tuple(filter(None, (part.strip() for part in parts)))
