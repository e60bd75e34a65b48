"""Answers what an instance waits for, as long as somebody has an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.governor import Governor
from engine.people.answering import AlreadyDone, NotForThem, WrongOutputs
from engine.people.given import Answerer
from engine.people.hunks import WrongHunks
from engine.result import RunResult
from governance.human_loop.errors import AlreadyClosed, InterventionError
from governance.merging.errors import MergeDenied, MergeOpen, UnknownAnswer

_REFUSALS = (WrongOutputs, NotForThem, WrongHunks, InterventionError, UnknownAnswer, MergeOpen, MergeDenied)


class Conversation:
    """Asks each of `answerers` in turn about each task and intervention that an instance waits for."""

    def __init__(self, governor: Governor, answerers: Sequence[Answerer]) -> None:
        self._governor, self._answerers = governor, answerers

    def go_on(self, result: RunResult) -> RunResult:
        """Run the instance on until nobody has an answer to what it still waits for, or it has ended.

        What an answerer passes over is not offered again. Raises what an answerer makes of a refusal, StoreError.
        """
        passed: set[str] = set()
        while (waiting := _next(result, passed)) is not None:
            answered = self.ask(waiting["id"], task=waiting["kind"] == "work_item")
            if answered is None:
                passed.add(waiting["id"])
            else:
                result = answered
        return result

    def ask(self, id: str, *, task: bool) -> RunResult | None:
        """Ask about one thing, a task or an intervention; None if nobody has an answer."""
        ask = self._ask_to_do if task else self._ask_to_decide
        for answerer in self._answerers:
            answered = ask(answerer, id)
            if answered is not None:
                return answered
        return None

    def _ask_to_do(self, answerer: Answerer, id: str) -> RunResult | None:
        item = self._governor.store.work_item(id)
        while (done := answerer.do(item)) is not None:
            try:
                return self._governor.complete(id, done.outputs, by=done.by, roles=done.roles)
            except AlreadyDone as error:
                answerer.late(error)
                return self._governor.result(item.instance)
            except _REFUSALS as error:
                answerer.refused(error)
        return None

    def _ask_to_decide(self, answerer: Answerer, id: str) -> RunResult | None:
        asked = self._governor.store.intervention(id)
        while (given := answerer.decide(asked)) is not None:
            try:
                return self._governor.answer(
                    id,
                    given.decision,
                    by=given.by,
                    reason=given.reason,
                    values=given.values,
                    roles=given.roles,
                    shown_hash=given.shown_hash(asked),
                )
            except AlreadyClosed as error:
                answerer.late(error)
                return self._governor.result(asked.instance)
            except _REFUSALS as error:
                answerer.refused(error)
        return None


def _next(result: RunResult, passed: set[str]) -> Mapping[str, Any] | None:
    askable = (each for each in result.waiting if each["kind"] in ("work_item", "intervention"))
    return next((each for each in askable if each["id"] not in passed), None)
