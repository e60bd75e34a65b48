"""Reads the file of prepared answers: a list in YAML.

    - element: approve_fix            # id of the user task, or of the element that asks
      outputs: {approved: true}       # does a user or manual task
      by: maria                       # left out: the user of the run
    - element: join_findings
      decision: resolve               # approve, deny, edit or resolve: answers an intervention
      values: {cause: {take: logs}}   # for edit and resolve; `take` is a branch, or the element that it led to
      reason: the logs are conclusive
      kind: conflict                  # only for interventions of this kind, and of this `trigger`; left out: any
      roles: [lead]                   # of who answers
      times: always                   # or a number; left out: once
      shown: 1f0c9a27                 # only where what is shown has this hash, or one that begins so

Entries for the same element are used in the order of the file.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from bpmn.findings import near_match
from engine.people.answers import PreparedAnswer, PreparedAnswers
from engine.people.yaml_nodes import YamlFile, line_of
from governance.human_loop.intervention import Decision, Kind
from governance.vocabulary import Trigger

if TYPE_CHECKING:
    from yaml import Node

ALWAYS: Final = "always"
_NAMES: Final = tuple(name for name in PreparedAnswer.__dataclass_fields__ if name not in ("file", "line"))


def read_answers(path: Path) -> PreparedAnswers:
    """The answers in a file. Raises BadYaml, naming the line."""
    file = YamlFile(path)
    return PreparedAnswers(_Entry(file, node).read() for node in (file.items(file.root) if file.root else ()))


class _Entry:
    """Reads one entry of the file."""

    def __init__(self, file: YamlFile, node: Node) -> None:
        self._file, self._node = file, node
        self._fields = file.fields(node)

    def read(self) -> PreparedAnswer:
        self._check_names()
        decision = self._one_of("decision", get_args(Decision))
        outputs = self._object("outputs")
        if (decision is None) == (outputs is None):
            raise self._file.error(self._node, "an answer has either `outputs` (of a task) or a `decision`")
        if decision is None:
            for name in ("values", "kind", "trigger", "shown"):
                if name in self._fields:
                    raise self._file.error(self._fields[name], f"`{name}` goes with a `decision`, not with `outputs`")
        trigger = self._one_of("trigger", [each.value for each in Trigger])
        return PreparedAnswer(
            element=self._text("element", required=True) or "",
            file=self._file.name,
            line=line_of(self._node),
            outputs=outputs,
            decision=decision,
            values=self._object("values"),
            reason=self._text("reason") or "",
            by=self._text("by"),
            kind=self._one_of("kind", get_args(Kind)),
            trigger=None if trigger is None else Trigger(trigger),
            roles=self._roles(),
            times=self._times(),
            shown=self._text("shown"),
        )

    def _check_names(self) -> None:
        for name, node in self._fields.items():
            if name not in _NAMES:
                near = near_match(name, _NAMES)
                hint = f"; did you mean {near}?" if near else ""
                raise self._file.error(node, f"unknown field {name}{hint}; allowed: {', '.join(_NAMES)}")

    def _text(self, name: str, required: bool = False) -> str | None:
        value = self._value(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or not value.strip():
            raise self._file.error(self._fields.get(name, self._node), f"`{name}` must be text, found {value!r}")
        return value

    def _one_of(self, name: str, allowed: Collection[str]) -> Any:
        value = self._value(name)
        if value is not None and value not in allowed:
            told = f"`{name}` is {value!r}; allowed: {', '.join(allowed)}"
            raise self._file.error(self._fields[name], told)
        return value

    def _object(self, name: str) -> dict[str, Any] | None:
        if name not in self._fields:
            return None
        return {key: self._file.value(node) for key, node in self._file.fields(self._fields[name]).items()}

    def _roles(self) -> tuple[str, ...]:
        value = self._value("roles")
        roles = [value] if isinstance(value, str) else value or []
        if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
            raise self._file.error(self._fields["roles"], f"`roles` must be a list of names, found {value!r}")
        return tuple(roles)

    def _times(self) -> int | None:
        value = self._value("times")
        if value == ALWAYS:
            return None
        if value is None:
            return 1
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self._file.error(self._fields["times"], f"`times` is {value!r}; allowed: always, or 1 and more")
        return value

    def _value(self, name: str) -> Any:
        node = self._fields.get(name)
        return None if node is None else self._file.value(node)
