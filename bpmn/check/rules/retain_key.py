"""A key to be retained is produced by something: a likely misspelling otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from bpmn.check.compiling import writes_of
from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Process
from bpmn.findings import near_match
from bpmn.walk import elements

_GLOB = re.compile(r"[*?\[]")


def _check(place: Place) -> Iterator[Problem]:
    if not place.is_process:
        return
    wanted = _wanted(place.process)
    if not wanted:
        return
    produced = _produced(place)
    for (key, owner), line in wanted.items():
        if not _is_produced(key, produced):
            near = near_match(key, produced)
            yield Problem(
                message="nothing in the file produces the retained key" + (f"; did you mean {near}?" if near else ""),
                element=owner,
                line=line,
                found=key,
                allowed=("a data output, a script's variable, or a start variable of that name",),
            )


def _is_produced(key: str, produced: set[str]) -> bool:
    """Whether a variable has the key's name; a dotted key retains a part of the variable that its first part names."""
    names = {key, key.partition(".")[0]}
    if not names.isdisjoint(produced):
        return True
    globs = [name for name in names if _GLOB.search(name)]
    return any(fnmatchcase(name, glob) for glob in globs for name in produced)


def _wanted(process: Process) -> dict[tuple[str, str | None], int | None]:
    """Retained keys with the element that writes them down, each once, and its line."""
    found: dict[tuple[str, str | None], int | None] = {}
    for resolved in (process.policy, *(element.resolved for element in elements(process))):
        origin = resolved.origins.get("retain_keys")
        if origin is not None and origin.element is not None:
            found.update(dict.fromkeys(((key, origin.element) for key in resolved.policy.retain_keys), origin.line))
    return found


def _produced(place: Place) -> set[str]:
    names: set[str] = set()
    for process in place.definition.processes.values():
        names.update(item.name for item in process.data_inputs)
        for element in elements(process):
            names.update(_outputs(element))
            names.update(writes_of(element, place))
    return names


def _outputs(element: Element) -> Iterator[str]:
    yield from (item.name for item in element.data_outputs)
    if element.outputs_schema is not None:
        yield from element.outputs_schema.get("properties", ())
    if element.loop is not None:
        yield from filter(None, (element.loop.input_item, element.loop.output_collection, element.loop.output_item))


RULE = Rule(code="retain-key", severity="warning", check=_check)
