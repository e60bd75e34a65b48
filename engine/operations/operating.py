"""Does what operators want, or asks first: at the level that the policy of the element, or of the process, names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from engine.errors import EngineError
from engine.events import EventType
from engine.governed.contexts import Contexts
from engine.governed.hooks import GovernedHooks
from engine.instance import Instance
from engine.operations.editing import Edit
from engine.operations.migration.migrate import Migrate
from engine.operations.operation import Operation, OperationRefused
from engine.operations.relocation import Move
from engine.operations.repairing import Retry, Skip
from engine.operations.stopping import Cancel, Suspend, Unsuspend
from engine.operations.untainting import Untaint
from engine.steps import Steps
from governance.human_loop.intervention import Intervention
from governance.policy import Policy
from governance.vocabulary import InteractionLevel, Trigger

KIND: Final = "operation"


class Doing(Protocol):
    """One kind of operation."""

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        """Ids of the elements whose policies say whether somebody is asked, None: the process; none: nobody is."""
        ...

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        """What it will change, as JSON. Raises an EngineError where it cannot be done."""
        ...

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        """Do it; `who` is what goes on record: by, reason, and approved_by if somebody else had to agree."""
        ...


class Operating:
    """The operations of one instance, inside an advance."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, contexts: Contexts, steps: Steps) -> None:
        self._instance, self._hooks = instance, hooks
        edit = Edit(instance, hooks, contexts, steps)
        self._doing: Mapping[str, Doing] = {
            "cancel": Cancel(instance),
            "suspend": Suspend(instance),
            "unsuspend": Unsuspend(instance, steps),
            "edit": edit,
            "retry": Retry(instance, steps, edit),
            "skip": Skip(instance, hooks),
            "move": Move(instance),
            "migrate": Migrate(instance, contexts),
            "untaint": Untaint(instance, contexts),
        }

    def ask_or_do(self, wanted: Operation) -> OperationRefused | None:
        """Do it, or ask a person first; the refusal, where the policy is AUTO_DENY, for the caller to raise.

        Raises what its preview raises; then nothing changed.
        """
        doing = self._doing[wanted.action]
        shown = {**doing.preview(wanted), "operation": wanted.dump()}
        policy = self._policy(doing.concerns(wanted))
        level = InteractionLevel.AUTO_ALLOW if policy is None else policy.interaction_level
        told = {"trigger": Trigger.RUNTIME.value, "level": level.value, "message": _message(wanted)}
        if level is InteractionLevel.AUTO_DENY:
            self._instance.log.add(EventType.REFUSED, self._about(wanted), **told)
            return OperationRefused(self._instance.id, wanted.action, wanted.element)
        if policy is not None and level.blocks:
            self._hooks.people.ask_about_operation(shown, self._about(wanted), level, _message(wanted), policy)
            return None
        if level is InteractionLevel.MICRO_SUGGESTION:
            self._instance.log.add(EventType.NOTICE, self._about(wanted), **told)
        doing.do(wanted, _who(wanted))
        return None

    def asks(self, wanted: Operation) -> bool:
        """Whether somebody is asked before it is done, or it is refused."""
        policy = self._policy(self._doing[wanted.action].concerns(wanted))
        return policy is not None and policy.interaction_level.at_least(InteractionLevel.DIFF_PREVIEW)

    def check(self, closed: Intervention) -> None:
        """Whether what was approved can still be done. Raises what its preview raises."""
        if _approved(closed):
            wanted = asked_for(closed)
            self._doing[wanted.action].preview(wanted)

    def settle(self, closed: Intervention) -> None:
        """Do what was approved."""
        if not _approved(closed):
            return
        wanted, answer = asked_for(closed), closed.answer
        assert answer is not None
        try:
            self._doing[wanted.action].preview(wanted)
        except EngineError as error:  # a default that came into force by itself, too late
            self._instance.log.add(EventType.NOTICE, self._about(wanted), trigger=Trigger.RUNTIME.value,
                                   level=closed.level.value, message=str(error))  # fmt: skip
            return
        self._doing[wanted.action].do(wanted, {**_who(wanted), "approved_by": answer.by})

    def _policy(self, concerned: Sequence[str | None]) -> Policy | None:
        """The strictest of the policies that are concerned."""
        policies = [self._instance.index.policy(element) for element in concerned]
        return max(policies, key=lambda policy: policy.interaction_level.rank, default=None)

    def _about(self, wanted: Operation) -> str:
        return wanted.element or self._instance.index.main.id


def asked_for(asked: Intervention) -> Operation:
    """What an intervention of the kind `operation` asks about."""
    shown: Any = asked.shown
    return Operation.load(shown["operation"])


def _approved(closed: Intervention) -> bool:
    return closed.answer is not None and closed.answer.decision == "approve"


def _who(wanted: Operation) -> dict[str, str]:
    return {name: said for name, said in (("by", wanted.by), ("reason", wanted.reason)) if said}


def _message(wanted: Operation) -> str:
    about = f" {wanted.element}" if wanted.element else ""
    about += f" {', '.join(wanted.names)}" if wanted.names else ""
    about += f" to {wanted.to}" if wanted.to else ""
    about += f" of branch {wanted.branch}" if wanted.branch else ""
    return f"{wanted.by} wants to {wanted.action}{about}{': ' + wanted.reason if wanted.reason else ''}"
