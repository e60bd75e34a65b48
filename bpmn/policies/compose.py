"""An element's settings, of whatever dialects, as one config: checked one by one, and against each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bpmn.findings import Finding, near_match
from bpmn.policies.fields import FIELDS, Field, Value, camel
from bpmn.policies.own import CHILD_ATTRIBUTES, CHILDREN
from bpmn.policies.setting import Setting
from governance.policy import ActivityExtensionConfig, Approval, BranchStrategy, Budget, KnowledgeRequirement

Path: TypeAlias = tuple[str, ...]

_KEYS: Path = ("branch_strategy", "keys")
_PARTS: Mapping[str, type[BaseModel]] = {
    "knowledge_requirements": KnowledgeRequirement,
    "branch_strategy": BranchStrategy,
    "approval": Approval,
    "budget": Budget,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A policy as written on one element, and by field of `Policy` the line that sets it."""

    element: str
    config: ActivityExtensionConfig
    lines: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class _Leaf:
    value: Any
    setting: Setting


class Composer:
    """Puts the settings of one element together."""

    def __init__(self, file: str, element: str) -> None:
        self._file, self._element = file, element
        self._leaves: dict[Path, _Leaf] = {}
        self.findings: list[Finding] = []

    def compose(self, settings: Iterable[Setting]) -> Written | None:
        """The policy, of the settings that are right; None where there are none. `findings` tell of the others."""
        for setting in settings:
            field = FIELDS.get(setting.name)
            if field is None:
                self._unknown(setting)
                continue
            config = self._validated(setting, field)
            if config is not None:
                for path, value in _leaves_of(config, field.path):
                    self._put(path, value, setting)
        if not self._leaves:
            return None
        values = _nested({path: leaf.value for path, leaf in self._leaves.items()})
        return Written(
            element=self._element,
            config=ActivityExtensionConfig.model_validate(values),
            lines={_policy_field(path): leaf.setting.line for path, leaf in self._leaves.items()},
        )

    def _validated(self, setting: Setting, field: Field) -> ActivityExtensionConfig | None:
        try:
            value = field.read(setting.value) if isinstance(setting.value, str) else setting.value
        except ValueError as error:
            self._report("policy-value", f"{setting.name}: {error}", setting, setting.value, field.allowed)
            return None
        if value in ("", [], {}):
            return None
        try:
            return ActivityExtensionConfig.model_validate(_nested({field.path: value}))
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self._wrong(setting, field, detail)
            return None

    def _put(self, path: Path, value: Any, setting: Setting) -> None:
        first = self._leaves.setdefault(path, _Leaf(value, setting))
        if first.value != value:
            name = ".".join(map(camel, path))
            found = f"{_shown(first.value)} ({first.setting.source}) and {_shown(value)} ({setting.source})"
            self._report("policy-conflict", f"two values for {name}", setting, found, ("one value, or the same twice",))

    def _unknown(self, setting: Setting) -> None:
        allowed = (*FIELDS, *CHILDREN)
        near = near_match(setting.name, (*allowed, *CHILD_ATTRIBUTES))
        message = "a policy has no such field" + (f"; did you mean {near}?" if near else "")
        self._report("policy-field", message, setting, setting.name, allowed)

    def _wrong(self, setting: Setting, field: Field, detail: ErrorDetails) -> None:
        place = [str(part) for part in detail["loc"]]
        inner = place[len(field.path) :]
        name = ".".join([setting.name, *(camel(part) for part in inner if not part.isdigit())])
        if detail["type"] == "extra_forbidden":
            known = tuple(map(camel, _PARTS[place[0]].model_fields)) if place[0] in _PARTS else ()
            near = near_match(camel(place[-1]), known)
            message = f"{setting.name} has no such field" + (f"; did you mean {near}?" if near else "")
            self._report("policy-field", message, setting, camel(place[-1]), known)
            return
        if detail["type"] == "missing":
            self._report("policy-value", f"{name} is missing", setting, None, field.allowed)
            return
        allowed = _allowed(detail)
        near = near_match(str(detail["input"]), allowed) if detail["type"] == "enum" else None
        message = f"{name}: wrong value" + (f"; did you mean {near}?" if near else "")
        self._report("policy-value", message, setting, detail["input"], allowed)

    def _report(self, rule: str, message: str, setting: Setting, found: Value, allowed: tuple[str, ...]) -> None:
        self.findings.append(
            Finding(
                rule=rule,
                severity="error",
                file=self._file,
                message=message,
                element=self._element,
                line=setting.line,
                found=None if found is None else str(found)[:200],
                allowed=allowed,
            )
        )


def _policy_field(path: Path) -> str:
    """The field of `Policy` that a place in the config becomes."""
    if path[0] != "branch_strategy":
        return path[0]
    return "merge_keys" if path[:2] == _KEYS else path[1]


def _leaves_of(config: ActivityExtensionConfig, path: Path) -> Iterator[tuple[Path, Any]]:
    """The value at the path; of strategies by key, each key's own."""
    value: Any = config
    for name in path:
        value = getattr(value, name)
    if path == _KEYS:
        yield from (((*path, key), strategy) for key, strategy in value.items())
    else:
        yield path, value


def _nested(values: Mapping[Path, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, value in values.items():
        branch = tree
        for name in path[:-1]:
            branch = branch.setdefault(name, {})
        branch[path[-1]] = value
    return tree


def _allowed(detail: ErrorDetails) -> tuple[str, ...]:
    expected = detail.get("ctx", {}).get("expected")
    if expected is not None:
        return tuple(re.findall(r"'([^']*)'", str(expected)))
    return (re.sub(r"^(Input|Value) should (be|have) |, unable to .*", "", detail["msg"]),)


def _shown(value: Any) -> str:
    return str(value.model_dump(mode="json", exclude_unset=True)) if isinstance(value, BaseModel) else str(value)
