"""Several flows, or flows with conditions, out of something that is no gateway: the gateway they mean is put in.

Without conditions every flow is taken: a parallel gateway. With conditions every flow whose condition holds is, and
the default only if none does: an inclusive gateway. Flows without a condition are taken whatever the conditions say:
beside a default both gateways are put in (BPMN 2.0, 13.3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bpmn.definition import Element, Flow, Scope
from bpmn.reader.kinds import GATEWAYS
from bpmn.rewrite.scope_pass import Names, Note


def rewrite(scope: Scope, names: Names) -> tuple[Scope, list[Note]]:
    """All ids stay; gateways and the flows to them get new ones, and the policy of the element before them."""
    one = _Splits(scope, names)
    for element in scope.elements.values():
        one.elements[element.id] = element
        leaving = [one.flows[flow] for flow in element.outgoing]
        conditional = any(flow.condition is not None for flow in leaving)
        if element.kind not in GATEWAYS and (conditional or len(leaving) > 1):
            one.split(element, leaving, conditional=conditional)
    return (Scope(elements=one.elements, flows=one.flows), one.notes) if one.notes else (scope, one.notes)


class _Splits:
    """The scope as it becomes."""

    def __init__(self, scope: Scope, names: Names) -> None:
        self.elements: dict[str, Element] = {}
        self.flows = dict(scope.flows)
        self.notes: list[Note] = []
        self._names = names

    def split(self, element: Element, leaving: Sequence[Flow], *, conditional: bool) -> None:
        always = [flow for flow in leaving if flow.condition is None and not flow.is_default]
        if not conditional:
            self._put(element, element, "parallelGateway", leaving)
        elif always and element.default is not None:
            rest = [flow for flow in leaving if flow not in always]
            first = self._put(element, element, "parallelGateway", always)
            self._put(self.elements[first], element, "inclusiveGateway", rest)
        else:
            self._put(element, element, "inclusiveGateway", leaving)

    def _put(self, before: Element, owner: Element, kind: str, leaving: Sequence[Flow]) -> str:
        """A gateway that flows leave, behind an element; flows of that one which are not among them stay with it."""
        name = self._names.fresh(f"{owner.id}_split")
        link = Flow(id=self._names.fresh(f"{owner.id}_to_split"), source=before.id, target=name, line=owner.line)
        outgoing = tuple(flow.id for flow in leaving)
        self.elements[name] = Element(
            id=name,
            kind=kind,
            line=owner.line,
            incoming=(link.id,),
            outgoing=outgoing,
            default=owner.default if owner.default in outgoing else None,
            lane=owner.lane,
            resolved=owner.resolved,
        )
        kept = before.outgoing if before is not owner else ()
        self.elements[before.id] = replace(before, outgoing=(*kept, link.id), default=None)
        self.flows[link.id] = link
        self.flows.update((flow.id, replace(flow, source=name)) for flow in leaving)
        message = f"{kind} {name} stands for its {len(leaving)} outgoing flows"
        self.notes.append(Note(rewrite="implicit-split", element=owner.id, message=message))
        return name
