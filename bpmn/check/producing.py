"""Names of variables that a file writes, for rules about names that policies use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from bpmn.check.compiling import writes_of
from bpmn.check.rule import Place, Problem
from bpmn.definition import Element, Process
from bpmn.findings import near_match
from bpmn.walk import elements
from governance.policy import Policy

_GLOB: Final = re.compile(r"[*?\[]")


def unwritten(
    place: Place, field: str, names: Callable[[Policy], Iterable[str]], variable: re.Pattern[str], what: str
) -> Iterator[Problem]:
    """Problems with the names in a field of policies that nothing in the file produces, once where they are written.

    `variable` finds what stands behind a variable's name where a place inside the variable is named.
    """
    wanted = _wanted(place.process, field, names)
    produced = _produced(place) if wanted else set()
    for (name, owner), line in wanted.items():
        if not _is_produced({name, variable.split(name)[0]}, produced):
            near = near_match(name, produced)
            yield Problem(
                message=f"nothing in the file produces the {what}" + (f"; did you mean {near}?" if near else ""),
                element=owner,
                line=line,
                found=name,
                allowed=("a data output, a script's variable, or a start variable of that name",),
            )


def _is_produced(names: set[str], produced: set[str]) -> bool:
    if not names.isdisjoint(produced):
        return True
    globs = [name for name in names if _GLOB.search(name)]
    return any(fnmatchcase(name, glob) for glob in globs for name in produced)


def _wanted(
    process: Process, field: str, names: Callable[[Policy], Iterable[str]]
) -> dict[tuple[str, str | None], int | None]:
    """Names with the element that writes them down, each once, and its line."""
    found: dict[tuple[str, str | None], int | None] = {}
    for resolved in (process.policy, *(element.resolved for element in elements(process))):
        origin = resolved.origins.get(field)
        if origin is not None and origin.element is not None:
            found.update(dict.fromkeys(((name, origin.element) for name in names(resolved.policy)), origin.line))
    return found


def _produced(place: Place) -> set[str]:
    names: set[str] = set()
    for process in place.definition.processes.values():
        names.update(item.name for item in process.data_inputs)
        for element in elements(process):
            names |= produced_by(element, place)
    return names


def produced_by(element: Element, place: Place) -> set[str]:
    """Names of the variables that one element writes, as far as the file tells."""
    return {*_outputs(element), *writes_of(element, place)}


def _outputs(element: Element) -> Iterator[str]:
    yield from (item.name for item in element.data_outputs)
    yield from (mapping.target.partition(".")[0] for mapping in element.output_mappings)
    if element.outputs_schema is not None:
        yield from element.outputs_schema.get("properties", ())
    if element.loop is not None:
        yield from filter(None, (element.loop.input_item, element.loop.output_collection, element.loop.output_item))
