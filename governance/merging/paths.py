"""Places inside a value, and what a step changed there.

A path is a JSON pointer (RFC 6901), except that an item of a list of objects is addressed by its `id` rather than by
its position: `/lines/[id="7"]/qty`. The id is written as JSON, so `[id=7]` and `[id="7"]` are different items. In a
step `~` is written `~0`, `/` is `~1`, and a `[` at the start of a field's name is `~2`. The empty path is the whole
value. A list has items with ids if each is an object whose `id` is text or an integer and no two are alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

WHOLE: Final = ""
"""The path of the whole value."""


class Absent(Enum):
    """What stands where nothing stands; JSON's null is a value."""

    DELETED = "deleted"


DELETED: Final = Absent.DELETED


def changed_paths(before: Any, after: Any) -> tuple[str, ...] | None:
    """Where `after` differs from `before`: no path lies within another. None: the whole value.

    Only objects, and lists of objects with ids whose kept items keep their order and whose new ones come last, are
    looked into. Assigning to `before` what `after` has at these paths gives `after`. To write an equal value again
    claims all of it, so that is None too.
    """
    paths = tuple(_changes(before, after, WHOLE))
    return None if paths in ((), (WHOLE,)) else paths


def covers(path: str, other: str) -> bool:
    """Whether `other` is `path` or lies within it."""
    return other.startswith(path) and (len(other) == len(path) or other[len(path)] == "/")


def enclosing(path: str) -> Iterator[str]:
    """The path and all that enclose it, innermost first, the whole value last."""
    while path:
        yield path
        path = path.rpartition("/")[0]
    yield WHOLE


def is_inside_item(path: str) -> bool:
    """Whether the path leads to or into an item of a list."""
    return "/[" in path


def value_at(value: Any, path: str) -> Any:
    """What stands at the path, DELETED if nothing does."""
    for step in _steps(path):
        place = _place(value, step)
        if place is None:
            return DELETED
        value = value[place]
    return value


def is_item(path: str) -> bool:
    """Whether the path leads to an item of a list."""
    return last_step(path).startswith("[")


def last_step(path: str) -> str:
    return path.rpartition("/")[2]


def holder_of(path: str) -> str:
    """The path of the object or list that the last step is in."""
    return path.rpartition("/")[0]


def field_name(step: str) -> str:
    """The name of the field that a step leads to."""
    return step.replace("~2", "[").replace("~1", "/").replace("~0", "~")


def spoken(name: str, path: str) -> str:
    """A place in a variable as people write it: `claim.lines[id="7"].qty`. Names with dots in them are not escaped."""
    steps = (step if step.startswith("[") else f".{step}" for step in _steps(path))
    return name + "".join(map(field_name, steps))


def item_steps(value: Any) -> tuple[str, ...]:
    """The steps of a list's items, in order; none for what is no list of items with ids."""
    return tuple(_items(value) or ()) if isinstance(value, list) else ()


def identical(one: Any, other: Any) -> bool:
    """Equality of JSON values by what they are: `1`, `1.0` and `true` differ."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(identical(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(identical, one, other))
    return repr(one) == repr(other) if isinstance(one, float) else bool(one == other)


def _changes(before: Any, after: Any, path: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _changed_steps(_fields(before), _fields(after), path)
    elif isinstance(before, list) and isinstance(after, list):
        old, new = _items(before), _items(after)
        if old is not None and new is not None and _keeps_order(list(old), list(new)):
            yield from _changed_steps(old, new, path)
        elif not identical(before, after):
            yield path
    elif not identical(before, after):
        yield path


def _changed_steps(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[str]:
    for step in sorted(before.keys() | after.keys()):
        if step in before and step in after:
            yield from _changes(before[step], after[step], f"{path}/{step}")
        else:
            yield f"{path}/{step}"


def _fields(value: dict[str, Any]) -> dict[str, Any]:
    return {_field_step(name): item for name, item in value.items()}


def _items(value: list[Any]) -> dict[str, Any] | None:
    """Items by step, in order; None if one has no id or two have the same."""
    items: dict[str, Any] = {}
    for item in value:
        step = _item_step(item)
        if step is None or step in items:
            return None
        items[step] = item
    return items


def _keeps_order(before: list[str], after: list[str]) -> bool:
    old, new = set(before), set(after)
    return after == [step for step in before if step in new] + [step for step in after if step not in old]


def _field_step(name: str) -> str:
    step = _escape(name)
    return f"~2{step[1:]}" if step.startswith("[") else step


def _item_step(item: Any) -> str | None:
    found = item.get("id") if isinstance(item, dict) else None
    if isinstance(found, str) or type(found) is int:
        return f"[id={_escape(json.dumps(found, ensure_ascii=False))}]"
    return None


def _escape(text: str) -> str:
    return text.replace("~", "~0").replace("/", "~1")


def _steps(path: str) -> list[str]:
    return path.split("/")[1:]


def _place(value: Any, step: str) -> Any:
    """The key or index that the step means in this value; None if nothing is there."""
    if not step.startswith("["):
        name = field_name(step)
        return name if isinstance(value, dict) and name in value else None
    wanted = json.loads(field_name(step[len("[id=") : -1]))
    items = value if isinstance(value, list) else ()
    return next((index for index, item in enumerate(items) if _has_id(item, wanted)), None)


def _has_id(item: Any, wanted: str | int) -> bool:
    found = item.get("id") if isinstance(item, dict) else None
    return type(found) is type(wanted) and found == wanted
