"""Errors of the human loop: why an intervention does not take an answer, or does not expire."""

from __future__ import annotations

from collections.abc import Sequence

from governance.errors import GovernanceError


class InterventionError(GovernanceError):
    """An intervention refused a transition. `intervention` is its id."""

    def __init__(self, intervention: str, reason: str) -> None:
        self.intervention, self.reason = intervention, reason
        super().__init__(f"intervention {intervention}: {reason}")


class AlreadyClosed(InterventionError):
    """It was answered, expired or withdrawn before, `by` whom and `at` when. That stands, nothing changed."""

    def __init__(self, intervention: str, status: str, by: str, at: str | None = None) -> None:
        self.status, self.by, self.at = status, by, at
        super().__init__(intervention, f"was {status} by {by}{f' at {at}' if at else ''}; that stands")


class NotAllowed(InterventionError):
    """This person may not answer it."""

    def __init__(self, intervention: str, person: str, reason: str) -> None:
        self.person = person
        super().__init__(intervention, f"{person} may not answer: {reason}")


class StaleAnswer(InterventionError):
    """The answer is to something other than what the intervention shows."""

    def __init__(self, intervention: str, answered: str, shown: str) -> None:
        self.answered, self.shown = answered, shown
        super().__init__(intervention, f"the answer is to content {answered}, but it shows {shown}")


class DecisionNotOffered(InterventionError):
    """The decision is none of the options."""

    def __init__(self, intervention: str, decision: str, options: Sequence[str]) -> None:
        self.decision, self.options = decision, tuple(options)
        super().__init__(intervention, f"takes no {decision!r}; allowed are {', '.join(options)}")


class IncompleteAnswer(InterventionError):
    """The answer lacks what its decision needs: a reason, or values."""

    def __init__(self, intervention: str, decision: str, missing: str) -> None:
        self.decision, self.missing = decision, missing
        super().__init__(intervention, f"{decision} needs {missing}")


class CannotExpire(InterventionError):
    """It has no due time or no default to fall back on, or it is not due yet."""


class CannotEscalate(InterventionError):
    """It has no due time or nobody to escalate to, is not due yet, or was escalated before."""
