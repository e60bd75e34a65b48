"""Activities done by code: the handler of their job type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.activities.errors import BadResult
from engine.activities.job import Job, PrivateVariables, ServiceHandler
from engine.activities.outputs import problems
from engine.activities.tools.declared import declaration_of
from engine.activities.tools.guard import ALLOWED, level_of
from engine.activities.tools.outside import DENIED, RESULT, call_of
from engine.activities.work import Outcome, Suspended, Work
from governance.errors import NotJson
from governance.snapshots.canonical import canonical, digest
from governance.tools.confirming import Question
from governance.vocabulary import Effect, InteractionLevel, Producer, Trigger


class ServiceHandlerCall:
    """Calls a service handler and makes an outcome of what it gives.

    All its outputs are taken over; declared ones that are missing or of the wrong type are the outcome's `problems`.
    What the handler raises passes through. Raises BadResult.
    """

    def __init__(self, job_type: str, function: ServiceHandler) -> None:
        self._job_type, self._function = job_type, function

    def __call__(self, work: Work) -> Outcome:
        call = call_of(work)
        denied = None if call is None else self._denied(work, call)
        if denied is not None:
            result = {"error": denied, DENIED: True}
            return Outcome(outputs={RESULT: result}, decision=denied, producer=Producer.SERVICE)
        job = Job(work.key, self._job_type, work.element, PrivateVariables(work.variables), work.attempt, call or {})
        outcome = self._outcome(work, self._function(job))
        schema = work.element.outputs_schema
        if schema is None or outcome.problems:
            return outcome
        return outcome._replace(problems=problems(outcome.outputs, schema))

    def _denied(self, work: Work, call: Mapping[str, Any]) -> str | None:
        """Why an agent's call is not done, if it is not. Raises Suspended while a person has to answer first."""
        effect = declaration_of(self._function).effect
        level, reason = level_of(effect, work.policy.interaction_level, ALLOWED)
        if level is InteractionLevel.AUTO_DENY:
            return f"refused: {reason}"
        if work.desk is None or not level.blocks or effect is Effect.READ:
            return None
        hash = digest(canonical(dict(call)))
        shown = {"tool": work.element.id, "effect": effect.value, "arguments": dict(call), "arguments_hash": hash}
        question = Question(Trigger.RUNTIME, level, f"an agent calls {work.element.id}", shown)
        heard = work.desk.ask("call", question, reason)
        if heard is None:
            raise Suspended(work.element.id)
        return None if heard.approved else f"denied by {heard.by}: {heard.reason}"

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
        return result
