"""A key that an activity retains is there when it begins: what produces it comes before, and lets it out."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.producing import produced_by
from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Scope
from bpmn.walk import scopes


def _check(place: Place) -> Iterator[Problem]:
    if not place.is_process:
        return
    wanted = [each for _, scope in scopes(place.process) for each in scope.elements.values() if _retains(each)]
    if not wanted:
        return
    home, producers = _homes(place), _producers(place)
    given = {item.name for item in place.process.data_inputs}
    for element in wanted:
        origin = element.resolved.origins["retain_keys"]
        for key in element.resolved.policy.retain_keys:
            name = key.partition(".")[0]
            if name in given or name not in producers:
                continue  # it is given at the start, or nothing produces it: the rule retain-key tells of that
            why = _why_lost(name, element, producers[name], home)
            if why is not None:
                yield Problem(
                    message=f"the retained key is not there yet: {why}",
                    element=element.id,
                    line=origin.line or element.line,
                    found=key,
                    allowed=("a key that something before it produces",),
                )


def _retains(element: Element) -> bool:
    origin = element.resolved.origins.get("retain_keys")
    return origin is not None and origin.element == element.id


_Homes = dict[str, tuple[Element | None, Scope]]


def _homes(place: Place) -> _Homes:
    """For each element the one that holds it, None for the process, and the scope it stands in."""
    return {
        element.id: (holder if isinstance(holder, Element) else None, scope)
        for holder, scope in scopes(place.process)
        for element in scope.elements.values()
    }


def _producers(place: Place) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {}
    for _, scope in scopes(place.process):
        for element in scope.elements.values():
            for name in produced_by(element, place):
                found.setdefault(name, []).append(element)
    return found


def _why_lost(name: str, element: Element, producers: list[Element], home: _Homes) -> str | None:
    """What keeps a key from where it is retained; None: something may bring it there."""
    why = None
    for producer in producers:
        line = _line_of(producer, home)
        at: Element | None = element
        while at is not None:
            holder, scope = home[at.id]
            inside = next((n for n, each in enumerate(line) if each.id in scope.elements), None)
            if inside is not None and (line[inside] is at or line[inside].id in _before(scope, at)):
                kept = next((each for each in line[1 : inside + 1] if not _lets_out(each, name)), None)
                if kept is None:
                    return None
                why = f"{kept.id} does not let it out"
            elif inside is not None and why is None:
                why = f"{line[0].id} comes after it"
            at = holder
    return why


def _line_of(element: Element, home: _Homes) -> list[Element]:
    """An element and what holds it, inside out."""
    line = [element]
    while (holder := home[line[-1].id][0]) is not None:
        line.append(holder)
    return line


def _lets_out(holder: Element, name: str) -> bool:
    targets = {mapping.target.partition(".")[0] for mapping in holder.output_mappings}
    return not targets or name in targets or "*" in targets


def _before(scope: Scope, element: Element) -> set[str]:
    """What a token may have come by before it comes to an element; what is beside its activity too."""
    found: set[str] = set()
    todo = [element.id]
    while todo:
        at = scope.elements[todo.pop()]
        above = [scope.flows[flow].source for flow in at.incoming]
        if at.attached_to is not None:
            above.append(at.attached_to)
        if at.triggered_by_event:
            above += [each for each in scope.elements if each != at.id]
        for name in above:
            if name not in found:
                found.add(name)
                todo.append(name)
    return found | {each.id for each in scope.elements.values() if each.triggered_by_event}


RULE = Rule(code="retain-key-late", severity="warning", check=_check)
