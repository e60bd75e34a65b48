"""DESIGN_TIME of the human loop: how far a person has to look at a definition, alone or against the one it replaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bpmn.definition import Definition, Element
from bpmn.findings import Finding
from bpmn.policies.fields import camel
from bpmn.reader.jobs import JOB_KINDS
from bpmn.walk import elements
from engine.json_text import compact
from governance.human_loop.detector import HumanLoopTriggerDetector, Verdict
from governance.human_loop.facts import DesignFacts
from governance.policy import Policy
from governance.vocabulary import InteractionLevel, Trigger

_POLICY_RULES: Final = "policy-"
_ACTIVITIES: Final = JOB_KINDS | {"userTask", "manualTask", "scriptTask", "callActivity"}
_LISTED: Final = 4
_SPELT: Final = {
    "merge": "branchStrategy.merge",
    "merge_keys": "branchStrategy.keys",
    "split": "branchStrategy.split",
}


@dataclass(frozen=True, slots=True)
class Review:
    """What came of it. `score` is that of the design, 0..1; `facts` what was found, `verdict` the cell it stands in."""

    facts: DesignFacts
    verdict: Verdict

    @property
    def score(self) -> float:
        return self.facts.review_score

    def to_json(self) -> dict[str, Any]:
        return {
            "trigger": self.verdict.trigger.value,
            "level": self.verdict.level.value,
            "reasons": list(self.verdict.reasons),
            "score": round(self.score, 4),
            "changed": list(self.facts.changed),
            "key_rules": list(self.facts.key_rules),
        }


def review(definition: Definition, findings: Iterable[Finding], base: Definition | None = None) -> Review:
    """Judge a definition by what was found in it, and by how its policies differ from those of `base`."""
    found = list(findings)
    key_rules, changed = _changes(base, definition) if base is not None else ((), ())
    facts = DesignFacts(
        invalid=tuple(_told(each) for each in found if _invalid(each)),
        key_rules=key_rules,
        changed=changed,
        errors=tuple(_told(each) for each in found if each.severity == "error" and not _invalid(each)),
        warnings=tuple(_told(each) for each in found if each.severity == "warning"),
        activities=len([element for element in _elements(definition) if element.kind in _ACTIVITIES]),
    )
    return Review(facts, HumanLoopTriggerDetector().evaluate(Trigger.DESIGN_TIME, facts))


def _invalid(finding: Finding) -> bool:
    return finding.severity == "error" and finding.rule.startswith(_POLICY_RULES)


def _told(finding: Finding) -> str:
    return f"{finding.rule} {finding.element}" if finding.element else finding.rule


def _elements(definition: Definition) -> Iterator[Element]:
    for process in definition.processes.values():
        yield from elements(process)


def _changes(base: Definition, definition: Definition) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Key rules and other policy fields that changed, each with the elements where: of elements that both have.

    An activity that is gone takes its floor with it, which lowers a level.
    """
    old, new = _policies(base), _policies(definition)
    found: dict[tuple[str, bool], list[str]] = {}
    for name, before in old.items():
        after = new.get(name)
        if after is not None:
            for change in _differences(before, after):
                found.setdefault(change, []).append(name)
        elif before.interaction_level is not InteractionLevel.AUTO_ALLOW:
            found.setdefault((f"interactionLevel {before.interaction_level.value} gone", True), []).append(name)
    told = [(f"{text} at {_listed(names)}", is_key) for (text, is_key), names in found.items()]
    return tuple(text for text, is_key in told if is_key), tuple(text for text, is_key in told if not is_key)


def _policies(definition: Definition) -> dict[str, Policy]:
    """The resolved policy of each process and element."""
    found = {process.id: process.policy.policy for process in definition.processes.values()}
    return found | {element.id: element.resolved.policy for element in _elements(definition)}


def _differences(before: Policy, after: Policy) -> Iterator[tuple[str, bool]]:
    """Per changed field, what changed and whether it is a key rule."""
    if before == after:
        return
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    for name in Policy.model_fields:
        if old[name] != new[name]:
            change = f"{_value(old[name], new[name])} -> {_value(new[name], old[name])}"
            yield f"{_SPELT.get(name, camel(name))} {change}", _is_key(name, before, after)


def _is_key(name: str, before: Policy, after: Policy) -> bool:
    if name == "retain_keys":
        return not set(before.retain_keys) <= set(after.retain_keys)
    if name == "interaction_level":
        return not after.interaction_level.at_least(before.interaction_level)
    return name in ("merge", "merge_keys")


def _value(value: Any, other: Any) -> str:
    """A field's value; of an object only what differs from the other one."""
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        value = {name: part for name, part in value.items() if name not in other or other[name] != part}
    return value if isinstance(value, str) else compact(value)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
