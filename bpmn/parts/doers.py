"""Who does an activity: people, and agents with their tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bpmn.parts.texts import Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Who may do a user or manual task; names, and when it is due, may be expressions.

    Where the file names nobody, `groups` is the lane's name, and anybody may: `of_lane` tells so.
    """

    assignee: str | None = None
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    due: str | None = None
    of_lane: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody it names."""
        return (*((self.assignee,) if self.assignee else ()), *self.users, *self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRef:
    """The form of a person's task that stands in another file.

    `id` is a Camunda form's id, `form` the name of its file, `schema` that of a file with a JSON Schema.
    """

    kind: Literal["id", "form", "schema"]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOffer:
    """An activity that an agent may call: its id is the tool's name, `parameters` a JSON Schema (an object's)."""

    element: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolBoxConfig:
    """What an ad-hoc sub-process says of itself as a box of tools: which are active, the calls it loops over, and the
    variable that takes their results."""

    active: Expression | None = None
    collection: Expression | None = None
    results: str = "toolCallResults"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """`<gov:agent>`: how a model does the activity. Its declared outputs are the element's `outputs_schema`.

    An agent with a `box` calls activities: those on offer. `turn` is the variable that takes each of its turns (the
    calls it asks for, what was said so far), `results` the one that has what the calls came to.
    """

    model: str | None = None
    prompt: str | None = None
    tools: tuple[str, ...] = ()
    max_turns: int | None = None
    max_tokens: int | None = None
    box: str | None = None
    """Id of the ad-hoc sub-process that holds its tools."""
    offers: tuple[ToolOffer, ...] = ()
    turn: str | None = None
    results: str | None = None
