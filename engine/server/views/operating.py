"""What an operator can change of an instance that has not ended: its variables, its tokens, its definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpmn.definition import Definition
from engine.governor import Governor
from engine.names import Names
from engine.operations.relocation import takes_tokens
from engine.report.model.places import Places
from engine.report.run import tokens_of
from engine.server.seeing import Seeing

Named = tuple[str, str]
"""What programs call it, and what people do."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token at an element, and the elements of its scope that it can be taken to."""

    element: str
    branch: str
    name: str
    targets: Sequence[Named]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """`variables` are those that all branches agree about, `personal` those of them that are masked; `branches` those
    that go on. `versions` are hashes of other versions of its process, with their numbers, the newest first.
    """

    variables: Sequence[str]
    personal: frozenset[str]
    branches: Sequence[Named]
    tokens: Sequence[Token]
    versions: Sequence[tuple[str, int]]


def operating(governor: Governor, seeing: Seeing, instance: str) -> Operating:
    """Cost: its live state and the elements of its file. Raises UnknownInstance."""
    stored = governor.store.load(instance)
    record = stored.instance
    definition = governor.definition(record.definition)
    names = Names(definition)
    shown, known = seeing.masked.variables(instance), governor.variables(instance)
    versions = governor.versions(record.process) if record.process in _deployed(governor) else []
    return Operating(
        variables=sorted(shown),
        personal=frozenset(name for name in shown if shown[name] != known.get(name)),
        branches=[(branch, names.branch(branch)) for branch in sorted(governor.heads(instance))],
        tokens=list(_tokens(definition, names, sorted(set(tokens_of(stored.live))))),
        versions=[(each.definition, each.version) for each in versions if each.definition != record.definition],
    )


def _tokens(definition: Definition, names: Names, found: Sequence[tuple[str, str]]) -> Sequence[Token]:
    places, made = Places(definition), list[Token]()
    for element, branch in found:
        place = places.find(element)
        if place is None or place.element.id != element:
            continue
        targets = [
            (each.id, names.element(each.id))
            for each in place.scope.elements.values()
            if takes_tokens(each) and each.id != element
        ]
        name = names.element(element)
        made.append(Token(element, branch, f"{name} ({names.branch(branch)})" if branch else name, sorted(targets)))
    return made


def _deployed(governor: Governor) -> frozenset[str]:
    return frozenset(each.process for each in governor.definitions())
