"""A decision in one sentence for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from governance.compression.bands import by_pressure, by_usage
from governance.compression.decisions import Change, D1Decision, Measure
from governance.compression.eligibility import Hold
from governance.compression.settings import CompressSettings
from governance.policy import Policy

_HOLDS = {
    Hold.RETAINED: "kept by retain keys",
    Hold.PINNED: "kept by a pending approval",
    Hold.INPUT: "kept as declared inputs",
    Hold.LOWERED: "already lowered in this run",
    Hold.SHORT: "too short for a summary",
}


def calm_reason(measure: Measure, policy: Policy) -> str:
    """Why nothing was done in the band NONE."""
    return f"{_pressure(measure, policy)} and {_usage(measure, policy)} need no compression"


def reason(decision: D1Decision, policy: Policy, settings: CompressSettings) -> str:
    """What put the context in the decision's band, what fell where, and what stayed and why."""
    parts = [*_falls(decision.changes)] or ["nothing left to lower"]
    parts += [f"{count} {_HOLDS[hold]}" for hold, count in decision.held.items()]
    sentence = f"{_cause(decision, policy, settings)}: {', '.join(parts)}"
    if decision.overflow is None:
        return sentence
    if decision.overflow.kind == "retained_overflow":
        return f"{sentence}; what is kept alone is {_pressure(decision.after, policy)}"
    return f"{sentence}; the prompt still exceeds the window, {_usage(decision.after, policy)}"


def _cause(decision: D1Decision, policy: Policy, settings: CompressSettings) -> str:
    band, before = decision.band, decision.before
    if by_pressure(before.pressure, settings) is band:
        return f"{_pressure(before, policy)} is in the {band} band"
    if by_usage(before.usage, settings) is band:
        return f"{_usage(before, policy)} is in the {band} band"
    return f"attention raises {_pressure(before, policy)} and {_usage(before, policy)} to the {band} band"


def _falls(changes: Sequence[Change]) -> Iterator[str]:
    """Counts by target, the highest rung first; "entries" is said once."""
    noun = " entries" if len(changes) != 1 else " entry"
    for rung, count in sorted(Counter(change.to for change in changes).items(), reverse=True):
        yield f"{count}{noun} to {rung.name}"
        noun = ""


def _pressure(measure: Measure, policy: Policy) -> str:
    return f"pressure {measure.pressure:.2f} ({measure.chars:,} of {policy.working_threshold:,} characters)"


def _usage(measure: Measure, policy: Policy) -> str:
    return f"usage {measure.usage:.2f} ({measure.tokens:,} of {policy.window_tokens:,} tokens)"
