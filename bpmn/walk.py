"""Walking a definition: scopes, elements, and the processes that a run enters."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.definition import Definition, Element, Process, Scope


def scopes(process: Process) -> Iterator[tuple[Process | Element, Scope]]:
    """Every scope of a process with what holds it, outer scopes first."""
    pending: list[tuple[Process | Element, Scope]] = [(process, process.scope)]
    while pending:
        holder, scope = pending.pop()
        yield holder, scope
        inner = [(element, element.scope) for element in scope.elements.values() if element.scope is not None]
        pending += reversed(inner)


def elements(process: Process) -> Iterator[Element]:
    """Every flow node of a process, those of sub-processes too."""
    for _, scope in scopes(process):
        yield from scope.elements.values()


def is_activity_set(element: Element) -> bool:
    """Whether an element is an ad-hoc sub-process that is run as it stands, and no agent's box of tools."""
    return element.kind == "adHocSubProcess" and element.agent is None and element.job_type is None


def asking(definition: Definition) -> Iterator[Element]:
    """The activities of a definition that ask for a decision."""
    for process in definition.processes.values():
        yield from (element for element in elements(process) if element.decision is not None)


def asks(definition: Definition) -> bool:
    """Whether any activity asks for a decision."""
    return any(True for _ in asking(definition))


def entered(definition: Definition) -> frozenset[str]:
    """Ids of the processes that a run enters: the main process and what is called from there on."""
    pending = [definition.main]
    found: set[str] = set()
    while pending:
        process = definition.processes.get(pending.pop() or "")
        if process is not None and process.id not in found:
            found.add(process.id)
            pending += [element.called for element in elements(process)]
    return frozenset(found)


def leads_nowhere(element: Element) -> bool:
    """Whether it is a boundary event that should have an outgoing flow and has none."""
    undoes = element.event is not None and element.event.kind == "compensation"
    return element.kind == "boundaryEvent" and not element.outgoing and not undoes


def stops(element: Element) -> bool:
    """Whether it is an intermediate event that should have an outgoing flow (not to throw a link) and has none."""
    if element.kind not in ("intermediateThrowEvent", "intermediateCatchEvent") or element.outgoing:
        return False
    event = element.event
    links = event is not None and any(each.kind == "link" for each in (event, *event.definitions))
    return not (links and element.kind == "intermediateThrowEvent")
