"""A key that an activity retains is there when it begins: what produces it comes before, and lets it out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bpmn.check.producing import produced_by
from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.ways import ways_of
from bpmn.definition import Element, Scope
from bpmn.walk import elements, scopes


def _check(place: Place) -> Iterator[Problem]:
    if not place.is_process or not any(map(_retains, elements(place.process))):
        return
    homes = _homes(place)
    given = {item.name for item in place.process.data_inputs}
    wanted = [(each.element, key) for each in homes.values() if _retains(each.element)
              for key in each.element.resolved.policy.retain_keys]  # fmt: skip
    names = {key.partition(".")[0] for _, key in wanted} - given
    producers = _producers(place, homes, names)
    spreads = {name: _Spread(name, found, homes) for name, found in producers.items()}
    for element, key in wanted:
        # What nothing produces the rule retain-key tells of.
        spread = spreads.get(key.partition(".")[0])
        why = None if spread is None else spread.why_lost(element)
        if why is not None:
            yield Problem(
                message=f"the retained key is not there yet: {why}",
                element=element.id,
                line=element.resolved.origins["retain_keys"].line or element.line,
                found=key,
                allowed=("a key that something before it produces",),
            )


def _retains(element: Element) -> bool:
    origin = element.resolved.origins.get("retain_keys")
    return origin is not None and origin.element == element.id


class _Home(NamedTuple):
    """Where an element stands: what holds it, None for the process, and the scope with its ways."""

    element: Element
    holder: Element | None
    scope: _Inside


class _Inside:
    """What may come after what in a scope."""

    def __init__(self, scope: Scope) -> None:
        self._ways = ways_of(scope)
        beside = (each for each in scope.elements.values() if each.triggered_by_event or each.for_compensation)
        self._beside = {each.id for each in beside}
        """These may come at any time."""

    def after(self, sources: Mapping[str, str]) -> dict[str, str]:
        """What a token may come to after any of these, with what is said of the one that leads there."""
        found: dict[str, str] = {}
        todo = [(target, said) for name, said in sources.items() for target in self._ways[name]]
        while todo:
            name, said = todo.pop()
            if name not in found:
                found[name] = said
                todo += [(target, said) for target in self._ways[name]]
        beside = self._beside if self._beside.isdisjoint(sources) else self._ways
        return {**dict.fromkeys(beside, next(iter(sources.values()))), **found}


class _Spread:
    """Where a variable may have come to from what produces it."""

    def __init__(self, name: str, producers: list[Element], homes: Mapping[str, _Home]) -> None:
        self._homes, self._first, self._own = homes, producers[0].id, {each.id for each in producers}
        carriers: dict[bool, dict[_Inside, dict[str, str]]] = {True: defaultdict(dict), False: defaultdict(dict)}
        for producer in producers:
            kept, at = "", homes[producer.id]
            while at.element.id not in carriers[not kept][at.scope]:
                carriers[not kept][at.scope][at.element.id] = kept
                if at.holder is None:
                    break
                at = homes[at.holder.id]
                kept = kept or ("" if _lets_out(at.element, name) else at.element.id)
        self._out = carriers[True]
        self._there = _after(carriers[True])
        self._lost = _after(carriers[False])

    def why_lost(self, element: Element) -> str | None:
        """What keeps it from where it is retained; None: something may bring it there."""
        if element.id in self._own:
            return None
        why, at = f"{self._first} comes after it", self._homes[element.id]
        while True:
            again = _comes_again(at.element) and at.element.id in self._out.get(at.scope, ())
            if again or at.element.id in self._there.get(at.scope, ()):
                return None
            keeper = self._lost.get(at.scope, {}).get(at.element.id)
            why = why if keeper is None else f"{keeper} does not let it out"
            if at.holder is None:
                return why
            at = self._homes[at.holder.id]


def _after(carriers: Mapping[_Inside, Mapping[str, str]]) -> dict[_Inside, dict[str, str]]:
    return {scope: scope.after(sources) for scope, sources in carriers.items() if sources}


def _homes(place: Place) -> dict[str, _Home]:
    found: dict[str, _Home] = {}
    for holder, scope in scopes(place.process):
        inside = _Inside(scope)
        held = holder if isinstance(holder, Element) else None
        found.update((each.id, _Home(each, held, inside)) for each in scope.elements.values())
    return found


def _producers(place: Place, homes: Mapping[str, _Home], names: set[str]) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = defaultdict(list)
    for home in homes.values() if names else ():
        for name in produced_by(home.element, place) & names:
            found[name].append(home.element)
    return found


def _comes_again(element: Element) -> bool:
    """Whether what is inside may come after all that is inside."""
    return element.loop is not None or element.kind == "adHocSubProcess"


def _lets_out(holder: Element, name: str) -> bool:
    targets = {mapping.target.partition(".")[0] for mapping in holder.output_mappings}
    return not targets or name in targets or "*" in targets


RULE = Rule(code="retain-key-late", severity="warning", check=_check)
