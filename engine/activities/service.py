"""Activities done by code: the handler of their job type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.activities.errors import BadResult
from engine.activities.job import Job, PrivateVariables, ServiceHandler
from engine.activities.outputs import problems
from engine.activities.tools.approving import about_call, approved
from engine.activities.tools.declared import ToolDeclaration, declaration_of
from engine.activities.tools.guard import ALLOWED, ToolUse, level_of
from engine.activities.tools.outside import DENIED, RESULT, call_of
from engine.activities.work import Outcome, Suspended, Work
from governance.errors import NotJson
from governance.snapshots.canonical import canonical
from governance.tools.errors import ToolRefused
from governance.vocabulary import InteractionLevel, Producer

_CALL: Final = "call"
"""What the question about the call is kept under: an activity is done for one."""
_NOT_ITS_WORD: Final[Mapping[str, Any]] = {"trusted": frozenset(), "refused": False, "head": None, "zones": None}
"""What a service cannot say of itself: whether it is trusted or was made at all, and where the context stands."""


class _ForGood(ToolRefused):
    """A call whose tool is not offered again: with other arguments it would be no other."""


class ServiceHandlerCall:
    """Calls a service handler and makes an outcome of what it gives.

    All its outputs are taken over; declared ones that are missing or of the wrong type are the outcome's `problems`.
    What the handler raises passes through. Raises BadResult.
    """

    def __init__(self, job_type: str, function: ServiceHandler) -> None:
        self._job_type, self._function = job_type, function

    def __call__(self, work: Work) -> Outcome:
        call = call_of(work)
        try:
            used = None if call is None else self._allowed(work, call)
        except ToolRefused as refused:
            result = {"error": refused.reason, **({DENIED: True} if isinstance(refused, _ForGood) else {})}
            return Outcome(outputs={RESULT: result}, decision=refused.reason, producer=Producer.SERVICE, refused=True)
        variables = work.variables if used == call else {**work.variables, **(used or {})}
        job = Job(work.key, self._job_type, work.element, PrivateVariables(variables), work.attempt, used or {})
        outcome = self._outcome(work, self._function(job))
        schema = work.element.outputs_schema
        if schema is None or outcome.problems:
            return outcome
        return outcome._replace(problems=problems(outcome.outputs, schema))

    def _allowed(self, work: Work, call: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments with which an agent's call is done. Raises ToolRefused, and Suspended while a person has to
        answer first.
        """
        tool, declared = work.element.id, declaration_of(self._function)
        guarded = ALLOWED if work.guard is None else work.guard.before(self._use(work, declared, call))
        for kind, data in guarded.notes:
            work.note(kind, data)
        level, reason = level_of(declared.effect, work.policy.interaction_level, guarded)
        if level is InteractionLevel.AUTO_DENY:
            by_guard = guarded.level is InteractionLevel.AUTO_DENY
            raise (ToolRefused if by_guard else _ForGood)(tool, f"refused: {reason}")
        if work.desk is None or level is InteractionLevel.AUTO_ALLOW:
            return call
        about = about_call(f"an agent calls {tool}", tool, declared.effect, call, declared.parameters, level)
        if not level.blocks:
            work.desk.tell(_CALL, about, reason)
            return call
        heard = work.desk.ask(_CALL, about, reason)
        if heard is None:
            raise Suspended(tool)
        if not heard.approved:
            raise _ForGood(tool, f"denied by {heard.by}: {heard.reason}")
        # What a person changed is in the call by now.
        return approved(tool, call, replace(heard, edited=None), declared.parameters)

    def _use(self, work: Work, declared: ToolDeclaration, call: Mapping[str, Any]) -> ToolUse:
        tool = work.element.id
        return ToolUse(activity=tool, branch=work.context.branch, tool=tool, effect=declared.effect, arguments=call,
                       writes=0, public=declared.public)  # fmt: skip

    def _outcome(self, work: Work, result: object) -> Outcome:
        if result is None:
            return Outcome(producer=Producer.SERVICE)
        if isinstance(result, Mapping):
            result = Outcome(outputs=dict(result), producer=Producer.SERVICE)
        if not isinstance(result, Outcome):
            found = type(result).__name__
            reason = f"gave {found}; allowed: a dictionary of outputs, an Outcome, None"
            raise BadResult(work.element.id, self._job_type, reason)
        try:
            canonical(dict(result.outputs))
        except NotJson as error:
            raise BadResult(work.element.id, self._job_type, f"gave outputs that are no JSON: {error}") from error
        return result._replace(**_NOT_ITS_WORD)
