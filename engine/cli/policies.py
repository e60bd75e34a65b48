"""`governor policy`: the policies of a file, resolved, and where each part of them is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpmn.definition import Element
from bpmn.load import Loaded, load
from bpmn.walk import elements
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.telling.matrix import PolicyMatrix
from engine.errors import NotDeployable
from engine.names import Names

_ACTIVITIES: Final = ("task", "subprocess", "callactivity", "transaction")
_GATEWAYS: Final = frozenset({"parallelGateway", "inclusiveGateway", "complexGateway"})


def show_policies(file: str, process: str | None, *, as_json: bool) -> None:
    """Print the matrix of each process. Raises BpmnError, and NotDeployable for policies that are wrong."""
    loaded = load(file, process=process)
    wrong = [finding for finding in loaded.errors if finding.rule.startswith("policy")]
    if wrong:
        raise NotDeployable(file, wrong)
    if as_json:
        print_json(_document(loaded))
        return
    screen, names = output(), Names(loaded.definition)
    for id in loaded.definition.processes:
        governed = list(_governed(loaded, id))
        if governed:
            screen.line((names.process(id), Style.NAME), (f" ({id})", Style.DIM))
            PolicyMatrix(names, governed).tell(screen)


def _governed(loaded: Loaded, process: str) -> Iterator[Element]:
    """Activities, and the gateways at which branches split and come together."""
    for element in elements(loaded.definition.processes[process]):
        if element.kind.lower().endswith(_ACTIVITIES) or element.kind in _GATEWAYS:
            yield element


def _document(loaded: Loaded) -> Mapping[str, Any]:
    activities = [
        {
            "process": process,
            "element": element.id,
            "name": element.name,
            "kind": element.kind,
            "line": element.line,
            **element.resolved.model_dump(mode="json"),
        }
        for process in loaded.definition.processes
        for element in _governed(loaded, process)
    ]
    return {"file": loaded.definition.file, "process": loaded.definition.main, "activities": activities}
