"""Who does a task in BPMN's own words: `performer`, `humanPerformer`, `potentialOwner` (BPMN 2.0, 10.3.2, 10.3.4).

A performer is the assignee; potential owners are candidates, `user(ann), group(sales)` in the words of Activiti and its
heirs, where a name alone is a group. A role names a resource, or holds a text; a text in a language of its own is none
of a person, and not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bpmn.namespaces import BPMN, qualified
from bpmn.reader.xml import Xml, attribute, local_name, text_of

ROLES: Final = ("humanPerformer", "performer", "potentialOwner")
_DONE_BY_PEOPLE: Final = frozenset({"userTask", "manualTask", "globalUserTask", "globalManualTask"})
_CANDIDATE: Final = re.compile(r"(?:(user|group)\(([^()]*)\)\s*|([^,()]+))(?:,|$)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Performers:
    """What the roles of a task come to."""

    assignee: str | None = None
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


def read_performers(task: Xml, resources: Mapping[str, str]) -> Performers:
    """`resources` are the file's, by id with their names."""
    assignee, users, groups = None, list[str](), list[str]()
    for role in task.iterchildren(*(qualified(BPMN, name) for name in ROLES)):
        text = said_of(role, resources)
        if text is None:
            continue
        if local_name(role) != "potentialOwner":
            assignee = assignee or text
            continue
        for kind, inside, alone in _candidates(text):
            (users if kind == "user" else groups).append((inside or alone).strip())
    return Performers(assignee=assignee, users=tuple(users), groups=tuple(groups))


def is_followed(role: Xml, resources: Mapping[str, str]) -> bool:
    """Whether a role says anything of who does its task."""
    holder = role.getparent()
    return holder is not None and local_name(holder) in _DONE_BY_PEOPLE and said_of(role, resources) is not None


def said_of(role: Xml, resources: Mapping[str, str]) -> str | None:
    """The name of the role's resource, or the text of its expression; None where there is neither, or bindings."""
    if role.find(qualified(BPMN, "resourceParameterBinding")) is not None:
        return None
    named = role.find(qualified(BPMN, "resourceRef"))
    if named is not None:
        return resources.get((text_of(named) or "").rpartition(":")[2])
    holder = role.find(qualified(BPMN, "resourceAssignmentExpression"))
    inner = None if holder is None else next(holder.iterchildren(*_EXPRESSIONS), None)
    if inner is None or attribute(inner, "language") is not None:
        return None
    return text_of(inner)


_EXPRESSIONS: Final = tuple(qualified(BPMN, name) for name in ("formalExpression", "expression"))


def resources_of(root: Xml) -> dict[str, str]:
    """The resources of a file by id: their names, or the ids themselves."""
    found = root.iterchildren(qualified(BPMN, "resource"))
    named = ((attribute(each, "id"), attribute(each, "name")) for each in found)
    return {identifier: name or identifier for identifier, name in named if identifier}


def _candidates(text: str) -> Iterator[tuple[str, str, str]]:
    """Kind, name in brackets, name alone; a text of another form is one name."""
    place, found = 0, []
    while place < len(text):
        match = _CANDIDATE.match(text, place)
        if match is None:
            return iter([("group", "", text)])
        found.append((match[1] or "group", match[2] or "", match[3] or ""))
        place = match.end()
    return iter(found)
