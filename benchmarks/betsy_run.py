"""One case of a betsy test: run, and what it wrote to the log."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from benchmarks.betsy import VALUE, Model
from benchmarks.simulating import BEGIN, governor
from bpmn.definition import Definition, Element
from bpmn.errors import BpmnError
from bpmn.load import Loaded, load
from engine.activities.job import Job
from engine.activities.service import ServiceHandlerCall
from engine.activities.work import BpmnErrorRaised, Handler
from engine.errors import EngineError
from engine.events import Event, EventType
from engine.governor import Governor
from engine.result import RunResult
from engine.status import Status
from governance.errors import GovernanceError
from governance.ports import FixedClock

DEPLOYMENT, RUNTIME, THROWN = "ERROR_deployment", "ERROR_runtime", "ERROR_thrownErrorEvent"
MARKER: Final = "MARKER_exists"
_STEP: Final = timedelta(seconds=1)
_SOON: Final = 0.05
"""Real seconds that work takes which stands for ten: enough to see whether two overlap."""


class Watcher:
    """Hears what happens, and writes betsy's log."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.lines: list[str] = []
        self.spans: list[tuple[float, float]] = []

    def __call__(self, event: Event) -> None:
        if event.type is not EventType.ACTIVITY_COMPLETED or "instances" in event.data:
            return  # nor are instances taken together something that was done once more
        keyword = self._model.keywords.get(event.element or "", "")
        if keyword.startswith("SCRIPT_"):
            self.lines.append(keyword)
        elif keyword == "INCREMENT_INTEGER_VARIABLE_AND_LOG":
            self.lines.append("INCREMENT_correct")
        elif keyword == "CREATE_MARKER_FILE" and MARKER not in self.lines:
            self.lines.append(MARKER)

    def finish(self, variables: Mapping[str, Any]) -> list[str]:
        """All lines, with what only the end shows."""
        logs_data = "LOG_DATA" in self._model.keywords.values()
        if logs_data and variables.get(self._model.variable) == VALUE:
            self.lines.append("DATA_correct")
        if len(self.spans) > 1 and max(begin for begin, _ in self.spans) < min(end for _, end in self.spans):
            self.lines.append("EXECUTION_parallel")
        return self.lines


class Doers:
    """Does what stands for code: errors, and work that takes a while."""

    def __init__(self, model: Model, watcher: Watcher) -> None:
        self._model, self._watcher = model, watcher

    def handler_for(self, element: Element) -> Handler:
        return ServiceHandlerCall(element.job_type or "", self._do)

    def require(self, definition: Definition) -> None:
        """Everything is done."""

    def concurrent(self, element: Element) -> bool:
        """All of it may run beside the rest."""
        return True

    def _do(self, job: Job) -> None:
        if job.type == "THROW_ERROR":
            raise BpmnErrorRaised(self._model.error)
        began = time.monotonic()
        time.sleep(_SOON)
        self._watcher.spans.append((began, time.monotonic()))


def run_case(model: Model, name: str, case: Mapping[str, Any]) -> list[str]:
    """The lines that one case writes; an error is one of its own."""
    watcher = Watcher(model)
    try:
        also = case["also_start_process"]
        first = [] if also is None else [_load(model, name, also)]
        loads = [*first, _load(model, name, _main(model, name))]
    except _NotDeployed:
        return [DEPLOYMENT]
    clock = FixedClock(BEGIN)
    doers = Doers(model, watcher)
    with governor(clock, lambda _: doers, watcher) as made:
        try:
            results = [made.start(loaded, case["inputs"]) for loaded in loads]
            results = _wait(made, clock, results, case["delay_ms"])
        except (BpmnError, EngineError, GovernanceError) as error:
            return [*watcher.lines, f"{DEPLOYMENT}: {error}"]
        main = results[-1]
        return [*watcher.finish(main.variables), *_errors(main)]


class _NotDeployed(Exception):
    pass


def _main(model: Model, name: str) -> str | None:
    """The process of the test's name; None: the file leaves no choice."""
    try:
        processes = load(model.source, file=f"{name}.bpmn").definition.processes
    except BpmnError as error:
        raise _NotDeployed from error
    return name if name in processes else None


def _load(model: Model, name: str, process: str | None) -> Loaded:
    try:
        loaded = load(model.source, file=f"{name}.bpmn", process=process)
    except BpmnError as error:
        raise _NotDeployed from error
    if loaded.errors:
        raise _NotDeployed
    return loaded


def _wait(made: Governor, clock: FixedClock, results: list[RunResult], delay_ms: int) -> list[RunResult]:
    """Let time go by in steps of a second, and two minutes more where an instance still waits for a timer."""
    for _ in range(delay_ms // 1000 + 120):
        if not any(_waits_for_time(made.result(each.instance)) for each in results):
            break
        clock.move_to(clock.now() + _STEP)
        for each in results:
            made.resume(each.instance)
    return [made.result(each.instance) for each in results]


def _waits_for_time(result: RunResult) -> bool:
    return any(each["kind"] == "timer" for each in result.waiting)


def _errors(result: RunResult) -> list[str]:
    if result.status not in (Status.FAILED, Status.WAITING) or not result.incidents:
        return []
    thrown = any(each["kind"] in ("bpmn_error",) for each in result.incidents)
    return [THROWN if thrown else RUNTIME]
