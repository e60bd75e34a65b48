"""Functions that look into lists or change them (DMN 1.5, 10.3.4.4). Positions count from 1, or from -1 at the end."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.values.compare import same
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.numbers import truncated
from bpmn.expressions.feel.values.weight import weigh

LISTS: Final = Library()


@LISTS.define("list contains(list: list, element: any)")
def _contains(evaluation: Evaluation, items: list[Any], element: Any) -> bool:
    weigh(items, evaluation.charge)
    return any(same(item, element) for item in items)


@LISTS.define("count(list: list)")
def _count(_: Evaluation, items: list[Any]) -> Decimal:
    return Decimal(len(items))


@LISTS.define("sublist(list: list, start position: number, length?: number)")
def _sublist(_: Evaluation, items: list[Any], start: Decimal, length: Decimal | None) -> list[Any]:
    first = _index(items, start)
    if length is None:
        return items[first:]
    count = truncated(length)
    if count < 1 or first + count > len(items):
        raise refused(f"length is {count}, and so many items are not there")
    return items[first : first + count]


@LISTS.define("append(list: list, item...: any)")
def _append(evaluation: Evaluation, items: list[Any], more: list[Any]) -> list[Any]:
    return bounded(evaluation, [*items, *more])


@LISTS.define("concatenate(list...: list)")
def _concatenate(evaluation: Evaluation, lists: list[list[Any]]) -> list[Any]:
    return joined(evaluation, lists)


@LISTS.define("insert before(list: list, position: number, newItem: any)")
def _insert(evaluation: Evaluation, items: list[Any], position: Decimal, new: Any) -> list[Any]:
    index = _index(items, position)
    return bounded(evaluation, [*items[:index], new, *items[index:]])


@LISTS.define("remove(list: list, position: number)")
def _remove(evaluation: Evaluation, items: list[Any], position: Decimal) -> list[Any]:
    index = _index(items, position)
    return bounded(evaluation, [*items[:index], *items[index + 1 :]])


@LISTS.define("list replace(list: list, position: number, newItem: any)")
def _replace_at(evaluation: Evaluation, items: list[Any], position: Decimal, new: Any) -> list[Any]:
    index = _index(items, position)
    return bounded(evaluation, [*items[:index], new, *items[index + 1 :]])


@LISTS.define("list replace(list: list, match: function, newItem: any)")
def _replace_matching(evaluation: Evaluation, items: list[Any], match: FeelFunction, new: Any) -> list[Any]:
    least, most = match.arity()
    if not least <= 2 <= most:
        raise refused("match takes not two arguments: an item and the new item")
    replaced = []
    for item in items:
        evaluation.charge(1)
        found = match.call(evaluation, [item, new])
        if type(found) is not bool:
            raise FeelMismatch("true or false", found, reason="match gives neither true nor false")
        replaced.append(new if found else item)
    return replaced


@LISTS.define("reverse(list: list)")
def _reverse(evaluation: Evaluation, items: list[Any]) -> list[Any]:
    return bounded(evaluation, items[::-1])


@LISTS.define("index of(list: list, match: any)")
def _index_of(evaluation: Evaluation, items: list[Any], match: Any) -> list[Decimal]:
    weigh(items, evaluation.charge)
    return [Decimal(index) for index, item in enumerate(items, 1) if same(item, match)]


@LISTS.define("union(list...: list)")
def _union(evaluation: Evaluation, lists: list[list[Any]]) -> list[Any]:
    return distinct(evaluation, joined(evaluation, lists))


@LISTS.define("distinct values(list: list)")
def _distinct(evaluation: Evaluation, items: list[Any]) -> list[Any]:
    return distinct(evaluation, items)


@LISTS.define("duplicate values(list: list)")
def _duplicates(evaluation: Evaluation, items: list[Any]) -> list[Any]:
    """Camunda's: the items that are there more than once, each once."""
    return [item for item, count in _counted(evaluation, items) if count > 1]


@LISTS.define("flatten(list: list)")
def _flatten(evaluation: Evaluation, items: list[Any]) -> list[Any]:
    flat: list[Any] = []
    todo = [iter(items)]
    while todo:
        for item in todo[-1]:
            evaluation.charge(1)
            if type(item) is list:
                todo.append(iter(item))
                break
            flat.append(item)
        else:
            todo.pop()
    return bounded(evaluation, flat)


def distinct(evaluation: Evaluation, items: list[Any]) -> list[Any]:
    """The items without those equal to one before them."""
    return [item for item, _ in _counted(evaluation, items)]


def _counted(evaluation: Evaluation, items: list[Any]) -> list[tuple[Any, int]]:
    """Each different item and how often it is there, the first first. Scalars are looked up, others compared."""
    places: dict[tuple[type, Any], int] = {}
    kept: list[tuple[Any, int]] = []
    others: list[int] = []
    for item in items:
        if type(item) in (str, Decimal, bool, type(None)):
            place = places.setdefault((type(item), item), len(kept))
        else:
            evaluation.charge((1 + weigh(item, evaluation.charge)) * len(others))
            place = next((each for each in others if same(kept[each][0], item)), len(kept))
            others += [place] if place == len(kept) else []
        if place == len(kept):
            kept.append((item, 1))
        else:
            kept[place] = (kept[place][0], kept[place][1] + 1)
    return kept


def joined(evaluation: Evaluation, lists: list[list[Any]]) -> list[Any]:
    """One list of several. Raises LimitReached before it is made if it would be too long."""
    most = evaluation.run.limits.items
    if sum(map(len, lists)) > most:
        raise LimitReached("items", most)
    return bounded(evaluation, [item for items in lists for item in items])


def bounded(evaluation: Evaluation, items: list[Any]) -> list[Any]:
    """A new list, its work paid. Raises LimitReached if it is too long."""
    most = evaluation.run.limits.items
    if len(items) > most:
        raise LimitReached("items", most)
    evaluation.charge(len(items) // 16)
    return items


def _index(items: list[Any], position: Decimal) -> int:
    place = truncated(position)
    if place == 0 or abs(place) > len(items):
        raise refused(f"there is no position {place} in a list of {len(items)}")
    return place - 1 if place > 0 else len(items) + place
