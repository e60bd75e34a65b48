"""What somebody has to see and agree to before a file becomes a version of its process.

The levels of the human loop at design time: governance design, section 8. Everything that deploys for others asks here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from bpmn.definition import Definition
from bpmn.load import Loaded
from bpmn.policies.compare import changes
from engine.errors import EngineError
from engine.json_text import compact
from engine.people.design_review import review
from governance.vocabulary import InteractionLevel

Needs = Literal["look", "approver", "reason", "loss", "changes"]
_MOST_NAMED: Final = 5


class NotAgreed(EngineError):
    """More is asked for than was given: somebody has to look, to approve, to put up with a loss, or it is refused.

    `needs` is "look", "approver", "reason", "loss", or "changes" where nobody can let it pass. `compared` is what to
    look at.
    """

    def __init__(self, needs: Needs, message: str, compared: Mapping[str, Any]) -> None:
        self.needs, self.compared = needs, compared
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Who deploys, and what they agree to: `seen` names what they looked at, `reason` says why it is right.

    `may_approve`: they may give what takes an EXPLICIT_APPROVAL.
    """

    by: str
    may_approve: bool
    seen: str | None = None
    reason: str | None = None


def compare(loaded: Loaded, base: Definition | None) -> dict[str, Any]:
    """The design-time review of what was read against what stands (None: nothing), as JSON values.

    `review`, the policies that change in `changes`, `errors`, `warnings`, `is_first`. `seen` is the hash of all that:
    who agrees to it, names it.
    """
    told = {
        "review": review(loaded.definition, loaded.findings, base).to_json(),
        "changes": [] if base is None else [asdict(each) for each in changes(base, loaded.definition)],
        "errors": [each.to_json() for each in loaded.errors],
        "warnings": [each.to_json() for each in loaded.findings if each.severity == "warning"],
        "is_first": base is None,
    }
    return {**told, "seen": sha256(compact(told).encode()).hexdigest()}


def require_agreement(compared: Mapping[str, Any], given: Agreement) -> None:
    """Raises NotAgreed where `compared` (of `compare`) asks for more than was given."""
    level = InteractionLevel(compared["review"]["level"])
    reasons = "; ".join(compared["review"]["reasons"][:_MOST_NAMED])
    if compared["errors"] or level is InteractionLevel.AUTO_DENY:
        raise NotAgreed("changes", f"this cannot be deployed: {reasons or 'it has errors'}", compared)
    if not level.blocks:
        return
    if given.seen != compared["seen"]:
        raise NotAgreed("look", f"somebody has to look at this first: {reasons}", compared)
    if level is InteractionLevel.EXPLICIT_APPROVAL:
        if not given.may_approve:
            raise NotAgreed("approver", f"somebody with the role approver has to deploy this: {reasons}", compared)
        if not (given.reason or "").strip():
            raise NotAgreed("reason", f"a reason is needed: {reasons}", compared)
