"""Whether an agent's outputs hang together with what they rest on (Design: the human loop, a broken chain)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.activities.work import Outcome
from engine.governed.activity_run import ActivityRun
from governance.flywheel.citing import ids_in
from governance.policy import Policy
from governance.snapshots.canonical import canonical
from governance.snapshots.contents import Contents
from governance.snapshots.model import key_of
from governance.snapshots.render import render_value
from governance.snapshots.values import ValueStore

_SPACE: Final = re.compile(r"\s")


def broken_chain(
    values: ValueStore, contents: Contents, variables: Mapping[str, Any], run: ActivityRun, policy: Policy, out: Outcome
) -> tuple[str, ...]:
    """What outputs cite that is not there, and where they contradict a retained variable; none of either: unbroken.

    A citation is an item of knowledge named by its id. A contradiction is a field inside an output that is called like
    a retained variable and has another value; an output of that name is none, but the variable's next value. Only
    numbers, truth values and identifiers are compared: prose says the same in other words.
    """
    said = canonical([dict(out.outputs), out.decision]).decode()
    missing = [id for id in ids_in(said).difference(run.offered) if not _stands(values, contents, id)]
    kept = {name: variables[name] for name in policy.retain_keys if _is_comparable(variables.get(name))}
    wrong = _contradictions(dict(out.outputs), kept) if kept else ()
    return (*(f"{id} is not there" for id in sorted(missing)), *wrong)


def _is_comparable(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and not _SPACE.search(value))


def _stands(values: ValueStore, contents: Contents, id: str) -> bool:
    """Whether an entry of the context is called so or names it: looked for only where an id is not known."""
    return any(
        any(id in name for name in entries.names())
        or any(id in render_value(values, key_of(space, name), item) for name, item in entries.rendered.items())
        for space, entries in contents.spaces.items()
    )


def _contradictions(outputs: dict[str, Any], kept: Mapping[str, Any]) -> tuple[str, ...]:
    found = (
        f"{place} is {value!r}, but {name} {kept[name]!r}"
        for place, name, value in _fields(outputs, "")
        if name in kept and _is_comparable(value) and type(value) is type(kept[name]) and value != kept[name]
    )
    return tuple(dict.fromkeys(found))


def _fields(value: Any, place: str) -> Iterator[tuple[str, str, Any]]:
    """(place, name, value) of every field inside the outputs, not the outputs themselves."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            inner = f"{place}.{name}" if place else name
            if place:
                yield inner, name, part
            yield from _fields(part, inner)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _fields(part, f"{place}[{number}]")
