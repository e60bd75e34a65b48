"""A look at every call of a tool before it is made, and at how it ended: for dead ends, taint and budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from governance.vocabulary import Effect, InteractionLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A call that is about to be made.

    `writes` counts the calls with an effect made in this attempt before it. `public` names the arguments that may be
    kept, `version` is the tool's, "" if it is not known. `seen` are the tools whose results the model saw before, but
    for trusted ones.
    """

    activity: str
    branch: str
    tool: str
    effect: Effect
    arguments: Mapping[str, Any]
    writes: int
    public: tuple[str, ...] = ()
    version: str = ""
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guarded:
    """What a guard says: the least level at which people are involved, and why; AUTO_DENY refuses the call.

    `reason` of a refusal is told to the model, with what worked instead if that is known. `notes` are events, as kind
    and data: they are logged with the call, once, however often a crash or a wait has it looked at.
    """

    level: InteractionLevel = InteractionLevel.AUTO_ALLOW
    reason: str = ""
    notes: tuple[tuple[str, Mapping[str, Any]], ...] = ()


ALLOWED = Guarded()


class ToolGuard(Protocol):
    """Says whether a call may be made, and learns from how it ended."""

    def before(self, use: ToolUse) -> Guarded:
        """May be asked more than once of one call: it changes and logs nothing."""
        ...

    def after(self, use: ToolUse, failure: str | None) -> None:
        """The call was made; `failure` says why it failed, None: it did not. Not called for failures for a while."""
        ...


class NoGuard:
    """Lets everything pass."""

    def before(self, use: ToolUse) -> Guarded:
        return ALLOWED

    def after(self, use: ToolUse, failure: str | None) -> None: ...


class Guards:
    """Several guards as one: the strictest counts, the first of them in doubt; what any of them notes is noted."""

    def __init__(self, guards: Sequence[ToolGuard]) -> None:
        self._guards = guards

    def before(self, use: ToolUse) -> Guarded:
        strictest = ALLOWED
        notes: list[tuple[str, Mapping[str, Any]]] = []
        for guard in self._guards:
            found = guard.before(use)
            notes += found.notes
            if not strictest.level.at_least(found.level):
                strictest = found
        return replace(strictest, notes=tuple(notes)) if notes else strictest

    def after(self, use: ToolUse, failure: str | None) -> None:
        for guard in self._guards:
            guard.after(use, failure)


_BY_EFFECT = {
    Effect.READ: InteractionLevel.AUTO_ALLOW,
    Effect.WRITE: InteractionLevel.MICRO_SUGGESTION,
    Effect.IRREVERSIBLE: InteractionLevel.EXPLICIT_APPROVAL,
}


def level_of(effect: Effect, floor: InteractionLevel, guarded: Guarded) -> tuple[InteractionLevel, str]:
    """How far people are involved in a call, and why.

    Reading asks nobody. A write tells people, what cannot be taken back asks them; both at the activity's floor at
    least.
    """
    level, reason = _BY_EFFECT[effect], f"its effect is {effect.value}"
    if effect is not Effect.READ and not level.at_least(floor):
        level, reason = floor, f"the activity asks for {floor.value} at least"
    if not level.at_least(guarded.level):
        level, reason = guarded.level, guarded.reason
    return level, reason
