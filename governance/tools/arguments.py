"""The arguments of the four tools: their JSON Schemas come from these (Design: tools and chains)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from governance.vocabulary import CompressStrategy, InteractionLevel, Trigger

InspectedLayer = Literal["ALL", "SYSTEM", "PROCESS", "KNOWLEDGE", "HISTORY", "WORKING"]
Resolution = Literal["LAST_WRITE", "HIGHEST_CONFIDENCE", "HUMAN"]


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class InspectArguments(_Arguments):
    """Look at the context: what stands in a layer and how much of it is shown."""

    layer: InspectedLayer = Field(default="ALL", description="The layer to look at.")
    keys: tuple[str, ...] = Field(
        default=(), description="Names of entries to give in full, archived ones too; none: all entries as shown."
    )
    summary_only: bool = Field(default=False, description="Only counts and sizes of each layer, no entries.")


class CompressArguments(_Arguments):
    """Lower how much of a layer is shown, put it back, or say what lowering would do. Values are never lost."""

    mode: Literal["compress", "decompress", "evaluate"]
    layer: Literal["HISTORY", "WORKING"] = Field(description="The layer whose entries are lowered or put back.")
    retain_keys: tuple[str, ...] = Field(
        default=(), description="compress, evaluate: names or globs to leave alone; decompress: names to put back."
    )
    strategy: CompressStrategy | None = Field(
        default=None, description="How far entries fall; none: as the activity's policy says."
    )


class BranchArguments(_Arguments):
    """Look at the own branch, or settle what branches disagree about where they come together."""

    mode: Literal["evaluate", "resolve_conflict", "snapshot"]
    branch_id: str = Field(default="", description="The own branch; empty means that too.")
    conflict_keys: tuple[str, ...] = Field(
        default=(), description="resolve_conflict: the conflicts to settle; none: all that are open."
    )
    resolution_strategy: Resolution = Field(default="HUMAN", description="resolve_conflict: who or what decides.")


class ConfirmArguments(_Arguments):
    """Tell people something, or ask them and wait for the answer."""

    trigger_type: Trigger = Field(description="What the question is about.")
    interaction_level: InteractionLevel = Field(
        description="MICRO_SUGGESTION tells; DIFF_PREVIEW and EXPLICIT_APPROVAL ask and wait."
    )
    message: str = Field(min_length=1, max_length=2_000, description="What people are told or asked, in plain words.")
    diff_content: str | None = Field(default=None, max_length=20_000, description="What would change, as text.")
    options: tuple[str, ...] = Field(default=(), max_length=10, description="Answers to choose from.")
