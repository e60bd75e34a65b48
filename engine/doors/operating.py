"""What those do who keep instances running: another try, an end, a stop, a change of what stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from bpmn.load import Loaded
from engine.definitions import Definitions
from engine.moving import Mover
from engine.operations.migration.migrations import Migrations
from engine.operations.migration.planning import MigrationPlan
from engine.operations.operation import Operation
from engine.refused import NotSuspended
from engine.result import RunResult
from engine.session import Session
from engine.status import Status

_NOTHING: Final[Mapping[str, Any]] = {}


class OperatingDoor:
    """The part of a Governor that operators use. All of it is on record, with who did it and why.

    Where the policy of the element that is concerned, or of the process, says DIFF_PREVIEW or EXPLICIT_APPROVAL, it is
    not done at once: somebody is asked first, by an intervention of the kind `operation` that shows what will change,
    and the result's `waiting` has it. To suspend, and to try again as things stand, nobody is asked. All raise
    OperationRefused where the policy is AUTO_DENY, InstanceEnded, UnknownInstance, and NotPossible for what does not
    fit the instance as it stands.
    """

    _mover: Mover
    _definitions: Definitions
    _migrations: Migrations

    def retry(
        self,
        instance: str,
        element: str | None = None,
        *,
        variables: Mapping[str, Any] = _NOTHING,
        by: str = "",
        reason: str = "",
    ) -> RunResult:
        """Give what failed another try, one element or all, with other `variables` if any are given.

        Raises NothingToRetry, InstanceSuspended.
        """
        wanted = Operation(action="retry", element=element, values=dict(variables), by=by, reason=reason)
        return self._operate(instance, wanted)

    def skip(
        self,
        instance: str,
        element: str,
        *,
        outputs: Mapping[str, Any] = _NOTHING,
        branch: str | None = None,
        by: str,
        reason: str = "",
    ) -> RunResult:
        """Pass over a single activity or event that failed, with `outputs` in the place of its own.

        Raises NothingToRetry, InstanceSuspended, NotPossible for what has no one way to go on.
        """
        wanted = Operation(
            action="skip", element=element, values=dict(outputs), branch=branch, by=by, reason=reason
        )
        return self._operate(instance, wanted)

    def edit(
        self,
        instance: str,
        variables: Mapping[str, Any] = _NOTHING,
        *,
        delete: Collection[str] = (),
        branch: str | None = None,
        by: str,
        reason: str = "",
    ) -> RunResult:
        """Set variables, and take some away, on a branch (None: the only one); what is asked about it is asked anew.

        Raises UnknownBranch, NotJson.
        """
        wanted = Operation(
            action="edit", values=dict(variables), deleted=tuple(delete), branch=branch, by=by, reason=reason
        )
        return self._operate(instance, wanted, stopped=True)

    def untaint(
        self, instance: str, variables: Collection[str], *, branch: str | None = None, by: str, reason: str
    ) -> RunResult:
        """Take variables on a branch (None: the only one) for clean, which came from outside or derive from what did.

        A record is named `HISTORY/NAME`, an item of knowledge `KNOWLEDGE/ID`, as the context shows them. What was
        derived from them before stays tainted. Raises UnknownBranch, and NotPossible without a reason.
        """
        wanted = Operation(action="untaint", names=tuple(variables), branch=branch, by=by, reason=reason)
        return self._operate(instance, wanted, stopped=True)

    def move(
        self, instance: str, element: str, to: str, *, branch: str | None = None, by: str, reason: str = ""
    ) -> RunResult:
        """Take the token at an element to another one of the same scope; what was going on there is given up.

        The event `token_moved` says what was left undone, what was passed over, and what will be done once more.
        """
        wanted = Operation(action="move", element=element, to=to, branch=branch, by=by, reason=reason)
        return self._operate(instance, wanted, stopped=True)

    def plan_migration(
        self, instance: str, to: str | Loaded, *, mapping: Mapping[str, str] = _NOTHING
    ) -> MigrationPlan:
        """What of an instance maps to another definition, by its hash or as it was read, and what does not.

        `mapping` says what stands for an element that has another id there: {old: new}. Nothing changes.
        Raises UnknownDefinition, and NotDeployable for what was read with errors.
        """
        target = self._definitions.main(to) if isinstance(to, str) else self._definitions.built(to)
        return self._migrations.plan(instance, target, mapping)

    def migrate(
        self, instance: str, definition: str, *, mapping: Mapping[str, str] = _NOTHING, by: str, reason: str = ""
    ) -> RunResult:
        """Let an instance go on with another definition, deployed before; its tokens stay where they are.

        Raises NotMigratable, with all that does not map, and UnknownDefinition.
        """
        planned = self.plan_migration(instance, definition, mapping=mapping)
        planned.require()
        wanted = Operation(
            action="migrate", definition=definition, mapping=dict(mapping), by=by, reason=reason,
            details=planned.to_json(),
        )  # fmt: skip
        if self._mover.load_unended(instance).asks(wanted):
            return self._operate(instance, wanted, stopped=True)
        return self._mover.step(instance, lambda session: session.operate(wanted), load=self._migrating(wanted))

    def _migrating(self, wanted: Operation) -> Callable[[str], Session]:
        return lambda instance: self._mover.unended(self._migrations.begun(*wanted.migration(instance)))

    def cancel(self, instance: str, *, by: str, reason: str = "") -> RunResult:
        """End an instance before its end: nothing of it goes on, and what people were asked is withdrawn.

        What has been done outside is not undone.
        """
        return self._operate(instance, Operation(action="cancel", by=by, reason=reason), stopped=True)

    def suspend(self, instance: str, *, by: str, reason: str = "") -> RunResult:
        """Stop an instance: until `unsuspend` nothing in it moves, no timer fires, and nobody's answer is taken.

        Raises InstanceSuspended where somebody has done so before.
        """
        return self._operate(instance, Operation(action="suspend", by=by, reason=reason))

    def unsuspend(self, instance: str, *, by: str, reason: str = "") -> RunResult:
        """Let a suspended instance go on; timers whose time has come meanwhile fire now, once. Raises NotSuspended."""
        wanted = Operation(action="unsuspend", by=by, reason=reason)

        def step(session: Session) -> None:
            if session.instance.status is not Status.SUSPENDED:
                raise NotSuspended(instance, session.instance.status)
            session.operate(wanted)

        return self._mover.step(instance, step, load=self._mover.load_unended)

    def _operate(self, instance: str, wanted: Operation, *, stopped: bool = False) -> RunResult:
        """`stopped`: a suspended instance takes it, too."""
        load = self._mover.load_unended if stopped else self._mover.load_going
        return self._mover.step(instance, lambda session: session.operate(wanted), load=load)
