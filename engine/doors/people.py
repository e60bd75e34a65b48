"""What people do with an instance: answer, hand on, do a task. Of two programs at once the first wins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.moving import Mover
from engine.operations.migration.migrations import Migrations
from engine.operations.operating import KIND, asked_for
from engine.people.answering import AlreadyDone, answer_intervention, check_done
from engine.result import RunResult
from engine.results import Results
from engine.session import Session
from engine.status import Status
from engine.store.port import InstanceStore
from governance.human_loop.errors import AlreadyClosed
from governance.human_loop.intervention import Decision, Delegation, Intervention
from governance.human_loop.passing_on import delegate
from governance.ports import Clock, timestamp


class PeopleDoor:
    """The part of a Governor that people use. Each move runs the instance on.

    `four_eyes` of what an operator wants to do means: not the operator. Where an operator has suspended or cancelled
    the instance, each raises InstanceSuspended or InstanceEnded.
    """

    store: InstanceStore
    _clock: Clock
    _mover: Mover
    _results: Results
    _migrations: Migrations

    def answer(
        self,
        intervention: str,
        decision: Decision,
        *,
        by: str,
        reason: str = "",
        values: Mapping[str, Any] | None = None,
        roles: Collection[str] = (),
        shown_hash: str | None = None,
    ) -> RunResult:
        """Answer an intervention, and run the instance on.

        `shown_hash` binds the answer to what was seen; None: to what is shown now. Of two answers the first one stands.
        Raises InterventionError (answered already, not allowed, incomplete ...), UnknownAnswer for a conflict it does
        not fit, UnknownTask.
        """
        first = self.store.intervention(intervention)
        at, of_operator = timestamp(self._clock.now()), first.kind == KIND

        def step(session: Session) -> None:
            asked = self.store.intervention(intervention)
            starter = (asked_for(asked).by or None) if of_operator else session.instance.starter
            with self._who_stopped(asked.instance, AlreadyClosed):
                closed = answer_intervention(
                    asked, decision, by=by, at=at, reason=reason, values=values, roles=roles,
                    starter=starter, shown_hash=shown_hash,
                )  # fmt: skip
            session.check(closed)
            session.close_intervention(closed)

        return self._mover.step(first.instance, step, load=self._loading(first, decision))

    @contextmanager
    def _who_stopped(self, instance: str, withdrawn: type[Exception]) -> Iterator[None]:
        """Where an operator was faster than who has loaded the instance, what was `withdrawn` is so by him."""
        try:
            yield
        except withdrawn:
            if Status(self.store.instance(instance).status).halted:
                raise self._mover.refusal(instance) from None
            raise

    def _loading(self, asked: Intervention, decision: Decision) -> Callable[[str], Session]:
        """How to load the instance that an answer moves: what an operator asks for may concern a suspended one."""
        if asked.kind != KIND:
            return self._mover.load
        wanted = asked_for(asked)
        if wanted.action != "migrate" or decision != "approve" or asked.status != "open":
            return self._mover.load_unended
        return lambda instance: self._mover.unended(self._migrations.begun(*wanted.migration(instance)))

    def delegate(
        self, intervention: str, to: str, *, by: str, reason: str = "", roles: Collection[str] = ()
    ) -> RunResult:
        """Hand an intervention to one person, who alone may answer it then. `roles` are those of who does so.

        Raises InterventionError (answered already, not allowed), UnknownTask.
        """
        instance, at = self.store.intervention(intervention).instance, timestamp(self._clock.now())
        given = Delegation(by=by, to=to, at=at, reason=reason)

        def step(session: Session) -> None:
            asked = self.store.intervention(intervention)
            session.delegate(delegate(asked, given, roles=roles, starter=session.instance.starter))

        return self._mover.step(instance, step)

    def complete(
        self, work_item: str, outputs: Mapping[str, Any], *, by: str, roles: Collection[str] = ()
    ) -> RunResult:
        """Do a user or manual task, and run the instance on. `roles` are those of who did it.

        Raises UnknownTask, AlreadyDone, NotForThem, WrongOutputs.
        """
        instance = self.store.work_item(work_item).instance

        def step(session: Session) -> None:
            item = self.store.work_item(work_item)
            with self._who_stopped(item.instance, AlreadyDone):
                check_done(item, outputs, by, roles)
            session.complete_work_item(item.task, dict(outputs), by)

        return self._mover.step(instance, step)
