"""A message flow connects processes that run; what goes to another pool of the file goes nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.walk import elements, entered


def _check(place: Place) -> Iterator[Problem]:
    definition = place.definition
    if not place.is_process or place.process.id != definition.main or not definition.message_flows:
        return
    running = entered(definition)
    home = {element.id: process.id for process in definition.processes.values() for element in elements(process)}
    home |= {pool.id: pool.process for pool in definition.participants.values() if pool.process is not None}
    for flow in definition.message_flows.values():
        ends = {home.get(flow.source), home.get(flow.target)} - {None}
        idle = sorted(str(process) for process in ends - running if definition.processes[str(process)].scope.elements)
        if ends & running and idle:
            yield Problem(
                message=f"the message flow connects with process {idle[0]}, which is not running",
                element=flow.id,
                line=flow.line,
                found=f"{flow.source} -> {flow.target}",
            )


RULE = Rule(code="message-flow", severity="warning", check=_check)
