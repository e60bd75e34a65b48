"""Instances that the library itself saved, as the rows of our driver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from SpiffWorkflow.util.task import TaskState

from engine.spiff.joins import VIA
from engine.spiff.state import Row

Saved = dict[str, Any]
_HERE: Final = TaskState.ANY_MASK & ~TaskState.PREDICTED_MASK & ~TaskState.FUTURE


def numbered(dct: Saved) -> Saved:
    """A saved instance with `rows`, and with numbers for ids: in the order of the trees, outer scopes first."""
    if "rows" in dct:
        return dct
    numbers = {key: str(number) for number, key in enumerate(_in_order(dct), 1)}
    scopes = {key: each for key, each in dct["subprocesses"].items() if key in numbers}
    rows: dict[str, Row] = {f"s{numbers[key]}": [each["spec"]] for key, each in scopes.items()}
    for opener, scope in (("", dct), *scopes.items()):
        rows |= _rows(scope, numbers, opener)
    inner = {numbers[key]: _renumbered(each, numbers) for key, each in scopes.items()}
    return {**_renumbered(dct, numbers), "subprocesses": inner, "rows": rows, "counter": len(numbers)}


def _in_order(dct: Saved) -> Iterator[str]:
    todo = [(dct["tasks"], dct["root"])]
    while todo:
        tasks, key = todo.pop(0)
        if tasks[key]["state"] & _HERE:
            yield key
            todo += [(tasks, child) for child in tasks[key]["children"]]
            inner = dct["subprocesses"].get(key)
            if inner is not None:
                todo.append((inner["tasks"], inner["root"]))


def _rows(scope: Saved, numbers: Mapping[str, str], opener: str) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for key, task in scope["tasks"].items():
        if key in numbers:
            above = scope["tasks"].get(task["parent"] or "")
            via = {} if above is None else {VIA: above["task_spec"]}
            number = int(numbers[key])
            rows[f"t{number}"] = [
                int(numbers.get(opener, "0")), task["task_spec"], task["state"],
                None if above is None else int(numbers[task["parent"]]), number, int(task["triggered"]),
                {**task["internal_data"], **via}, 0, 1, None, None,
            ]  # fmt: skip
    return rows


def _renumbered(scope: Saved, numbers: Mapping[str, str]) -> Saved:
    tasks = {numbers[key]: task for key, task in scope["tasks"].items() if key in numbers}
    return {**scope, "tasks": tasks, "last_task": numbers.get(scope["last_task"] or ""), "root": numbers[scope["root"]]}
