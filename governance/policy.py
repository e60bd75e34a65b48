"""The policy of an activity: `ActivityExtensionConfig`, six dimensions and what goes with them.

Every field is optional where it is written (None: inherit) and definite once resolved. Design: ActivityExtensionConfig.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from governance.vocabulary import (
    CompressStrategy,
    InteractionLevel,
    MergeStrategy,
    QtsPreset,
    RiskClass,
    SplitStrategy,
    Zones,
)

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KnowledgeRequirement(_Model):
    """Knowledge an activity wants injected before it runs."""

    type: str = Field(min_length=1)
    query: str = ""
    count: int = Field(default=3, ge=1, le=50)
    min_confidence: Share = 0.5


class BranchStrategy(_Model):
    """How branches start (D2) and come together (D3); `keys` names a strategy per key."""

    split: SplitStrategy | None = None
    merge: MergeStrategy | None = None
    keys: Mapping[str, MergeStrategy] = Field(default_factory=dict)


class Approval(_Model):
    """Who may answer what an activity raises, and by when."""

    roles: tuple[str, ...] = ()
    four_eyes: bool = False
    due: str | None = None
    default: Literal["approve", "deny"] | None = None
    escalate_to: str | None = None


class Limits(_Model):
    """Most tokens (in and out, as the provider reports them), cost in US dollars, minutes of model calls."""

    tokens: int | None = Field(default=None, gt=0)
    cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    minutes: float | None = Field(default=None, gt=0, allow_inf_nan=False)

    @property
    def line(self) -> str:
        """In words; "" without any."""
        given = [
            "" if self.tokens is None else f"{self.tokens:,} tokens",
            "" if self.cost is None else f"{self.cost:g} US dollars",
            "" if self.minutes is None else f"{self.minutes:g} minutes",
        ]
        return ", ".join(filter(None, given))

    def times(self, number: int) -> Limits:
        """So many times as much."""
        if number == 1:
            return self
        given = {name: value * number for name, value in self if value is not None}
        return Limits.model_validate(given)


class Budget(_Model):
    """What an activity run may use, and what all of an instance may together."""

    activity: Limits = Limits()
    instance: Limits = Limits()

    @property
    def line(self) -> str:
        """In words; "" without any."""
        shared = f"all together {self.instance.line}" if self.instance.line else ""
        return "; ".join(filter(None, (self.activity.line, shared)))


class ActivityExtensionConfig(_Model):
    """One element's policy as written: a field that is None is inherited.

    Six dimensions: `working_threshold` (characters shown), `retain_keys` (names or globs), `compress_strategy`,
    `interaction_level` (a floor), `knowledge_requirements`, `branch_strategy`; the rest is optional beside them.
    """

    working_threshold: int | None = Field(default=None, gt=0)
    retain_keys: tuple[str, ...] | None = None
    compress_strategy: CompressStrategy | None = None
    interaction_level: InteractionLevel | None = None
    knowledge_requirements: tuple[KnowledgeRequirement, ...] | None = None
    branch_strategy: BranchStrategy | None = None
    approval: Approval | None = None
    window_tokens: int | None = Field(default=None, gt=0)
    budget: Budget | None = None
    qts_preset: QtsPreset | None = None
    zones: Zones | None = None
    personal_keys: tuple[str, ...] | None = None
    accountable: str | None = None
    risk_class: RiskClass | None = None
    retention: str | None = None
    sla: str | None = None
    informed: tuple[str, ...] | None = None


class Policy(_Model):
    """A resolved policy: every dimension has a value."""

    working_threshold: int = Field(default=12_000, gt=0)
    retain_keys: tuple[str, ...] = ()
    compress_strategy: CompressStrategy = CompressStrategy.SUMMARY
    interaction_level: InteractionLevel = InteractionLevel.AUTO_ALLOW
    knowledge_requirements: tuple[KnowledgeRequirement, ...] = ()
    split: SplitStrategy = SplitStrategy.INHERIT_ALL
    merge: MergeStrategy | None = None
    merge_keys: Mapping[str, MergeStrategy] = Field(default_factory=dict)
    approval: Approval = Approval()
    window_tokens: int = Field(default=128_000, gt=0)
    budget: Budget = Budget()
    qts_preset: QtsPreset = QtsPreset.DEFAULT
    zones: Zones = Zones.AUTO
    personal_keys: tuple[str, ...] = ()
    accountable: str | None = None
    risk_class: RiskClass | None = None
    retention: str | None = None
    sla: str | None = None
    informed: tuple[str, ...] = ()


class Origin(_Model):
    """Where a resolved field comes from: the element and line that set it, or the engine's settings."""

    element: str | None = None
    kind: Literal["element", "sub-process", "lane", "process", "settings"] = "settings"
    line: int | None = None


class ResolvedPolicy(_Model):
    """A policy with the origin of each field, as `governor policy` shows it."""

    policy: Policy = Policy()
    origins: Mapping[str, Origin] = Field(default_factory=dict)
