"""A link leads from its throw events to its one catch event in the same process or sub-process (BPMN 2.0, 10.5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.findings import shortened


def _check(place: Place) -> Iterator[Problem]:
    links = [each for each in place.scope.elements.values() if each.event is not None and each.event.kind == "link"]
    catching: dict[str | None, list[Element]] = {}
    for link in links:
        if link.kind == "intermediateCatchEvent":
            catching.setdefault(_name(link), []).append(link)
    for link in links:
        name, ends = _name(link), catching.get(_name(link), [])
        if name is None:
            yield Problem(message="the link has no name", element=link.id, line=link.line, allowed=("a name",))
        elif link.kind == "intermediateThrowEvent" and not ends:
            allowed = shortened([str(each) for each in catching]) or ("an intermediateCatchEvent with the same link",)
            message = "the link leads nowhere"
            yield Problem(message=message, element=link.id, line=link.line, found=name, allowed=allowed)
        elif link.kind == "intermediateThrowEvent" and link.outgoing:
            message = "a link that throws has no outgoing flow"
            yield Problem(message=message, element=link.id, line=link.line, found=", ".join(link.outgoing))
        elif link.kind == "intermediateCatchEvent" and link.incoming:
            message = "a link that catches has no incoming flow"
            yield Problem(message=message, element=link.id, line=link.line, found=", ".join(link.incoming))
    for name, ends in catching.items():
        for extra in ends[1:]:
            message = "a link leads to one place"
            yield Problem(
                message=message, element=extra.id, line=extra.line, found=f"{name}, which {ends[0].id} catches too"
            )


def _name(link: Element) -> str | None:
    return None if link.event is None else link.event.ref


RULE = Rule(code="link", severity="error", check=_check)
