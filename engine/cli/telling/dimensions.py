"""The dimensions of a policy, as the columns of a matrix: in brief for a field, in full for the legend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.cli.telling.gauge import several
from governance.policy import Policy

NOTHING: Final = "-"


class Dimension(NamedTuple):
    """A column: its heading, the fields of a policy behind it, and their text."""

    title: str
    fields: tuple[str, ...]
    brief: Callable[[Policy], str]
    full: Callable[[Policy], str]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or NOTHING


def _retained(policy: Policy) -> str:
    return policy.retain_keys[0] if len(policy.retain_keys) == 1 else several(len(policy.retain_keys), "key")


def _budget(policy: Policy) -> str:
    return policy.budget.line or NOTHING


def _merge(policy: Policy) -> str:
    keys = f"{len(policy.merge_keys)} by key" if policy.merge_keys else ""
    return ", ".join(part for part in (policy.merge.value if policy.merge else "", keys) if part) or NOTHING


def _merge_full(policy: Policy) -> str:
    keys = [f"{name} {strategy.value}" for name, strategy in policy.merge_keys.items()]
    return ", ".join([policy.merge.value if policy.merge else "by default", *keys])


def _knowledge(policy: Policy) -> str:
    each = (f"{one.count} {one.type} from confidence {one.min_confidence:g}" for one in policy.knowledge_requirements)
    return _listed(tuple(each))


def _approval(policy: Policy) -> str:
    approval = policy.approval
    due = f"by {approval.due}" + (f" else {approval.default}" if approval.default else "") if approval.due else ""
    parts = (*approval.roles, "four eyes" if approval.four_eyes else "", due)
    return _listed(tuple(part for part in parts if part))


def _risk(policy: Policy) -> str:
    return policy.risk_class.value if policy.risk_class else NOTHING


def _informed(policy: Policy) -> str:
    return _listed(policy.informed)


def _number(field: str) -> Callable[[Policy], str]:
    return lambda policy: f"{getattr(policy, field):,}"


def _text(field: str) -> Callable[[Policy], str]:
    return lambda policy: getattr(policy, field) or NOTHING


def _word(field: str) -> Callable[[Policy], str]:
    return lambda policy: str(getattr(policy, field).value)


DIMENSIONS: Final = (
    Dimension("threshold", ("working_threshold",), _number("working_threshold"), _number("working_threshold")),
    Dimension(
        "retain",
        ("retain_keys",),
        lambda policy: _retained(policy) if policy.retain_keys else NOTHING,
        lambda policy: _listed(policy.retain_keys),
    ),
    Dimension("compress", ("compress_strategy",), _word("compress_strategy"), _word("compress_strategy")),
    Dimension("level", ("interaction_level",), _word("interaction_level"), _word("interaction_level")),
    Dimension(
        "knowledge",
        ("knowledge_requirements",),
        lambda policy: str(len(policy.knowledge_requirements) or NOTHING),
        _knowledge,
    ),
    Dimension("split", ("split",), _word("split"), _word("split")),
    Dimension("merge", ("merge", "merge_keys"), _merge, _merge_full),
    Dimension("approval", ("approval",), _approval, _approval),
    Dimension("budget", ("budget",), _budget, _budget),
    Dimension("window", ("window_tokens",), _number("window_tokens"), _number("window_tokens")),
    Dimension(
        "personal",
        ("personal_keys",),
        lambda policy: several(len(policy.personal_keys), "key") if policy.personal_keys else NOTHING,
        lambda policy: _listed(policy.personal_keys),
    ),
    Dimension("qts", ("qts_preset",), _word("qts_preset"), _word("qts_preset")),
    Dimension("accountable", ("accountable",), _text("accountable"), _text("accountable")),
    Dimension("risk", ("risk_class",), _risk, _risk),
    Dimension("retention", ("retention",), _text("retention"), _text("retention")),
    Dimension("sla", ("sla",), _text("sla"), _text("sla")),
    Dimension("informed", ("informed",), _informed, _informed),
    Dimension("zones", ("zones",), _word("zones"), _word("zones")),
)
"""The six dimensions, of which the branch strategy takes two columns, and what goes with them."""
