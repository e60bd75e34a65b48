"""What the registry is told and what it tells: attempts, facts, dead ends, matches (Design: CDA, dead ends)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from governance.summaries.sentences import full_stop

Source = Literal["activity", "tool", "rejection", "error", "model", "operator"]
"""Who registered a dead end: a failed activity or tool, a rejected approval, an error event, a model, a person."""

FactKind = Literal["failed", "worked", "alternative", "retired"]
Status = Literal["active", "worked", "retired", "expired"]
Verdict = Literal["none", "told", "refused"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Signature(BaseModel):
    """What makes two attempts the same: the action, the hash of its normalised arguments, the state it met.

    `hidden` is the hash of the arguments that are not kept: however alike the others are, these must be the same.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: Name
    arguments: str
    state: str = ""
    hidden: str = ""


class DeadEndFact(BaseModel):
    """One line of the registry's log, never changed: a dead end is what its facts come to.

    `failed` carries the signature, and `text`, the normalised arguments as far as they may be kept; `alternative`
    what worked instead; `worked` and `retired` end it. `at` is a fixed-width UTC timestamp, `session` the instance
    or conversation it happened in, `scope` the process. `blamed` are hashes of
    what in the arguments it failed for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FactKind
    id: str
    at: str
    scope: str
    signature: Signature
    session: str = ""
    reason: str = ""
    by: str = ""
    source: Source | None = None
    text: str = ""
    trace: JsonValue = None
    blamed: tuple[str, ...] = ()


class DeadEnd(BaseModel):
    """A way that is known to lead nowhere.

    `failures` are the times of the last failures, oldest first; `frequency` counts all since it was last proved
    wrong. `alternative` is what worked instead. `ended_at`, `ended_by`, `ended_why`: it no longer counts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    session: str
    scope: str
    signature: Signature
    trace: JsonValue
    reason: str
    source: Source
    created_at: str
    frequency: int = Field(ge=1)
    failures: tuple[str, ...]
    text: str = ""
    blamed: tuple[str, ...] = ()
    alternative: str | None = None
    status: Literal["active", "worked", "retired"] = "active"
    ended_at: str | None = None
    ended_by: str | None = None
    ended_why: str | None = None

    @property
    def last_at(self) -> str:
        return self.failures[-1]

    def line(self) -> str:
        """The one line that stands for it in a prompt."""
        tried = describe(self.signature.action) + (f" with {self.text}" if self.text else "")
        told = full_stop(f"Tried: {tried}") + full_stop(f" Failed because: {self.reason or 'no reason was given'}")
        return told + (full_stop(f" What worked instead: {self.alternative}") if self.alternative else "")


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something about to be done, or done: `action` is what (`activity:ID`, `tool:NAME`, `strategy:NAME`).

    `arguments` are JSON; only their hash is kept. `public` are those of them that may be kept and compared; None:
    none. `state` is the hash of the state it meets (`state_of`), `scope` the process it belongs to.
    """

    action: str
    arguments: Any = None
    state: str = ""
    scope: str = ""
    public: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """What the registry says of an attempt. `weight` is what the attempt counts, 1.0 where nothing is known."""

    verdict: Verdict
    similarity: float = 0.0
    weight: float = 1.0
    dead_end: DeadEnd | None = None

    @property
    def told(self) -> str:
        """The reason, and what worked instead; "" where nothing matched."""
        return "" if self.dead_end is None else self.dead_end.line()


class Key(NamedTuple):
    """Where dead ends that may match an attempt stand together; `scope` is None where all processes share them."""

    scope: str | None
    action: str
    state: str


NO_MATCH: Final = Match("none")


def describe(action: str) -> str:
    """An action in words: `the tool search`."""
    kind, _, name = action.partition(":")
    return f"the {kind} {name}" if name else action
