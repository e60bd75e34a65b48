"""The answer that the options of `governor inbox answer` give."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cli.errors import BadOption
from engine.cli.variables import json_object
from engine.people.branch_words import with_branches
from engine.people.given import Decided, Done
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Decision, Intervention


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenOptions:
    """The answer as the options of `inbox answer` say it, JSON not yet read."""

    decision: Decision | None
    values: str | None
    outputs: str | None
    reason: str
    shown: str | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.decision or self.values or self.outputs or self.reason)


class GivenAnswerer:
    """Gives the answer of the options, once."""

    def __init__(self, given: GivenOptions, by: str | None, roles: tuple[str, ...]) -> None:
        self._given, self._name, self._roles = given, by, roles

    def do(self, item: WorkItem) -> Done:
        if self._given.decision is not None:
            raise BadOption("--decision", self._given.decision, f"{item.id} is a task; give --outputs")
        return Done(outputs=json_object("--outputs", self._given.outputs or "{}"), by=self._by(), roles=self._roles)

    def decide(self, asked: Intervention) -> Decided:
        given = self._given
        allowed = ", ".join(asked.options)
        if given.outputs is not None:
            raise BadOption("--outputs", given.outputs, f"{asked.id} is a question; give --decision ({allowed})")
        if given.decision is None:
            raise BadOption("--decision", "", f"{asked.id} is a question; allowed: {allowed}")
        values = None if given.values is None else json_object("--values", given.values)
        return Decided(
            decision=given.decision,
            by=self._by(),
            roles=self._roles,
            reason=given.reason,
            values=with_branches(asked, values),
            shown=given.shown,
        )

    def late(self, error: Exception) -> None:
        raise error

    def refused(self, error: Exception) -> None:
        raise error

    def _by(self) -> str:
        if not self._name:
            raise BadOption("--by", "", "say who answers: --by NAME")
        return self._name
