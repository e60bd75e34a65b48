"""What failed is not done again the same way: the registry around activities (Design: CDA, dead ends)."""

from __future__ import annotations

from typing import Any, Final

from bpmn.definition import Element
from engine.activities.errors import BadHandlers, MissingHandler, ModelFailed
from engine.activities.work import BpmnErrorRaised, KnownDeadEnd, Outcome
from engine.errors import EngineError
from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.attempts import ACTIVITY, OUTPUTS, STRATEGY, Attempts
from engine.governed.experiences import Experiences
from engine.governed.people import People
from engine.instance import Instance
from engine.models.errors import BadRecording, UnknownModel
from engine.spiff.events import throw_error
from engine.spiff.task import DrivenTask
from governance.cda.dead_ends.model import Attempt, DeadEnd, Match, Source
from governance.human_loop.detector import Verdict
from governance.human_loop.intervention import Intervention
from governance.vocabulary import Effect, InteractionLevel, Producer, Trigger

DEAD_END: Final = "DEAD_END"
"""Code of the BPMN error that a refused activity throws where a boundary event waits for it."""

_SHOWN: Final = 20
_HOT: Final = 50
"""Among so many of the most frequent those of an activity are looked for."""
_ANYWAY: Final = "dead_end:anyway"
_NOT_TRIED: Final = (MissingHandler, BadHandlers, UnknownModel, BadRecording, ModelFailed)
"""Failures of what an activity is done with: they say nothing of the way that was tried."""


class DeadEndReached(EngineError):
    """An activity that is not done, for it failed before in the same way."""

    def __init__(self, element: str, match: Match) -> None:
        self.element, self.match = element, match
        super().__init__(f"{element}: a known dead end. {match.told}")


class DeadEnds:
    """Asks the registry before an activity and its outputs count, and tells it how they ended."""

    def __init__(self, instance: Instance, people: People, experiences: Experiences) -> None:
        self._instance, self._people, self._experiences = instance, people, experiences
        self._attempts = Attempts(instance)

    verdict: Final = Verdict(Trigger.RUNTIME, InteractionLevel.EXPLICIT_APPROVAL, ("it is a known dead end",))
    """Only somebody who says so gets past a dead end."""

    def reached(self, task: DrivenTask, run: ActivityRun, element: Element) -> DeadEndReached | None:
        """Whether an activity about to begin is a known dead end.

        What the engine or an operator tries again passes, and what a person let pass.
        """
        if run.phase is Phase.BEFORE:
            run.writes = self._instance.writes
        if run.attempt > 1 or run.calls or _ANYWAY in run.asked or not self._governed(element):
            return None
        if not self._refusing or not self._known(f"{ACTIVITY}:{element.id}"):
            return None
        match = self._instance.dead_ends.match(self._attempts.activity(task, run, element), self._instance.at)
        if match.verdict != "refused":
            return None
        return DeadEndReached(element.id, match)

    def stop(self, task: DrivenTask, run: ActivityRun, element: Element, reached: DeadEndReached) -> None:
        """Send the token of a dead end to the boundary event that waits for it, or ask a person."""
        self._log(task, "refused", reached.match)
        if not throw_error(task, DEAD_END, None, {}):
            self._ask(task, run, element, reached.match)

    def settle(self, task: DrivenTask, run: ActivityRun, answered: Intervention) -> str | None:
        """What a person's answer means; why the activity cannot go on, if it cannot."""
        answer = answered.answer
        assert answer is not None
        if answer.decision == "deny":
            return f"dead end, not tried again: {answer.by}: {answer.reason}"
        run.asked.append(_ANYWAY)
        run.anew = True
        return None

    def failed(
        self, task: DrivenTask, run: ActivityRun, element: Element, error: Exception, *, caught: bool = False
    ) -> None:
        """An activity raised, or ended in a BPMN error.

        One that is `caught` is a way the process knows: agents of the instance are told, nothing is refused.
        """
        if isinstance(error, _NOT_TRIED) or not self._governed(element):
            return
        self._experiences.failed(task, element, str(error))
        source: Source = "error" if isinstance(error, BpmnErrorRaised) else "activity"
        attempt = self._attempts.activity(task, run, element, caught=caught)
        self._register(task, attempt, str(error), source, failure=error)

    def repeated(self, task: DrivenTask, element: Element, outcome: Outcome) -> Match | None:
        """Whether an agent came to what a person refused, or proposes what failed in this instance."""
        if outcome.producer is not Producer.AGENT or self.off:
            return None
        tried = [self._attempts.outputs(task, element, outcome)] if self._known(f"{OUTPUTS}:{element.id}") else []
        named = [(name, value) for name, value in outcome.outputs.items() if self._known(f"{STRATEGY}:{name}")]
        for attempt in (*tried, *(self._attempts.strategy(name, value) for name, value in named)):
            match = self._instance.dead_ends.match(attempt, self._instance.at)
            if match.verdict == "refused" and self._refusing:
                self._log(task, "refused", match)
                return match
            if match.verdict != "none":
                self._log(task, "told", match)
        return None

    def known(self, task: DrivenTask, element: Element) -> tuple[KnownDeadEnd, ...]:
        """What an agent about to begin should know: dead ends of the instance, and the activity's of others.

        Those that have to do with its inputs come first, then its instance's, then the most frequent.
        """
        if self.off:
            return ()
        instance, registry = self._instance, self._instance.dead_ends
        if not registry.any:
            return ()
        names = [item.variable or item.name for item in element.data_outputs]
        names += (element.outputs_schema or {}).get("properties", {})
        actions = {f"{ACTIVITY}:{element.id}", f"{OUTPUTS}:{element.id}", *(f"{STRATEGY}:{name}" for name in names)}
        hot = registry.hot(instance.at, _HOT)
        own = registry.list(session=instance.id, at=instance.at, status="active", top_k=_SHOWN)
        near = registry.about(self._attempts.query(task, element), instance.at, session=instance.id, top_k=_HOT)
        mine = instance.id
        found = (each for each in (*near, *own, *hot) if each.session == mine or each.signature.action in actions)
        shown = {each.id: KnownDeadEnd(each.line(), entries_of(each)) for each in found}
        return tuple(shown.values())[:_SHOWN]

    def noted(self, task: DrivenTask, outcome: Outcome) -> None:
        """Dead ends that an agent or a service found: what was tried in this instance, and why it led nowhere."""
        source: Source = "model" if outcome.producer is Producer.AGENT else "activity"
        for note in outcome.dead_ends if not self.off else ():
            attempt = self._attempts.strategy(note.strategy, note.value)
            entries = [name for name in task.token.recent if name.rpartition(":")[2] in note.activities]
            self._register(task, attempt, note.reason, source, trace={"entries": entries} if entries else None)

    def rejected(self, task: DrivenTask, element: Element, outcome: Outcome, by: str, reason: str) -> None:
        """A person refused what an agent came to."""
        if outcome.producer is Producer.AGENT:
            self._experiences.failed(task, element, f"{by} refused it: {reason}")
            attempt = self._attempts.outputs(task, element, outcome)
            self._register(task, attempt, f"{by} refused it: {reason}", "rejection", by=by)

    def succeeded(self, task: DrivenTask, run: ActivityRun, element: Element, outcome: Outcome) -> None:
        """An activity is done; what it was refused for before is no dead end."""
        if self._governed(element) and self._known(f"{ACTIVITY}:{element.id}"):
            told = self._experiences.impersonal.text(outcome.decision or "", task.token.head, outcome.outputs)
            self._worked(task, self._attempts.activity(task, run, element), told)
        self._experiences.worked(task, element, outcome)
        if outcome.producer is Producer.AGENT:
            self._instance.writes += run.effects
        elif element.kind not in _READING and self._instance.effect_of(element) is not Effect.READ:
            self._instance.writes += 1

    def _worked(self, task: DrivenTask, attempt: Attempt, told: str) -> None:
        instance = self._instance
        for each in instance.dead_ends.succeeded(attempt, at=instance.at, session=instance.id, told=told):
            self._note(task, "worked", each)

    def _register(
        self,
        task: DrivenTask,
        attempt: Attempt,
        reason: str,
        source: Source,
        *,
        by: str = "",
        trace: Any = None,
        failure: Exception | None = None,
    ) -> None:
        instance = self._instance
        found = instance.dead_ends.register(
            attempt,
            reason=self._experiences.impersonal.text(reason, task.token.head, {}),
            at=instance.at,
            source=source,
            session=instance.id,
            by=by,
            trace=trace,
            failure=failure,
        )
        if found is not None:
            self._note(task, "registered", found)

    def _ask(self, task: DrivenTask, run: ActivityRun, element: Element, match: Match) -> None:
        found = match.dead_end
        assert found is not None
        shown = {"dead_end": found.id, "similarity": round(match.similarity, 4), "reason": found.reason}
        shown |= {"tried": found.text, "failed": found.frequency, "last": found.last_at, "instead": found.alternative}
        message = f"a known dead end: {found.reason}; do it anyway?"
        self._people.ask(task, run, self.verdict, "dead_end", message, shown, policy=element.resolved.policy)

    def _known(self, action: str) -> bool:
        return self._instance.dead_ends.knows(action)

    @property
    def _refusing(self) -> bool:
        return self._instance.settings.get("dead_ends") != "told"

    @property
    def off(self) -> bool:
        """Whether the instance has nothing to do with dead ends."""
        settings = self._instance.settings
        return settings.get("dead_ends") == "off" or bool(settings.get("simulate"))

    def _governed(self, element: Element) -> bool:
        """Activities that a handler or a model does; a person's and a script's are nobody's dead ends."""
        return not self.off and (element.agent is not None or element.job_type is not None)

    def _log(self, task: DrivenTask, what: str, match: Match) -> None:
        assert match.dead_end is not None
        self._note(task, what, match.dead_end, similarity=round(match.similarity, 4))

    def _note(self, task: DrivenTask, what: str, found: DeadEnd, **more: Any) -> None:
        element = task.element_id or task.task_spec.name
        self._instance.log.add(EventType.DEAD_END, element, task.token.branch, what=what, **facts_of(found), **more)


def facts_of(found: DeadEnd) -> dict[str, Any]:
    """A dead end in an event."""
    told = {"id": found.id, "action": found.signature.action, "reason": found.reason, "failed": found.frequency}
    return {**told, "instead": found.alternative} if found.alternative else told


def entries_of(dead_end: DeadEnd) -> tuple[str, ...]:
    """Names of the records in HISTORY that belong to what failed."""
    trace = dead_end.trace
    entries = trace.get("entries") if isinstance(trace, dict) else None
    return tuple(map(str, entries)) if isinstance(entries, list) else ()


_READING: Final = frozenset({"scriptTask", "task", "businessRuleTask"})
