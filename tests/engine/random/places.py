"""Places inside JSON values for the oracle: a place is a tuple of steps, `()` the whole value.

A step is the name of an object's field, or `("id", id)` for an item of a list of objects with ids. Written from the
design's words alone; shares no code with the engine.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any, Final

Step = str | tuple[str, str]
Place = tuple[Step, ...]
WHOLE: Final[Place] = ()


class Missing:
    """What stands where nothing stands."""

    def __repr__(self) -> str:
        return "MISSING"

    def __deepcopy__(self, memo: Any) -> Missing:
        return self


MISSING: Final = Missing()


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values, where 1, 1.0 and true differ."""
    if one is MISSING or other is MISSING:
        return one is other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def covers(outer: Place, inner: Place) -> bool:
    return inner[: len(outer)] == outer


def fields(value: Any) -> dict[Step, Any] | None:
    """What a value is made of, by step, in order; None for what has no places inside."""
    if isinstance(value, dict):
        return dict(value)
    if not isinstance(value, list):
        return None
    ids = [_id_of(item) for item in value]
    if None in ids or len(set(ids)) < len(ids):
        return None
    return {("id", str(each)): item for each, item in zip(ids, value, strict=True)}


def changed(before: Any, after: Any) -> list[Place]:
    """The places where `after` differs from `before`, none inside another, in the order of the values."""
    old, new = fields(before), fields(after)
    if type(before) is not type(after) or old is None or new is None or _reordered(before, old, new):
        return [] if same(before, after) else [WHOLE]
    places: list[Place] = []
    for step in {**old, **new}:
        if step in old and step in new:
            places += [(step, *place) for place in changed(old[step], new[step])]
        else:
            places.append((step,))
    return places


def look(value: Any, place: Place) -> Any:
    """What stands at the place, MISSING if nothing does."""
    for step in place:
        inside = None if value is MISSING else fields(value)
        value = MISSING if inside is None else inside.get(step, MISSING)
    return value


def put(value: Any, place: Place, content: Any) -> Any:
    """A copy of the value with `content` at the place; an item of a list that was not there comes last."""
    if place == WHOLE:
        return deepcopy(content)
    inside = fields(value)
    assert inside is not None, f"{place} leads into {value!r}"
    step, rest = place[0], place[1:]
    made = put(inside.get(step, MISSING), rest, content)
    if made is MISSING:
        inside.pop(step, None)
    else:
        inside[step] = made
    return list(inside.values()) if isinstance(value, list) else inside


def _id_of(item: Any) -> str | None:
    """The id as JSON, so that 1 and "1" differ."""
    found = item.get("id") if isinstance(item, dict) else None
    return json.dumps(found) if type(found) in (int, str) else None


def _reordered(before: Any, old: dict[Step, Any], new: dict[Step, Any]) -> bool:
    """Whether a list's kept items changed their order, or new ones do not come last."""
    if not isinstance(before, list):
        return False
    return list(new) != [s for s in old if s in new] + [s for s in new if s not in old]
