"""What each trigger of the human loop looks at: plain facts, found by the steps of governance, never by a look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from governance.vocabulary import Trigger

UNSTATED_CONFIDENCE: Final = 0.7
_WARNING_WEIGHT: Final = 0.25


def review_score(errors: int, warnings: int, activities: int) -> float:
    """How sound a design is, 0..1: errors count whole and warnings a quarter, per governed activity."""
    return max(0.0, round(1.0 - (errors + _WARNING_WEIGHT * warnings) / max(1, activities), 9))


@dataclass(frozen=True, slots=True)
class DesignFacts:
    """A process definition under review, alone or against the one it replaces.

    `invalid` names what makes a policy invalid; `key_rules` the changed rules that need approval (SYSTEM, a retain
    key removed, a level lowered, a merge strategy); `changed` every other changed policy field; `errors` and
    `warnings` are the linter's findings over `activities` governed activities.
    """

    trigger: ClassVar[Trigger] = Trigger.DESIGN_TIME
    invalid: tuple[str, ...] = ()
    key_rules: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    activities: int = 0

    @property
    def review_score(self) -> float:
        return review_score(len(self.errors), len(self.warnings), self.activities)


@dataclass(frozen=True, slots=True)
class RuntimeFacts:
    """The state of a running activity's context, or an attempt to write SYSTEM.

    `score_after_d1` is the attention score measured after D1, None where none was taken. `retained_overflow` names
    the retained keys that alone exceed the threshold; `usage_overflow`: the prompt exceeds the model's window with
    nothing left to lower.
    """

    trigger: ClassVar[Trigger] = Trigger.RUNTIME
    score_after_d1: float | None = None
    warning_80: bool = False
    drift_alert: bool = False
    declared_inputs_compressed: tuple[str, ...] = ()
    retained_overflow: tuple[str, ...] = ()
    usage_overflow: bool = False
    system_write_by: Literal["host", "operator", "model", "tool"] | None = None


@dataclass(frozen=True, slots=True)
class QualityFacts:
    """An activity's output after its retry.

    `stated_confidence` is None where the output states none; `broken_chain` says what is cited but not there or
    contradicts a retained key; `missing_outputs` and `mistyped` name declared outputs; `blocked_tool` and
    `breached_guard` name what refused.
    """

    trigger: ClassVar[Trigger] = Trigger.QUALITY
    stated_confidence: float | None = None
    broken_chain: tuple[str, ...] = ()
    missing_outputs: tuple[str, ...] = ()
    mistyped: tuple[str, ...] = ()
    blocked_tool: str | None = None
    breached_guard: str | None = None

    @property
    def confidence(self) -> float:
        """How sure the output is, 0..1."""
        return UNSTATED_CONFIDENCE if self.stated_confidence is None else self.stated_confidence


@dataclass(frozen=True, slots=True)
class ConflictFacts:
    """What a merge found, as names of keys.

    `settled` by a declared rule; `notices` settled by the LAST_WRITE default; `open_keys` need a person, and
    `open_on_retained_or_gateway` are those of them that are retained or read by a reachable condition; `denied`
    cannot be merged (SYSTEM differs, or the strategy does not apply to the values).
    """

    trigger: ClassVar[Trigger] = Trigger.CONFLICT
    settled: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    open_keys: tuple[str, ...] = ()
    open_on_retained_or_gateway: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


Facts = DesignFacts | RuntimeFacts | QualityFacts | ConflictFacts
