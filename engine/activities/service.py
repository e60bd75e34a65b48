"""Activities done by code: the handler of their job type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.activities.errors import BadResult
from engine.activities.job import Job, PrivateVariables, ServiceHandler
from engine.activities.outputs import problems
from engine.activities.work import Outcome, Work
from governance.errors import NotJson
from governance.snapshots.canonical import canonical
from governance.vocabulary import Producer


class ServiceHandlerCall:
    """Calls a service handler and makes an outcome of what it gives.

    All its outputs are taken over; declared ones that are missing or of the wrong type are the outcome's `problems`.
    What the handler raises passes through. Raises BadResult.
    """

    def __init__(self, job_type: str, function: ServiceHandler) -> None:
        self._job_type, self._function = job_type, function

    def __call__(self, work: Work) -> Outcome:
        job = Job(work.key, self._job_type, work.element, PrivateVariables(work.variables), work.attempt)
        outcome = self._outcome(work, self._function(job))
        schema = work.element.outputs_schema
        if schema is None or outcome.problems:
            return outcome
        return replace(outcome, problems=problems(outcome.outputs, schema))

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
