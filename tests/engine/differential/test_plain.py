"""What plain SpiffWorkflow completes comes to the same with ours, but for what differs on purpose."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from SpiffWorkflow.bpmn.parser.BpmnParser import BpmnParser
from SpiffWorkflow.bpmn.specs.mixins.script_task import ScriptEngineTask
from SpiffWorkflow.bpmn.specs.mixins.user_task import UserTask
from SpiffWorkflow.util.task import TaskState

from engine.spiff.swap import drive
from engine.spiff.workflow import DrivenWorkflow
from engine.status import Status
from tests.engine.differential.fixtures import FIXTURES, Fixture
from tests.engine.differential.kinds import KINDS
from tests.engine.running import Plain, Run

ALL = {**FIXTURES, **KINDS}
SAME = [name for name, fixture in ALL.items() if not fixture.differs]
DIFFERENT = [name for name, fixture in ALL.items() if fixture.differs]


class Driven(Plain):
    """The library's own parser, specs and data handling, under our driver."""

    def __init__(self, fixture: Fixture) -> None:
        parser = BpmnParser()
        parser.add_bpmn_str(fixture.source)
        spec, nested = parser.get_spec("p"), parser.get_subprocess_specs("p")
        drive(spec, *nested.values())
        self.code = dict(fixture.code)
        self.workflow = DrivenWorkflow(spec, nested, prune=False)
        self.workflow.task_tree.data.update(orjson.loads(orjson.dumps(fixture.variables)))
        self.workflow.do_engine_steps()


def completed_in(plain: Plain, fixture: Fixture) -> tuple[list[str], dict[str, Any]]:
    """Activities completed, and the variables at the end."""
    for name in fixture.order:
        plain.do(name)
    assert plain.completed
    tasks = plain.workflow.get_tasks(state=TaskState.COMPLETED)
    return sorted({task.task_spec.bpmn_id for task in tasks if _works(task)}), plain.variables


def plainly(fixture: Fixture) -> tuple[list[str], dict[str, Any]]:
    return completed_in(Plain(fixture.source, fixture.variables, code=fixture.code), fixture)


def _works(task: Any) -> bool:
    return isinstance(task.task_spec, ScriptEngineTask | UserTask)


def governed(fixture: Fixture) -> tuple[Run, list[str]]:
    run = Run(fixture.source, fixture.variables, code=fixture.code, process="p")
    for name in fixture.order:
        run.do(name)
    kinds = {each.id: each.kind for each in run.instance.index.elements.values()}
    return run, sorted({name for name in run.done() if kinds[name] not in ("callActivity", "subProcess")})


@pytest.mark.parametrize("name", SAME)
def test_ours_comes_to_the_same(name: str) -> None:
    fixture = ALL[name]
    completed, variables = plainly(fixture)
    run, done = governed(fixture)
    assert run.instance.status is Status.COMPLETED
    assert done == completed
    assert run.variables == variables


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_on_purpose_still_does(name: str) -> None:
    """A row that is no longer a difference belongs among those that are the same."""
    fixture = ALL[name]
    completed, variables = plainly(fixture)
    run, done = governed(fixture)
    same = done == completed and run.variables == variables
    assert not (same and run.instance.status is Status.COMPLETED)


@pytest.mark.parametrize("name", SAME)
def test_the_librarys_own_specs_come_to_the_same_under_our_driver(name: str) -> None:
    fixture = ALL[name]
    completed, variables = plainly(fixture)
    assert completed_in(Driven(fixture), fixture) == (completed, variables)
