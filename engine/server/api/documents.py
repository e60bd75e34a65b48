"""The JSON documents of the API, as the OpenAPI document tells them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from engine.result import RunResult
from engine.store.advance import InstanceRecord
from engine.store.deployments import Version
from governance.human_loop.intervention import Decision

Text = Annotated[str, StringConstraints(max_length=20_000, pattern=r"^[^\x00]*$")]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")]
Json = dict[str, Any]
"""A JSON object whose fields the reference of the library tells."""
Values = dict[Word, JsonValue]


class Given(BaseModel):
    """What a request carries; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What went wrong (RFC 9457). Further fields are its facts."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str


class InstanceDocument(BaseModel):
    """An instance. `due` is when its next timer fires, `version` grows with every advance."""

    id: str
    definition: str
    process: str
    status: str
    reason: str | None
    starter: str | None
    version: int
    due: datetime | None
    created_at: str
    updated_at: str

    @classmethod
    def of(cls, record: InstanceRecord) -> InstanceDocument:
        return cls(**{name: getattr(record, name) for name in cls.model_fields})


class InstancePage(BaseModel):
    """Instances, newest first; `next` is the `before` of the page after this one, None: there is none."""

    instances: list[InstanceDocument]
    next: str | None


class ResultDocument(BaseModel):
    """What an instance came to so far, as `governor show --json` tells it."""

    instance: str
    status: str
    reason: str | None
    variables: Json
    differing: Json
    decisions: Json
    conflicts: list[Json]
    interventions: list[Json]
    dead_ends: list[Json]
    waiting: list[Json]
    incidents: list[Json]
    measures: Json

    @classmethod
    def of(cls, result: RunResult) -> ResultDocument:
        return cls(**result.to_json())


class EventDocument(BaseModel):
    """One event of an instance's log."""

    seq: int
    at: str
    type: str
    element: str | None
    branch: str
    data: Json


class EventPage(BaseModel):
    """Events in order; `next` is the `after` of the page after this one, None: these are all."""

    events: list[EventDocument]
    next: int | None


class VersionDocument(BaseModel):
    """A version of a process: `definition` is the hash of the definition that it is.

    `reason` and `seen`: why it is right, and the hash of the changes that were looked at, where design time asked.
    """

    process: str
    version: int
    definition: str
    name: str
    file: str
    at: str
    by: str
    reason: str | None
    seen: str | None

    @classmethod
    def of(cls, version: Version) -> VersionDocument:
        return cls(**asdict(version))


class VersionList(BaseModel):
    versions: list[VersionDocument]


class Start(Given):
    """Starts an instance of a version of a process."""

    process: Word = Field(description="The id of a process that was deployed.")
    version: int | None = Field(default=None, ge=1, le=2**31, description="None: the last one.")
    variables: Values = Field(default_factory=dict)
    simulate: bool = Field(default=False, description="Placeholders in place of what agents and services would do.")


class Begun(BaseModel):
    """An instance that was started, and may still be on its way."""

    instance: str


class Said(Given):
    """Why something is done."""

    reason: Text = ""


class Message(Given):
    """A message for an instance."""

    name: Word
    payload: Values = Field(default_factory=dict)
    key: str | int | float | bool | None = Field(default=None, description="Its correlation key.")
    keep_seconds: int | None = Field(
        default=None, ge=1, le=31_536_000, description="How long to keep it where nothing waits for it; none: refused."
    )


class Signal(Given):
    """A signal for all instances that wait for it."""

    name: Word
    payload: Values = Field(default_factory=dict)


class Answer(Given):
    """A decision about an intervention."""

    decision: Decision
    reason: Text = ""
    values: Values | None = None
    shown_hash: Word | None = Field(default=None, description="Of what was seen: no answer to anything else.")


class ClaimDocument(BaseModel):
    """Who is at something, since when."""

    by: str
    at: str


class Delegate(Given):
    """Hands an intervention to one person."""

    to: Word
    reason: Text = ""


class Complete(Given):
    """The outputs of a task that is done."""

    outputs: Values = Field(default_factory=dict)


class PutBack(Given):
    """Puts a context back to an earlier snapshot, as a new one on top."""

    snapshot: Word = Field(description="Its id, the beginning of it, a branch, or `head`.")
    branch: str | None = Field(default=None, max_length=2_000, description="Whose context; none: the only one.")


class ToolCall(Given):
    """A call of one of governance's tools."""

    arguments: Values = Field(default_factory=dict)
    branch: str | None = Field(default=None, max_length=2_000, description="Whose context; none: the only one.")


class Checkable(Given):
    """A BPMN file to look at."""

    file: Word = Field(default="process.bpmn", description="What to call it in findings.")
    source: str = Field(max_length=8_000_000, description="Its XML.")
    process: Word | None = Field(default=None, description="Which process to start, where the file leaves a choice.")


class Deploy(Checkable):
    """A BPMN file to keep as a version of its process."""

    seen: Word | None = Field(default=None, description="The hash of the changes that were looked at, as compared.")
    reason: Text = Field(default="", description="Why it is right, where an approval is needed.")


class FindingDocument(BaseModel):
    """A finding: a rule, where, what was found and what is allowed."""

    model_config = ConfigDict(extra="allow")

    rule: str
    severity: Literal["error", "warning"]
    message: str


class CheckDocument(BaseModel):
    """What checking a file came to; with errors it cannot be run."""

    process: str | None
    errors: int
    warnings: int
    findings: list[FindingDocument]
    review: Json = Field(description="Where it stands in the human loop at design time, by itself.")
    policies: list[Json]
