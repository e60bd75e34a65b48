"""A knowledge requirement says what is looked for, or its activity does by its name or documentation."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        origin = element.resolved.origins.get("knowledge_requirements")
        if origin is None or origin.element != element.id or _says_what_it_is_about(element):
            continue
        for wanted in element.resolved.policy.knowledge_requirements:
            if not wanted.query.strip():
                yield Problem(
                    message="nothing says what the knowledge is to be about",
                    element=element.id,
                    line=origin.line or element.line,
                    found=f"type={wanted.type}",
                    allowed=("a query", "a name or documentation of the activity"),
                )


def _says_what_it_is_about(element: Element) -> bool:
    prompt = element.agent.prompt if element.agent is not None else None
    return any((text or "").strip() for text in (element.name, element.documentation, prompt))


RULE = Rule(code="knowledge-query", severity="warning", check=_check)
