"""Models on plain SpiffWorkflow: its parser, its driver, its data; scripts and conditions by the safe subset.

What a file's text says is never handed to Python: a model that needs more than the subset does not complete here.
People and services do their work at once and say nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from SpiffWorkflow.bpmn.parser.BpmnParser import BpmnParser
from SpiffWorkflow.bpmn.script_engine import PythonScriptEngine
from SpiffWorkflow.bpmn.specs.mixins.manual_task import ManualTask
from SpiffWorkflow.bpmn.specs.mixins.none_task import NoneTask
from SpiffWorkflow.bpmn.specs.mixins.script_task import ScriptTask
from SpiffWorkflow.bpmn.specs.mixins.service_task import ServiceTask
from SpiffWorkflow.bpmn.specs.mixins.user_task import UserTask
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.places import Where

_WORK: Final = (ScriptTask, UserTask, ManualTask, NoneTask, ServiceTask)
_MOST_STEPS: Final = 2_000


@dataclass(slots=True, kw_only=True)
class Course:
    """How a run went: the activities it completed, with how often, and its variables; `why` not, if not."""

    completed: bool = False
    why: str = ""
    done: Counter[str] = field(default_factory=Counter)
    variables: dict[str, Any] = field(default_factory=dict)


class _Safe(PythonScriptEngine):  # type: ignore[misc]
    def validate(self, expression: str) -> None:
        """Whatever is wrong with it comes out when it is evaluated."""

    def evaluate(self, task: Any, expression: str, external_context: Any = None) -> Any:
        program = compile_condition(str(expression), where=_where(task), language="python")
        return program.evaluate({**task.data, **(external_context or {})})

    def execute(self, task: Any, script: str, external_context: Any = None) -> bool:
        changes = compile_script(script, where=_where(task), language="python").execute(task.data)
        task.data.update(changes.set)
        for name in changes.deleted:
            task.data.pop(name, None)
        return True


def run_plainly(source: bytes, process: str) -> Course:
    """One process of a file. What the library makes of it, an exception included, is in the course."""
    course = Course()
    try:
        parser = BpmnParser()
        parser.add_bpmn_str(source)
        workflow = BpmnWorkflow(
            parser.get_spec(process), parser.get_subprocess_specs(process), script_engine=_Safe()
        )  # fmt: skip
        _work(workflow)
    except Exception as error:  # the library raises anything, from KeyError to RecursionError
        course.why = f"{type(error).__name__}: {str(error)[:200]}"
        return course
    course.completed = bool(workflow.completed)
    course.why = "" if course.completed else "it waits or stalls"
    tasks = workflow.get_tasks(state=TaskState.COMPLETED)
    course.done = Counter(each.task_spec.bpmn_id for each in tasks if isinstance(each.task_spec, _WORK))
    course.variables = _plain(workflow.data)
    objects = course.variables.pop("data_objects", {})
    course.variables |= {name: value for name, value in objects.items() if value is not None}
    return course


def _where(task: Any) -> Where:
    return Where(file="plain", element=str(task.task_spec.name), line=None)


def _work(workflow: Any) -> None:
    for _ in range(_MOST_STEPS):
        workflow.do_engine_steps()
        workflow.refresh_timers()
        started = workflow.get_tasks(state=TaskState.STARTED, spec_class=ServiceTask)
        ready = workflow.get_tasks(state=TaskState.READY)
        if started:
            started[0].complete()
        elif ready:
            ready[0].run()
        else:
            return


def _plain(data: Any) -> dict[str, Any]:
    """As JSON; what is none is left out."""
    kept = {}
    for name, value in dict(data).items():
        try:
            kept[name] = orjson.loads(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))
        except TypeError:
            continue
    return kept
