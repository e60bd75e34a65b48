"""Moves a token from one activity to another of the same scope, inside an advance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from bpmn.definition import Element, Scope
from bpmn.findings import near_match, shortened
from bpmn.strategies import is_join
from engine.events import EventType
from engine.instance import Instance
from engine.operations.operation import NotPossible, Operation
from engine.operations.undone import under_way_at
from engine.spiff.relocating import relocate, standing_at
from engine.spiff.task import DrivenTask

_NO_WAY_IN: Final = frozenset({"startEvent", "boundaryEvent"})


class Move:
    """Takes a token elsewhere; its context goes with it, what was going on where it stood is put aside."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return (wanted.element,)

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        task = self._task(wanted)
        self._target(wanted)
        return {"from": wanted.element, "to": wanted.to, "branch": task.token.branch, **self._left(task, wanted)}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        task, to = self._task(wanted), self._target(wanted)
        left, branch = self._left(task, wanted), task.token.branch
        relocate(task, to.id)
        self._instance.log.add(EventType.TOKEN_MOVED, wanted.element, branch, **who, to=to.id, **left)

    def _task(self, wanted: Operation) -> DrivenTask:
        """The one that is meant. Raises NotPossible."""
        workflow = self._instance.workflow
        live = standing_at(workflow, wanted.element or "")
        here = [task for task in live if task.activity is None or not task.activity.heads]
        found = [task for task in here if wanted.branch in (None, task.token.branch)]
        if len(found) == 1:
            return found[0]
        if found:
            branches = ", ".join(sorted(task.token.branch or "(main)" for task in found))
            raise self._refused(f"several tokens stand at {wanted.element}: say which branch, of {branches}")
        places = {task.element_id for scope in workflow.scopes() for task in scope.live.values()} - {None}
        movable = sorted(place for place in places if place is not None and standing_at(workflow, place))
        raise self._refused(f"no token stands at {wanted.element}; tokens stand at {', '.join(movable) or 'nothing'}")

    def _target(self, wanted: Operation) -> Element:
        """Where it goes. Raises NotPossible."""
        scope = self._instance.index.scope_of(wanted.element or "")
        target = scope.elements.get(wanted.to or "")
        open_to = sorted(each.id for each in scope.elements.values() if takes_tokens(each))
        if target is not None and target.id in open_to:
            return target
        near = near_match(wanted.to or "", open_to)
        hint = f"did you mean {near}?" if near else f"its scope has {', '.join(shortened(open_to)) or 'nothing'}"
        what = "no token can be put there" if target is not None else f"it is not in the scope of {wanted.element}"
        raise self._refused(f"{wanted.to}: {what}; {hint}")

    def _left(self, task: DrivenTask, wanted: Operation) -> dict[str, Any]:
        """What is left undone where it stands, what is passed over on the way, and what will be done once more."""
        scope = self._instance.index.scope_of(wanted.element or "")
        before, after = wanted.element or "", wanted.to or ""
        ahead, back = _between(scope, before, after), _between(scope, after, before)
        loops = ahead & back
        return {
            "undone": under_way_at(self._instance, task),
            "passed_over": _activities(scope, ahead - loops - {before, after}),
            "again": _activities(scope, (back - loops) | ({before, after} if after in back else set())),
        }

    def _refused(self, why: str) -> NotPossible:
        return NotPossible(self._instance.id, "move", why)


def takes_tokens(element: Element) -> bool:
    """Whether a token can be put there."""
    return not (
        element.kind in _NO_WAY_IN or element.triggered_by_event or element.for_compensation or is_join(element)
    )


def _between(scope: Scope, first: str, last: str) -> set[str]:
    """Elements on the ways from one to another, with both; empty where no way leads there."""
    ahead = _reached(first, lambda each: [scope.flows[flow].target for flow in scope.elements[each].outgoing])
    back = _reached(last, lambda each: [scope.flows[flow].source for flow in scope.elements[each].incoming])
    return ahead & back if last in ahead else set()


def _reached(first: str, beside: Callable[[str], Iterable[str]]) -> set[str]:
    found, pending = {first}, [first]
    while pending:
        for each in beside(pending.pop()):
            if each not in found:
                found.add(each)
                pending.append(each)
    return found


def _activities(scope: Scope, ids: Iterable[str]) -> list[str]:
    return sorted(id for id in ids if not scope.elements[id].kind.endswith(("Gateway", "Event")))
