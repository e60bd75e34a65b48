"""What was done well or badly, and what is learned from it (Design: CDA, hot experience)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from governance.policy import Share
from governance.summaries.sentences import full_stop

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Phase = Literal["bootstrap", "assemble", "ingest", "after_turn", "compact"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Experience(_Model):
    """One time that a tool was used: `hit` if it worked, and then how well it kept to its task (`alignment`).

    `tool` is what was done (`activity:ID`, `tool:NAME`), `features` what it was done with, in order of the alphabet.
    `steps` are those it took, `told` says in a line what it came to, of a miss why. `at` is a fixed-width UTC
    timestamp.
    """

    tool: Name
    features: tuple[Name, ...]
    hit: bool
    at: str
    alignment: Share = 0.0
    steps: tuple[str, ...] = ()
    told: str = ""
    session: str = ""
    scope: str = ""


class ExperienceSource(Protocol):
    """What is stored of experience already."""

    def recent(self, scope: str, tool: str) -> Sequence[Experience]:
        """The last experiences with a tool in a process, oldest first."""
        ...

    def skills(self, scope: str | None = None) -> Sequence[Skill]:
        """The skills of a process and those of none; None: all."""
        ...


class Preconditions(_Model):
    """When a skill is of use: in which phase, on what evidence (`tool` and features, or words of the task)."""

    phase: Phase = "assemble"
    evidence: tuple[Name, ...] = Field(min_length=1)


class ExecutionPattern(_Model):
    """What is done: steps in order, and by the name of a step (`after_STEP`) what follows it."""

    steps: tuple[Name, ...] = Field(min_length=1)
    transitions: Mapping[str, str] = Field(default_factory=dict)


class Boundaries(_Model):
    """Where it holds, and where not."""

    valid_conditions: tuple[str, ...] = ()
    invalid_conditions: tuple[str, ...] = ()


class OutcomeTags(_Model):
    """What it came to where it worked, and where it did not."""

    success_patterns: tuple[str, ...] = ()
    failure_patterns: tuple[str, ...] = ()


class Skill(_Model):
    """A way that has proved itself, in a form of its own: it can be taken to another system (CDA, principle 11)."""

    id: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]
    preconditions: Preconditions
    execution_pattern: ExecutionPattern
    boundaries: Boundaries = Boundaries()
    outcome_tags: OutcomeTags = OutcomeTags()

    def line(self) -> str:
        """The one line that stands for it in a prompt."""
        told = full_stop(f"Worked before: {' -> '.join(self.execution_pattern.steps)}")
        if self.boundaries.valid_conditions:
            told += full_stop(f" Holds for: {'; '.join(self.boundaries.valid_conditions)}")
        if self.boundaries.invalid_conditions:
            told += full_stop(f" Not: {'; '.join(self.boundaries.invalid_conditions)}")
        return told
