"""The ways of a token through a scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bpmn.definition import Element, Scope

Ways = Mapping[str, list[str]]
"""By element, what a token may come to next."""


def ways_of(scope: Scope) -> Ways:
    """Along sequence flows, into boundary events, through links."""
    ways = {each.id: [scope.flows[flow].target for flow in each.outgoing] for each in scope.elements.values()}
    for element in scope.elements.values():
        if element.attached_to in ways:
            ways[element.attached_to].append(element.id)
    for thrown, caught in _links(scope):
        ways[thrown] += caught
    return ways


def entries(scope: Scope) -> Iterator[str]:
    """What a token comes to by no sequence flow, and from no activity beside it."""
    return (each.id for each in scope.elements.values() if not each.incoming and each.attached_to is None)


def reached_from(begin: Iterable[str], ways: Ways) -> set[str]:
    """What a token may come to, where it begins included."""
    todo, reached = list(begin), set[str]()
    while todo:
        identifier = todo.pop()
        if identifier not in reached:
            reached.add(identifier)
            todo += ways[identifier]
    return reached


def _links(scope: Scope) -> Iterator[tuple[str, list[str]]]:
    """Where the links that throw lead."""
    linked = [(each, each.event.ref) for each in scope.elements.values() if each.event and each.event.kind == "link"]
    ends: dict[str | None, list[str]] = {}
    for each, name in linked:
        if _catches(each):
            ends.setdefault(name, []).append(each.id)
    yield from ((each.id, ends.get(name, [])) for each, name in linked if not _catches(each))


def _catches(element: Element) -> bool:
    return element.kind == "intermediateCatchEvent"
