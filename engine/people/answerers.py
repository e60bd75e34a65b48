"""Answers without a person at hand: from a file, and in a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.errors import EngineError
from engine.people.answers import PreparedAnswer, PreparedAnswers
from engine.people.branch_words import with_branches
from engine.people.given import Decided, Done
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention

SIMULATION: Final = "simulation"
"""Who answers in a simulation."""


class AnswerRefused(EngineError):
    """A prepared answer that does not fit what was asked. The instance waits on; `cause` says why."""

    def __init__(self, answer: PreparedAnswer, instance: str, cause: Exception) -> None:
        self.file, self.line, self.element, self.instance = answer.file, answer.line, answer.element, instance
        super().__init__(f"{answer.place}: {cause} (instance {instance} waits)")


class NobodyNamed(EngineError):
    """An answer without anybody's name."""

    def __init__(self, answer: PreparedAnswer) -> None:
        self.file, self.line, self.element = answer.file, answer.line, answer.element
        super().__init__(f"{answer.place}: nobody's name is given; write `by: NAME` here, or say --user NAME")


class FileAnswerer:
    """Takes answers from a file. `user` answers where the file does not say who, and has `roles`."""

    def __init__(self, answers: PreparedAnswers, user: str | None, roles: tuple[str, ...] = ()) -> None:
        self._answers, self._user, self._roles = answers, user, roles
        self._last: tuple[PreparedAnswer, str] | None = None

    def do(self, item: WorkItem) -> Done | None:
        found = self._answers.for_work_item(item)
        if found is None or found.outputs is None:
            return None
        self._last = found, item.instance
        return Done(outputs=found.outputs, by=self._by(found), roles=found.roles or self._roles)

    def decide(self, asked: Intervention) -> Decided | None:
        found = self._answers.for_intervention(asked)
        if found is None or found.decision is None:
            return None
        self._last = found, asked.instance
        return Decided(
            decision=found.decision,
            by=self._by(found),
            roles=found.roles or self._roles,
            reason=found.reason,
            values=with_branches(asked, found.values),
            shown=found.shown,
        )

    def late(self, error: Exception) -> None: ...

    def refused(self, error: Exception) -> None:
        assert self._last is not None
        raise AnswerRefused(*self._last, error) from error

    def _by(self, found: PreparedAnswer) -> str:
        by = found.by or self._user
        if by is None:
            raise NobodyNamed(found)
        return by


class SimulatedAnswerer:
    """Approves what can be approved, and takes the first branch's value where branches disagree."""

    def do(self, item: WorkItem) -> Done | None:
        return None

    def decide(self, asked: Intervention) -> Decided | None:
        values = None if "approve" in asked.options else _first_values(asked)
        return Decided(
            decision="resolve" if values else "approve",
            by=SIMULATION,
            roles=asked.roles,
            reason="simulated: nobody decided this",
            values=values,
        )

    def late(self, error: Exception) -> None: ...

    def refused(self, error: Exception) -> None:
        raise error


def _first_values(asked: Intervention) -> dict[str, Any] | None:
    conflicts: Any = asked.shown.get("conflicts", ()) if isinstance(asked.shown, Mapping) else ()
    return {conflict["id"]: {"take": conflict["values"][0]["branch"]} for conflict in conflicts} or None
