"""Which process of a file a run starts."""

from __future__ import annotations

from collections.abc import Callable

from bpmn.definition import Definition, Process
from bpmn.errors import NoProcess
from bpmn.findings import Finding, near_match, shortened
from bpmn.walk import elements


def choose(definition: Definition, wanted: str | None) -> tuple[str | None, tuple[Finding, ...]]:
    """The id of the process to start, or None with a finding where several are possible.

    Without a wish it is the only process that has flow nodes, is marked executable if any is, and is called by no
    other. Raises `NoProcess` when the wanted one is not in the file.
    """
    processes = definition.processes
    if wanted is not None:
        if wanted in processes:
            return wanted, ()
        near = near_match(wanted, processes)
        message = "the file has no such process" + (f"; did you mean {near}?" if near else "")
        raise NoProcess(message, file=definition.file, found=wanted, allowed=", ".join(shortened(processes)))
    candidates = _candidates(definition)
    if len(candidates) == 1:
        return candidates[0].id, ()
    several = Finding(
        rule="several-processes",
        severity="error",
        file=definition.file,
        message="several processes could be started; name one",
        line=candidates[0].line,
        found=f"{len(candidates)} processes",
        allowed=shortened([process.id for process in candidates]),
    )
    return None, (several,)


def _candidates(definition: Definition) -> list[Process]:
    every = list(definition.processes.values())
    called = {element.called for process in every for element in elements(process) if element.called}
    narrowings: tuple[Callable[[Process], bool], ...] = (
        lambda process: bool(process.scope.elements),
        lambda process: process.executable is True,
        lambda process: process.executable is None,
        lambda process: process.id not in called,
    )
    for fits in narrowings:
        every = [process for process in every if fits(process)] or every
    return every
