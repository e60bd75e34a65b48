"""What AUTO_DENY refuses: nobody is asked, it is on record, and the activity is not done (Design: the human loop)."""

from __future__ import annotations

from typing import Any, Final

from bpmn.definition import Element
from engine.activities.work import Outcome
from engine.errors import EngineError
from engine.governed.services import Services
from governance.errors import LayerRefused
from governance.human_loop.detector import Verdict
from governance.human_loop.facts import RuntimeFacts
from governance.vocabulary import InteractionLevel, Layer, Producer, Trigger

AUTO_DENY: Final = InteractionLevel.AUTO_DENY.value
"""The code of the BPMN error that a refusal throws at the activity's boundary."""


class Refused(EngineError):
    """Something that is refused without asking anybody; `verdict` says by what rule."""

    def __init__(self, element: str, verdict: Verdict, reason: str) -> None:
        self.element, self.reason, self.level = element, reason, verdict.level.value
        self._verdict = verdict
        super().__init__(f"{element}: refused, {reason}")

    @property
    def verdict(self) -> Verdict:
        return self._verdict


def by_policy(element: Element) -> Refused | None:
    """The refusal of an activity whose floor is AUTO_DENY: it is not begun."""
    resolved = element.resolved
    if resolved.policy.interaction_level is not InteractionLevel.AUTO_DENY:
        return None
    origin = resolved.origins.get("interaction_level")
    where = "the settings" if origin is None or origin.element is None else origin.element
    if origin is not None and origin.line is not None:
        where += f", line {origin.line}"
    reason = f"its policy is AUTO_DENY ({where})"
    return Refused(element.id, Verdict(Trigger.RUNTIME, InteractionLevel.AUTO_DENY, (reason,)), reason)


def of_system(services: Services, element: Element, result: Any) -> Refused | None:
    """The refusal of work that wrote SYSTEM, or gives outputs that would: only people may, and they are asked."""
    name = _written(result)
    if name is None:
        return None
    by_model = isinstance(result, Outcome) and result.producer is Producer.AGENT
    facts = RuntimeFacts(system_write_by="model" if by_model or element.agent is not None else "tool")
    verdict = services.human_loop.evaluate(Trigger.RUNTIME, facts)
    return Refused(element.id, verdict, f"{verdict.reason} ({name})")


def _written(result: Any) -> str | None:
    """What of SYSTEM somebody tried to write."""
    if isinstance(result, LayerRefused) and result.layer == Layer.SYSTEM:
        return f"SYSTEM/{result.key}"
    outputs = result.outputs if isinstance(result, Outcome) else ()
    return next((name for name in outputs if name.startswith(f"{Layer.SYSTEM}/")), None)
