"""What is done with one file of a corpus: it is loaded, and each process that it may start is simulated."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from lxml import etree

from benchmarks.simulating import defects, governor, simulate
from bpmn.errors import BpmnError
from bpmn.findings import Finding
from bpmn.load import Loaded, load
from bpmn.namespaces import BPMN, qualified
from engine.errors import EngineError
from engine.result import RunResult
from governance.errors import GovernanceError

_CHOICE: Final = "several-processes"
_WORST_FIRST: Final = ("crashed", "refused", "error", "failed", "stalled", "silent", "waiting", "completed")


@dataclass(slots=True, kw_only=True)
class Visit:
    """What became of a file.

    `outcome`: refused (by the reader or a check), completed, waiting (for something it names), failed (an incident),
    stalled (nothing can come any more), error (refused when it was to be run), silent (waits and does not say for
    what), crashed, hung. `executable`: it has a process with flow nodes that is not marked as a drawing.
    """

    file: str
    outcome: str = "refused"
    executable: bool = False
    loaded: bool = False
    process: str | None = None
    reason: str = ""
    rule: str | None = None
    element: str | None = None
    line: int | None = None
    load_cpu_s: float = 0.0
    run_cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mb: float = 0.0

    @property
    def is_clear(self) -> bool:
        """Whether a refusal says which rule, and where; what is no XML, or has no process, has no element."""
        return self.rule is not None and (self.element is not None or not self.executable)

    def told(self) -> dict[str, Any]:
        """All of it but what is empty."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "", 0.0)}


def visit(path: Path, name: str) -> Visit:
    """Load a file and simulate it; of several processes the one that comes off worst is told."""
    found = Visit(file=name, executable=is_executable(path))
    data = path.read_bytes()
    began = time.process_time()
    try:
        loaded = load(data, file=name, simulate=True)
    except BpmnError as error:
        found.load_cpu_s = time.process_time() - began
        found.rule, found.reason, found.element, found.line = _told(error)
        return found
    found.load_cpu_s = time.process_time() - began
    choice = next((each for each in loaded.errors if each.rule == _CHOICE), None)
    if choice is None or (len(loaded.errors) > 1 and not _may_start(loaded)):
        return _of_process(found, loaded)
    visits = []
    for process in _may_start(loaded):
        one = Visit(file=name, executable=found.executable, process=process, load_cpu_s=found.load_cpu_s)
        visits.append(_of_process(one, load(data, file=name, process=process, simulate=True)))
    return min(visits, key=lambda each: _WORST_FIRST.index(each.outcome))


def is_executable(path: Path) -> bool:
    """Read by other means than the reader's: a process with flow nodes, not marked `isExecutable="false"`."""
    parser = etree.XMLParser(recover=False, resolve_entities=False, no_network=True)
    try:
        root = etree.parse(str(path), parser).getroot()
    except (etree.XMLSyntaxError, OSError):
        return False
    return any(
        process.get("isExecutable") != "false" and next(process.iter(*_FLOW_NODES), None) is not None
        for process in root.iter(qualified(BPMN, "process"))
    )


_FLOW_NODES: Final = tuple(
    qualified(BPMN, name)
    for name in (
        "startEvent", "endEvent", "intermediateThrowEvent", "intermediateCatchEvent", "task", "userTask", "manualTask",
        "serviceTask", "scriptTask", "sendTask", "receiveTask", "businessRuleTask", "callActivity", "subProcess",
        "adHocSubProcess", "transaction", "exclusiveGateway", "parallelGateway", "inclusiveGateway",
    )
)  # fmt: skip


def _may_start(loaded: Loaded) -> list[str]:
    """The processes that the choice leaves, by the finding that says so."""
    processes = loaded.definition.processes.values()
    marked = [each.id for each in processes if each.scope.elements and each.executable is not False]
    return marked or [each.id for each in processes if each.scope.elements]


def _of_process(found: Visit, loaded: Loaded) -> Visit:
    if loaded.errors:
        first: Finding = loaded.errors[0]
        found.rule, found.reason, found.element, found.line = first.rule, str(first), first.element, first.line
        return found
    found.loaded = True
    began = time.process_time()
    try:
        with governor() as made:
            _judge(found, simulate(made, loaded))
    except (BpmnError, EngineError, GovernanceError) as error:
        found.outcome = "error"
        found.rule, found.reason, found.element, found.line = _told(error)
    found.run_cpu_s = round(time.process_time() - began, 3)
    return found


def _judge(found: Visit, result: RunResult) -> None:
    found.outcome, found.reason = result.status, result.reason or ""
    wrong = defects(result)
    if wrong:
        found.outcome, found.reason = "crashed", wrong[0]
    elif result.status == "waiting" and not result.waiting:
        found.outcome, found.reason = "silent", "it waits and does not say for what"
    elif result.incidents:
        found.outcome = "failed"
        first = result.incidents[0]
        found.rule, found.element, found.reason = str(first["kind"]), first["element"], str(first["error"])


def _told(error: Exception) -> tuple[str, str, str | None, int | None]:
    return type(error).__name__, str(error), getattr(error, "element", None), getattr(error, "line", None)
