"""An ad-hoc sub-process holds activities, no start or end event (BPMN 2.0, 10.2.5), and says who decides on them."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import UNSAID, Element
from bpmn.reader.kinds import ACTIVITIES


def _check(place: Place) -> Iterator[Problem]:
    holder = place.holder
    if not isinstance(holder, Element) or holder.kind != "adHocSubProcess":
        return
    if not any(element.kind in ACTIVITIES for element in place.scope.elements.values()):
        yield Problem(
            message="the ad-hoc sub-process has no activity", element=holder.id, line=holder.line,
            allowed=("at least one activity",),
        )  # fmt: skip
    if holder.ordering == UNSAID:
        yield Problem(
            message="nothing says which activities of the adHocSubProcess are done: all, or what an agent asks for",
            element=holder.id,
            line=holder.line,
            found="no ordering, no completionCondition, no agent",
            allowed=('ordering="Parallel"', 'ordering="Sequential"', "a completionCondition", "an agent's tool box"),
        )
    for element in place.scope.elements.values():
        if element.kind in ("startEvent", "endEvent"):
            message = f"an ad-hoc sub-process has no {element.kind}"
            yield Problem(message=message, element=element.id, line=element.line, found=f"in {holder.id}")


RULE = Rule(code="ad-hoc", severity="error", check=_check)
