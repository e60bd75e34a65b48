"""What designers are told of policies, made of the fields that are read: nothing here says a name or a value twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from bpmn.policies.fields import FIELDS, choices
from governance.policy import ActivityExtensionConfig, Approval, BranchStrategy, KnowledgeRequirement

LABELS: Final[Mapping[str, tuple[str, str]]] = {
    "workingThreshold": ("Working threshold", "How many characters of variables an agent is shown; blank: inherited."),
    "retainKeys": ("Retained keys", "Variables that are always shown in full, separated by commas."),
    "compressStrategy": ("Compression", "How far entries fall when the context is too full."),
    "interactionLevel": ("Interaction level", "From which level on people are involved."),
    "knowledgeRequirements": ("Knowledge", "What is looked for before the activity: type|count|query, one a line."),
    "branchStrategy.split": ("Branches see", "What agents see of the context before a split."),
    "branchStrategy.merge": ("Merge", "How branches that disagree are brought together."),
    "branchStrategy.keys": ("Merge by key", "key=STRATEGY, separated by commas."),
    "budget": ("Budget", "What model calls may use: tokens=20000, cost=0.5, minutes=10."),
    "personalKeys": ("Personal keys", "Variables about a person, separated by commas: masked, erasable."),
    "qtsPreset": ("Weights", "What counts most where entries are ranked for an activity."),
    "zones": ("Zones", "Whether history and knowledge are shown by what they matter now, however old."),
    "accountable": ("Accountable", "The person who answers for what is done here."),
    "riskClass": ("Risk class", "How much harm it can do when it goes wrong."),
    "retention": ("Kept for", "How long an instance is kept once it has ended, on the process: P90D."),
    "informed": ("Informed", "People and roles who are told what became of it, separated by commas."),
    "sla": ("Time allowed", "How long an activity may take from being ready to being done: PT4H."),
    "windowTokens": ("Model window", "How many tokens the model takes."),
}
"""Per field that a designer offers in one line: its label, and what it says."""


@dataclass(frozen=True, slots=True)
class OfferedField:
    """A field as it is offered: `values` are all that it may have, empty where it is text or a number."""

    name: str
    label: str
    description: str
    values: Sequence[str]
    is_number: bool


def offered() -> list[OfferedField]:
    """The fields that a form has room for, in the order of `FIELDS`."""
    return [_offered(name) for name in FIELDS if name in LABELS]


def _offered(name: str) -> OfferedField:
    label, description = LABELS[name]
    path = FIELDS[name].path
    model, attribute = (ActivityExtensionConfig, path[0]) if len(path) == 1 else (BranchStrategy, path[1])
    values = () if name == "branchStrategy.keys" else choices(model, attribute)
    is_number = model.model_fields[attribute].annotation == (int | None)
    return OfferedField(name, label, description, values, is_number)


PARTS: Final[Mapping[str, type[BaseModel]]] = {"knowledgeRequirement": KnowledgeRequirement, "approval": Approval}
"""Child elements of a policy, by the model whose fields are their attributes."""
