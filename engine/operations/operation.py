"""What an operator wants to do to an instance: plain data, so that it can be shown, asked about, and done later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from engine.errors import EngineError

Action = Literal["cancel", "suspend", "unsuspend", "retry", "skip", "edit", "move", "migrate", "untaint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """`action` by somebody, for a reason.

    `element` is what it is about, `to` where a token is moved, `branch` whose token is meant (None: the only one).
    `values` and `deleted` are variables to set and to take away, `names` others that are meant. `definition` is the
    hash of the one to migrate to, `mapping` says which element there stands for which here, and `details` is what a
    person is shown of that.
    """

    action: Action
    by: str
    reason: str = ""
    element: str | None = None
    to: str | None = None
    branch: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    deleted: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    definition: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    def migration(self, instance: str) -> tuple[str, str, Mapping[str, str]]:
        """What `Migrations.begun` takes."""
        assert self.definition is not None
        return instance, self.definition, self.mapping

    def dump(self) -> dict[str, Any]:
        """As JSON, without what it says nothing about."""
        said = {name: value for name, value in asdict(self).items() if value not in (None, "", {}, ())}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Operation:
        listed = {name: tuple(data.get(name, ())) for name in ("deleted", "names")}
        return cls(**{**data, **listed})


class OperationRefused(EngineError):
    """The policy is AUTO_DENY: nobody is asked, it is on record, and it is not done."""

    def __init__(self, instance: str, action: str, element: str | None) -> None:
        self.instance, self.action, self.element = instance, action, element
        about = f" {element}" if element else ""
        super().__init__(f"instance {instance}: {action}{about} is refused by its policy (AUTO_DENY)")


class NotPossible(EngineError):
    """An operation that does not fit the instance as it stands; nothing changed."""

    def __init__(self, instance: str, action: str, why: str) -> None:
        self.instance, self.action, self.why = instance, action, why
        super().__init__(f"instance {instance}: cannot {action}: {why}")
