"""Fields of a resolved policy as text, as `FIELDS` reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bpmn.policies.fields import FIELDS, camel
from governance.policy import Approval, Budget, KnowledgeRequirement, Policy

_POLICY_FIELDS: Final[Mapping[str, str]] = {"branchStrategy.keys": "merge_keys"}


def policy_field(name: str) -> str:
    """The field of `Policy` that a name of `FIELDS` stands for."""
    return _POLICY_FIELDS.get(name, FIELDS[name].path[-1])


def as_text(name: str, policy: Policy) -> str:
    """A field's value; "" where there is none. Reading it gives the value again."""
    value = getattr(policy, policy_field(name))
    if value is None:
        return ""
    return _TEXTS.get(name, _plain)(value)


def _plain(value: Any) -> str:
    return _names(value) if isinstance(value, tuple) else str(getattr(value, "value", value))


def _names(names: Sequence[str]) -> str:
    if any("," in name or "\n" in name for name in names):
        return json.dumps(list(names), ensure_ascii=False)
    return ", ".join(names)


def _strategies(strategies: Mapping[str, Any]) -> str:
    pairs = {key: _plain(strategy) for key, strategy in strategies.items()}
    if any(mark in key for key in pairs for mark in ",\n="):
        return json.dumps(pairs, ensure_ascii=False)
    return ", ".join(f"{key}={strategy}" for key, strategy in pairs.items())


def _requirements(items: Sequence[KnowledgeRequirement]) -> str:
    usual = KnowledgeRequirement.model_fields["min_confidence"].default
    if any(each.min_confidence != usual or "\n" in each.query or "|" in each.type for each in items):
        return json.dumps([_camel_keys(each.model_dump(mode="json")) for each in items], ensure_ascii=False)
    return "\n".join(f"{each.type}|{each.count}|{each.query}" for each in items)


def _approval(approval: Approval) -> str:
    given = approval.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(_camel_keys(given), ensure_ascii=False) if given else ""


def _budget(budget: Budget) -> str:
    given = budget.model_dump(mode="json", exclude_none=True)
    own = given.get("activity") or {}
    shared = {f"instance.{unit}": amount for unit, amount in (given.get("instance") or {}).items()}
    return ", ".join(f"{unit}={amount}" for unit, amount in {**own, **shared}.items())


def _camel_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    return {camel(name): value for name, value in values.items()}


_TEXTS: Final[Mapping[str, Callable[[Any], str]]] = {
    "branchStrategy.keys": _strategies,
    "knowledgeRequirements": _requirements,
    "approval": _approval,
    "budget": _budget,
}
