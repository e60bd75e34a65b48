"""Models governed, as benchmarks.plainly runs them: people and services do their work at once and say nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from benchmarks.plainly import Course
from benchmarks.simulating import governor
from bpmn.definition import Definition, Element, Scope
from bpmn.errors import BpmnError
from bpmn.load import Loaded, load
from bpmn.rewrite.prepare import Holder, map_scopes
from engine.activities.work import Handler, Outcome, Work
from engine.errors import EngineError
from engine.events import Event, EventType
from engine.people.conversation import Conversation
from engine.people.given import Decided, Done
from engine.people.work_item import WorkItem
from governance.errors import GovernanceError
from governance.human_loop.intervention import Intervention

_WORK: Final = frozenset({"task", "userTask", "manualTask", "scriptTask", "serviceTask", "businessRuleTask"})


class _Nobody:
    """Does everything, and gives nothing."""

    def handler_for(self, element: Element) -> Handler:
        return _nothing

    def require(self, definition: Definition) -> None:
        """Everything is done."""

    def do(self, item: WorkItem) -> Done:
        return Done(outputs={}, by="anybody", roles=())

    def decide(self, asked: Intervention) -> Decided | None:
        return None

    def late(self, error: Exception) -> None:
        raise error

    def refused(self, error: Exception) -> None:
        raise error


def _nothing(work: Work) -> Outcome:
    return Outcome()


def run_governed(source: bytes, name: str, process: str) -> tuple[Course, Loaded | None]:
    """One process of a file, and what was loaded; a refusal's rule is in the course."""
    course = Course()
    try:
        loaded = load(source, file=name, process=process)
    except BpmnError as error:
        course.why = f"refused: {type(error).__name__}"
        return course, None
    if loaded.errors:
        course.why = f"refused: {loaded.errors[0].rule}"
        return course, loaded
    kinds: dict[str, str] = {}
    loaded = replace(loaded, definition=_bare(loaded.definition, kinds))

    def hear(event: Event) -> None:
        if event.type is EventType.ACTIVITY_COMPLETED and kinds.get(event.element or "") in _WORK:
            course.done[event.element or ""] += 1

    nobody = _Nobody()
    try:
        with governor(handlers=lambda _: nobody, listener=hear) as made:
            result = Conversation(made, [nobody]).go_on(made.start(loaded, {}))
    except (BpmnError, EngineError, GovernanceError) as error:
        course.why = f"error: {type(error).__name__}: {str(error)[:200]}"
        return course, loaded
    course.completed = result.status == "completed"
    course.variables = dict(result.variables)
    first = result.incidents[0] if result.incidents else None
    course.why = "" if course.completed else f"{result.status}: {first['error'] if first else result.reason or ''}"
    course.done = Counter({key: count for key, count in course.done.items() if count})
    return course, loaded


def _bare(definition: Definition, kinds: dict[str, str]) -> Definition:
    """Nothing is declared that somebody would have to give; `kinds` gets the kind of each element."""

    def change(_: Holder, scope: Scope) -> Scope:
        kinds.update({each.id: each.kind for each in scope.elements.values()})
        elements = {
            key: replace(each, outputs_schema=None, data_outputs=(), assignment=None)
            if each.kind in ("userTask", "manualTask", "serviceTask", "businessRuleTask") else each
            for key, each in scope.elements.items()
        }  # fmt: skip
        return replace(scope, elements=elements)

    return map_scopes(definition, change)
