"""Lets people name a branch of a conflict by where it leads, instead of by its whole name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.context_names import arm_of
from governance.human_loop.intervention import Intervention
from governance.merging.conflicts import names_of


def with_branches(asked: Intervention, values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """`values` for a conflict with `{"take": arm}` as `{"take": branch}`, where one branch only leads there.

    What names a branch already, or nothing known, stays as it is: the merge will say what there is.
    """
    if values is None or asked.kind != "conflict" or not isinstance(asked.shown, Mapping):
        return None if values is None else dict(values)
    branches = _branches(asked.shown)
    return {place: _full(value, branches.get(place, ())) for place, value in values.items()}


def _branches(shown: Mapping[str, Any]) -> dict[str, list[str]]:
    """The branches that have a say, by whatever the conflict may be called."""
    found: dict[str, list[str]] = {}
    for conflict in shown["conflicts"]:
        branches = [value["branch"] for value in conflict["values"]]
        found.update(dict.fromkeys(names_of(conflict["id"], conflict["key"], conflict["path"]), branches))
    return found


def _full(value: Any, branches: list[str] | tuple[()]) -> Any:
    if not isinstance(value, Mapping) or set(value) != {"take"} or value["take"] in branches:
        return value
    meant = [branch for branch in branches if (arm := arm_of(branch)) and "+".join(arm.to) == value["take"]]
    return {"take": meant[0]} if len(meant) == 1 else value
