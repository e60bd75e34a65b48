"""The human loop's matrix: four triggers, five levels, and the signs that put a case in each of the 20 cells.

A case stands in the highest cell of its trigger's row that has a sign; AUTO_ALLOW needs none.
Design: the human loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeVar

from governance.human_loop.facts import ConflictFacts, DesignFacts, QualityFacts, RuntimeFacts
from governance.vocabulary import InteractionLevel, Trigger

F = TypeVar("F")

Found = bool | str | tuple[str, ...] | None
ConfirmMode = Literal["suggestion", "diff_preview", "explicit_approval"]


@dataclass(frozen=True, slots=True)
class Sign(Generic[F]):
    """One thing that puts a case in a cell: what it is called, and what of it the facts show (falsy: nothing)."""

    says: str
    found: Callable[[F], Found]

    def reason(self, facts: F) -> str | None:
        """The sign as one line naming what was found, None where the facts show none of it."""
        found = self.found(facts)
        if not found:
            return None
        if isinstance(found, bool):
            return self.says
        return f"{self.says}: {found if isinstance(found, str) else ', '.join(found)}"


@dataclass(frozen=True, slots=True)
class Cell(Generic[F]):
    """A cell: what it stands for, and the signs that lead to it, any of which is enough."""

    meaning: str
    signs: tuple[Sign[F], ...] = ()


Row = Mapping[InteractionLevel, Cell[F]]

_DESIGN_TIME: Final[Row[DesignFacts]] = {
    InteractionLevel.AUTO_ALLOW: Cell("nothing found"),
    InteractionLevel.MICRO_SUGGESTION: Cell(
        "lint findings",
        (
            Sign("lint errors", lambda f: f.errors),
            Sign("lint warnings", lambda f: f.warnings),
        ),
    ),
    InteractionLevel.DIFF_PREVIEW: Cell(
        "a policy field changed",
        (Sign("policy changed", lambda f: f.changed),),
    ),
    InteractionLevel.EXPLICIT_APPROVAL: Cell(
        "a key rule changed, or a review score below 0.3",
        (
            Sign("key rules changed", lambda f: f.key_rules),
            Sign("review score below 0.3", lambda f: _below(f.review_score, 0.3)),
        ),
    ),
    InteractionLevel.AUTO_DENY: Cell(
        "an invalid policy",
        (Sign("invalid policy", lambda f: f.invalid),),
    ),
}

_RUNTIME: Final[Row[RuntimeFacts]] = {
    InteractionLevel.AUTO_ALLOW: Cell("attention of 0.8 or more after D1"),
    InteractionLevel.MICRO_SUGGESTION: Cell(
        "attention from 0.2 to below 0.8 after D1, the 80 % warning, or a drift alert",
        (
            Sign("attention after D1 below 0.8", lambda f: _below(f.score_after_d1, 0.8)),
            Sign("WORKING reached 80 % of its threshold", lambda f: f.warning_80),
            Sign("the activity drifts from its target", lambda f: f.drift_alert),
        ),
    ),
    InteractionLevel.DIFF_PREVIEW: Cell(
        "declared inputs of the coming activity were compressed",
        (Sign("declared inputs were compressed", lambda f: f.declared_inputs_compressed),),
    ),
    InteractionLevel.EXPLICIT_APPROVAL: Cell(
        "attention below 0.2 after D1, what may not be lowered does not fit, or the host writes SYSTEM",
        (
            Sign("attention after D1 below 0.2", lambda f: _below(f.score_after_d1, 0.2)),
            Sign("retained entries alone exceed the threshold", lambda f: f.retained_overflow),
            Sign("the prompt exceeds the window with nothing left to lower", lambda f: f.usage_overflow),
            Sign("SYSTEM written after start", lambda f: _one_of(f.system_write_by, "host", "operator")),
        ),
    ),
    InteractionLevel.AUTO_DENY: Cell(
        "a model or a tool writes SYSTEM",
        (Sign("SYSTEM written after start", lambda f: _one_of(f.system_write_by, "model", "tool")),),
    ),
}

_QUALITY: Final[Row[QualityFacts]] = {
    InteractionLevel.AUTO_ALLOW: Cell("confidence of 0.7 or more"),
    InteractionLevel.MICRO_SUGGESTION: Cell(
        "confidence from 0.4 to below 0.7",
        (Sign("confidence below 0.7", lambda f: _below(f.confidence, 0.7)),),
    ),
    InteractionLevel.DIFF_PREVIEW: Cell(
        "confidence below 0.4, or a broken chain of reasons",
        (
            Sign("confidence below 0.4", lambda f: _below(f.confidence, 0.4)),
            Sign("broken chain", lambda f: f.broken_chain),
        ),
    ),
    InteractionLevel.EXPLICIT_APPROVAL: Cell(
        "a declared output is missing or of the wrong type after the retry",
        (
            Sign("declared outputs missing", lambda f: f.missing_outputs),
            Sign("declared outputs of the wrong type", lambda f: f.mistyped),
        ),
    ),
    InteractionLevel.AUTO_DENY: Cell(
        "a blocked tool was called, or a guard breached",
        (
            Sign("blocked tool", lambda f: f.blocked_tool),
            Sign("breached guard", lambda f: f.breached_guard),
        ),
    ),
}

_CONFLICT: Final[Row[ConflictFacts]] = {
    InteractionLevel.AUTO_ALLOW: Cell("all settled by rule"),
    InteractionLevel.MICRO_SUGGESTION: Cell(
        "settled by the LAST_WRITE default",
        (Sign("settled by LAST_WRITE for want of a rule", lambda f: f.notices),),
    ),
    InteractionLevel.DIFF_PREVIEW: Cell(
        "open conflicts",
        (Sign("open conflicts", lambda f: f.open_keys),),
    ),
    InteractionLevel.EXPLICIT_APPROVAL: Cell(
        "open conflicts on retained keys or keys that a gateway reads",
        (Sign("open conflicts on retained or gateway keys", lambda f: f.open_on_retained_or_gateway),),
    ),
    InteractionLevel.AUTO_DENY: Cell(
        "SYSTEM differs, or the strategy does not apply",
        (Sign("cannot be merged", lambda f: f.denied),),
    ),
}

MATRIX: Final[Mapping[Trigger, Row[Any]]] = {
    Trigger.DESIGN_TIME: _DESIGN_TIME,
    Trigger.RUNTIME: _RUNTIME,
    Trigger.QUALITY: _QUALITY,
    Trigger.CONFLICT: _CONFLICT,
}

CONFIRM_MODES: Final[Mapping[InteractionLevel, ConfirmMode | None]] = {
    InteractionLevel.AUTO_ALLOW: None,
    InteractionLevel.MICRO_SUGGESTION: "suggestion",
    InteractionLevel.DIFF_PREVIEW: "diff_preview",
    InteractionLevel.EXPLICIT_APPROVAL: "explicit_approval",
    InteractionLevel.AUTO_DENY: None,
}


def _below(score: float | None, bound: float) -> Found:
    return f"{score:.3g}" if score is not None and score < bound else None


def _one_of(found: str | None, *names: str) -> Found:
    return found if found in names else None
