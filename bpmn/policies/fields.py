"""The fields of a policy in XML: their names there, their place in `ActivityExtensionConfig`, how text is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, get_args

from pydantic import BaseModel

from bpmn.reader.decisions import DECISION_KINDS
from bpmn.reader.jobs import JOB_KINDS
from bpmn.timers import DURATION_FORMS, parse_duration
from governance.policy import ActivityExtensionConfig, Approval, BranchStrategy, KnowledgeRequirement

Value = Any
"""What a policy says for a field: text, or JSON values built of the attributes of child elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field: `path` in the config, and the reading of its text (a `ValueError` says what is wrong)."""

    path: tuple[str, ...]
    read: Callable[[str], Value]
    allowed: tuple[str, ...]


def choices(model: type[BaseModel], name: str) -> tuple[str, ...]:
    """The values of a field that is an enum."""
    kinds = [kind for kind in _inner_types(model.model_fields[name].annotation) if issubclass(kind, Enum)]
    return tuple(member.value for kind in kinds for member in kind)


def _inner_types(annotation: Any) -> list[type]:
    if isinstance(annotation, type) and not get_args(annotation):
        return [annotation]
    return [kind for argument in get_args(annotation) for kind in _inner_types(argument)]


def camel(name: str) -> str:
    """`min_confidence` as XML spells it: `minConfidence`."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def snake(name: str) -> str:
    """`minConfidence` as the models spell it: `min_confidence`."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: f"_{match.group().lower()}", name)


def _text(text: str) -> str:
    return text


def _duration(text: str) -> str:
    parse_duration(text)
    return text


def _names(text: str) -> list[str]:
    if text.startswith("["):
        return [str(name) for name in _json(text, list)]
    return [name for part in re.split(r"[,\n]", text) if (name := part.strip())]


def _strategies(text: str) -> Mapping[str, Value]:
    if text.startswith("{"):
        return {str(key): strategy for key, strategy in _json(text, dict).items()}
    pairs = [part.partition("=") for part in re.split(r"[,\n]", text) if part.strip()]
    if not all(equals and key.strip() for key, equals, _ in pairs):
        raise ValueError("a strategy per key is written key=STRATEGY")
    return {key.strip(): strategy.strip() for key, _, strategy in pairs}


def _requirements(text: str) -> list[Mapping[str, Value]]:
    if text.startswith("["):
        return [_snake_keys(item) for item in _json(text, list)]
    return [_requirement_line(line) for line in text.splitlines() if line.strip()]


def _requirement_line(line: str) -> Mapping[str, Value]:
    kind, *rest = (part.strip() for part in line.split("|", 2))
    count, query = (rest[0], rest[1]) if len(rest) > 1 else ("", rest[0] if rest else "")
    return {"type": kind, "query": query, **({"count": count} if count else {})}


def _approval(text: str) -> Mapping[str, Value]:
    return _snake_keys(_json(text, dict))


def _budget(text: str) -> Mapping[str, Value]:
    if text.startswith("{"):
        return _snake_keys(_json(text, dict))
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"[,\n]", text):
        name, equals, amount = (each.strip() for each in part.partition("="))
        pool, _, unit = name.rpartition(".")
        if not (equals and unit and amount):
            raise ValueError("a budget is written unit=NUMBER")
        found.setdefault(pool or "activity", {})[unit] = amount
    return found


def _snake_keys(item: Any) -> Mapping[str, Value]:
    if not isinstance(item, dict):
        raise ValueError(f"{item!r} is no JSON object")
    return {snake(key): value for key, value in item.items()}


def _json(text: str, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from error
    if not isinstance(value, kind):
        raise ValueError(f"not a JSON {'list' if kind is list else 'object'}")
    return value


def _members(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(map(camel, model.model_fields))


_LIMITS = (
    "tokens=NUMBER, cost=NUMBER, minutes=NUMBER, and the same behind `instance.`",
    "a JSON object with activity and instance, each an object with tokens, cost, minutes",
)
_COUNT = ("a whole number from 1",)
_LIST = ("names or globs, separated by commas or lines", "a JSON list")
_PEOPLE = ("people or roles, separated by commas or lines", "a JSON list")
_MERGES = choices(BranchStrategy, "merge")

FIELDS: Final[Mapping[str, Field]] = {
    "workingThreshold": Field(path=("working_threshold",), read=_text, allowed=_COUNT),
    "retainKeys": Field(path=("retain_keys",), read=_names, allowed=_LIST),
    "compressStrategy": Field(
        path=("compress_strategy",), read=_text, allowed=choices(ActivityExtensionConfig, "compress_strategy")
    ),
    "interactionLevel": Field(
        path=("interaction_level",), read=_text, allowed=choices(ActivityExtensionConfig, "interaction_level")
    ),
    "knowledgeRequirements": Field(
        path=("knowledge_requirements",),
        read=_requirements,
        allowed=("lines type|count|query", f"a JSON list of objects with {', '.join(_members(KnowledgeRequirement))}"),
    ),
    "branchStrategy.split": Field(
        path=("branch_strategy", "split"), read=_text, allowed=choices(BranchStrategy, "split")
    ),
    "branchStrategy.merge": Field(path=("branch_strategy", "merge"), read=_text, allowed=_MERGES),
    "branchStrategy.keys": Field(path=("branch_strategy", "keys"), read=_strategies, allowed=_MERGES),
    "approval": Field(
        path=("approval",), read=_approval, allowed=(f"a JSON object with {', '.join(_members(Approval))}",)
    ),
    "windowTokens": Field(path=("window_tokens",), read=_text, allowed=_COUNT),
    "budget": Field(path=("budget",), read=_budget, allowed=_LIMITS),
    "personalKeys": Field(path=("personal_keys",), read=_names, allowed=_LIST),
    "qtsPreset": Field(path=("qts_preset",), read=_text, allowed=choices(ActivityExtensionConfig, "qts_preset")),
    "zones": Field(path=("zones",), read=_text, allowed=choices(ActivityExtensionConfig, "zones")),
    "accountable": Field(path=("accountable",), read=_text, allowed=("a person's name",)),
    "riskClass": Field(path=("risk_class",), read=_text, allowed=choices(ActivityExtensionConfig, "risk_class")),
    "retention": Field(path=("retention",), read=_duration, allowed=DURATION_FORMS),
    "sla": Field(path=("sla",), read=_duration, allowed=DURATION_FORMS),
    "informed": Field(path=("informed",), read=_names, allowed=_PEOPLE),
}
"""By the name used in attributes, `gov:setting` and vendors' properties."""

OTHER_ATTRIBUTES: Final[Mapping[str, frozenset[str]]] = {
    "jobType": JOB_KINDS,
    "decision": DECISION_KINDS,
    "resultVariable": DECISION_KINDS,
    "mapDecisionResult": DECISION_KINDS,
    "correlationKey": frozenset({"message"}),
    "timeToLive": frozenset({"message"}),
    **dict.fromkeys(("assignee", "candidateUsers", "candidateGroups", "due"), frozenset({"userTask", "manualTask"})),
}
"""`gov:` attributes that say something else than policy, and the kinds of element that may have them."""
