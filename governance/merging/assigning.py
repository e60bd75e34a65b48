"""Putting a value together from pieces of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from governance.merging.errors import PathMismatch
from governance.merging.paths import DELETED, WHOLE, field_name, holder_of, is_item, item_steps, last_step, value_at
from governance.snapshots.canonical import thaw


class Assignment(NamedTuple):
    """What is to stand at a path, DELETED for nothing.

    For an item of a list, `order` are the steps of the list's items, itself among them, as the branch has it that the
    item comes from; `is_new` if the list did not have the item when the branches parted.
    """

    path: str
    value: Any
    order: tuple[str, ...] = ()
    is_new: bool = False


def assign(value: Any, assignments: Sequence[Assignment]) -> Any:
    """A copy of `value` with others at the given paths, in that order; what encloses comes before what lies inside.

    Old items keep their places. New ones come last, or before the old one that follows them in their own branch;
    several at one place in the order of the assignments. Raises PathMismatch for a path that leads through what is
    not there.
    """
    result = value if value is DELETED else thaw(value)
    items: dict[str, list[Assignment]] = defaultdict(list)
    for assignment in assignments:
        if is_item(assignment.path):
            items[holder_of(assignment.path)].append(assignment)
    for assignment in assignments:
        path = assignment.path
        if path == WHOLE:
            result = _copy(assignment.value)
        elif not is_item(path):
            _set_field(value_at(result, holder_of(path)), assignment)
        elif siblings := items.pop(holder_of(path), []):
            _arrange(value_at(result, holder_of(path)), siblings)
    return result


def _copy(value: Any) -> Any:
    return value if value is DELETED else thaw(value)


def _set_field(holder: Any, assignment: Assignment) -> None:
    if not isinstance(holder, dict):
        raise PathMismatch(assignment.path)
    name = field_name(last_step(assignment.path))
    if assignment.value is DELETED:
        holder.pop(name, None)
    else:
        holder[name] = _copy(assignment.value)


def _arrange(holder: Any, assignments: Sequence[Assignment]) -> None:
    """Assign items of one list, all at once."""
    steps = item_steps(holder)
    if not isinstance(holder, list) or len(steps) != len(holder):
        raise PathMismatch(assignments[0].path)
    items = dict(zip(steps, holder, strict=True))
    gone = {last_step(one.path) for one in assignments if one.value is DELETED or one.is_new}
    standing = [step for step in steps if step not in gone]
    present = [one for one in assignments if one.value is not DELETED]
    for one in present:
        step = last_step(one.path)
        items[step] = _copy(one.value)
        if not one.is_new and step not in standing:
            successor = _successors(one.order, set(standing)).get(step)
            standing.insert(len(standing) if successor is None else standing.index(successor), step)
    holder[:] = [items[step] for step in _with_new(standing, [one for one in present if one.is_new])]


def _with_new(standing: list[str], assignments: Sequence[Assignment]) -> Iterator[str]:
    """The steps of a list's old items, each after the new ones that come before it."""
    old = set(standing)
    successors = {order: _successors(order, old) for order in {one.order for one in assignments}}
    preceding: dict[str | None, list[str]] = defaultdict(list)
    for one in assignments:
        step = last_step(one.path)
        preceding[successors[one.order].get(step)].append(step)
    for step in standing:
        yield from preceding[step]
        yield step
    yield from preceding[None]


def _successors(order: Sequence[str], standing: set[str]) -> dict[str, str | None]:
    """For each item of a list that does not stand here, the nearest one after it that does."""
    successors: dict[str, str | None] = {}
    nearest: str | None = None
    for step in reversed(order):
        if step in standing:
            nearest = step
        else:
            successors[step] = nearest
    return successors
