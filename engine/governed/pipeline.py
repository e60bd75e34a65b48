"""An activity run, step by step: D1, the work, the quality gate, the outputs. Each step can wait and go on later."""

from __future__ import annotations

from bpmn.definition import Element
from engine.activities.work import BpmnErrorRaised, Outcome
from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.budgets import BUDGET_EXCEEDED, Budgets
from engine.governed.chains import Chains, Thought
from engine.governed.compressing import Compressing
from engine.governed.d1_questions import D1Questions
from engine.governed.dead_ends import DeadEndReached, DeadEnds
from engine.governed.inline import Inline
from engine.governed.knowing import Knowing
from engine.governed.mapped import Mapped
from engine.governed.offering import Offering
from engine.governed.outputs import Outputs
from engine.governed.people import People
from engine.governed.refusals import AUTO_DENY, Refused, by_policy
from engine.governed.tool_desk import check_edit
from engine.instance import Instance
from engine.mappings import is_mapped
from engine.spiff.events import throw_error, throw_exception
from engine.spiff.task import DrivenTask
from governance.cda.dead_ends.model import Match
from governance.human_loop.intervention import Intervention, withdraw
from governance.vocabulary import InteractionLevel, Producer

_MOST_REFUSALS = 2
_ABOUT_CONTEXT = frozenset(
    {"retained_overflow", "usage_overflow", "d1_preview", "emergency", "output_preview", "quality"}
)
"""Kinds of interventions that show what stands in the context, which a later look may find otherwise."""
_BY_PERSON = frozenset({"userTask", "manualTask"})


class Pipeline:
    """Moves an activity run through its phases. True: done; None: it waits."""

    def __init__(
        self,
        instance: Instance,
        knowing: Knowing,
        compressing: Compressing,
        questions: D1Questions,
        outputs: Outputs,
        people: People,
        dead_ends: DeadEnds,
        chains: Chains,
        mapped: Mapped,
        inline: Inline,
        budgets: Budgets,
    ) -> None:
        self._budgets = budgets
        self._mapped = mapped
        self._instance, self._compressing, self._questions = instance, compressing, questions
        self._knowing = knowing
        self._outputs, self._people, self._dead_ends = outputs, people, dead_ends
        self._chains, self._inline = chains, inline
        self._offering = Offering(instance, mapped)
        self._elements, self._inlined = instance.index.elements, instance.index.inline
        self._simulated = bool(instance.settings.get("simulate"))

    def begin(self, task: DrivenTask) -> bool | None:
        element = self._elements[task.task_spec.bpmn_id]
        if element.id in self._inlined and not self._simulated and self._inline.done(task, element):
            return True
        task.activity = ActivityRun(self._instance.at)
        return self._before(task, task.activity)

    def resume(self, task: DrivenTask) -> bool | None:
        """Go on after the interventions that held the run were closed."""
        run: ActivityRun = task.activity
        if run.phase is Phase.OUTPUTS:
            return self._after_judgement(task, run, self._people.answered(run))
        return self._after_d1(task, run, self._people.answered(run))

    def check(self, task: DrivenTask, closed: Intervention) -> None:
        """Whether an answer fits what it is for. Raises WrongEdit, UnknownRelease."""
        run: ActivityRun = task.activity
        self._questions.check(closed)
        self._budgets.check(closed)
        check_edit(closed)
        answer = closed.answer
        if run.phase is Phase.OUTPUTS and answer is not None and answer.decision == "edit":
            self._outputs.check_edit(self._element(task), run, closed.id, answer)

    def complete(self, task: DrivenTask, outcome: Outcome) -> bool | None:
        """A handler or a person has done the work."""
        run: ActivityRun = task.activity
        element = self._element(task)
        self._instance.jobs.pop(task.id, None)  # before anything can fail: else it would be done again, for ever
        if is_mapped(element):
            outcome = self._mapped.outcome(task, element, outcome)
        run.phase = Phase.OUTPUTS
        repeated = self._dead_ends.repeated(task, element, outcome)
        if repeated is not None:
            return self._told(task, run, element, outcome, repeated)
        return self._judge(task, run, element, outcome)

    def ask_anew(self, task: DrivenTask) -> bool | None:
        """The context was put back under a question about it: that is withdrawn, and what stands now is looked at."""
        run: ActivityRun = task.activity
        asked = [self._instance.interventions[id] for id in run.holds]
        if not asked or any(each.kind not in _ABOUT_CONTEXT for each in asked):
            return None
        for each in asked:
            self._instance.put_intervention(withdraw(each))
        run.holds.clear()
        run.asked.clear()
        run.lowered.clear()
        if run.phase is Phase.BEFORE:
            return self._before(task, run)
        if run.phase is Phase.OUTPUTS:
            return self._judge(task, run, self._element(task), self._outputs.held(run)._replace(head=None))
        run.calls.clear()
        run.phase = Phase.WORKING
        return self._work(task, run)

    def _judge(self, task: DrivenTask, run: ActivityRun, element: Element, outcome: Outcome) -> bool | None:
        stopped = self._outputs.judge(task, run, element, outcome)
        if stopped is None:
            return self._apply(task, run, element, outcome)
        if stopped.level is InteractionLevel.AUTO_DENY:
            self.refuse(task, Refused(element.id, stopped, stopped.reason))
        return None

    def refuse(self, task: DrivenTask, refused: Refused) -> None:
        """AUTO_DENY: on record, and a BPMN error of that name to a boundary event, or an incident."""
        self._people.refuse(task, refused.verdict, refused.reason)
        if not throw_error(task, AUTO_DENY, None, {}):
            self.incident(task, str(refused), "auto_deny")

    def thought(self, task: DrivenTask, thought: Thought) -> bool | None:
        """A model has thought about what comes before the activity."""
        self._chains.apply(task, thought)
        return self._before(task, task.activity)

    def suspend(self, task: DrivenTask) -> None:
        """The work stopped before a model call or at a tool's, for a person to answer first."""
        self._instance.jobs.pop(task.id, None)
        task.activity.phase = Phase.CALL

    def bpmn_error(self, task: DrivenTask, error: BpmnErrorRaised) -> None:
        """The work ended in a BPMN error: it goes to a boundary event with its variables, or is an incident."""
        self._outputs.raised(task, self._element(task), {**error.variables, "": error.message})
        run, caught = task.activity, throw_error(task, error.code, None, error.variables, error.message)
        self._dead_ends.failed(task, run, self._element(task), error, caught=caught)
        if not caught:
            self.incident(task, f"{error}; no error boundary event catches it", "bpmn_error")

    def failed(self, task: DrivenTask, error: Exception) -> None:
        """The work raised, which is a dead end: a boundary event that names its class goes on, or it is an incident."""
        self._outputs.raised(task, self._element(task), {"": str(error)})
        run, caught = task.activity, throw_exception(task, error)
        self._dead_ends.failed(task, run, self._element(task), error, caught=caught)
        if not caught:
            self.incident(task, str(error), type(error).__name__)

    def dead_end(self, task: DrivenTask, reached: DeadEndReached) -> None:
        """A known dead end was not begun: it goes to a boundary event, or a person is asked."""
        self._instance.jobs.pop(task.id, None)
        self._dead_ends.stop(task, task.activity, self._element(task), reached)

    def incident(self, task: DrivenTask, error: str, kind: str) -> None:
        """Keep the activity where it is; a retry goes on from there. Siblings are not touched."""
        run: ActivityRun = task.activity
        run.failed_in, run.phase, run.error, run.error_kind = run.phase, Phase.INCIDENT, error, kind
        self._instance.jobs.pop(task.id, None)
        self._instance.fail(task, error, kind)

    def retry(self, task: DrivenTask) -> bool | None:
        run: ActivityRun = task.activity
        run.phase, run.failed_in, run.error = run.failed_in or Phase.BEFORE, None, None
        run.try_again()
        run.asked.clear()
        if run.phase is not Phase.BEFORE:
            run.phase = Phase.WORKING
        return self._before(task, run) if run.phase is Phase.BEFORE else self._work(task, run)

    def _before(self, task: DrivenTask, run: ActivityRun) -> bool | None:
        element = self._element(task)
        if self._dead_ends.reached(task, run, element) is not None:
            run.phase = Phase.WORKING
            self._instance.jobs[task.id] = task
            return None
        if by_policy(element) is None:
            self._knowing.before(task, run, element)
            if self._chains.wants_before(task, run, element):
                return None
            if not self._compressing.before(task, run, element):
                return None
        run.phase = Phase.WORKING
        return self._work(task, run)

    def _work(self, task: DrivenTask, run: ActivityRun) -> bool | None:
        element = self._element(task)
        if by_policy(element) is not None:
            # It is refused where work is done, for only from there an error can go to the activity's boundary.
            self._instance.jobs[task.id] = task
            return None
        if element.kind == "scriptTask":
            return self.complete(task, self._mapped.script(task, element))
        if element.kind == "task" and element.agent is None and element.job_type is None:
            return self.complete(task, Outcome(producer=Producer.SCRIPT))
        if element.kind in _BY_PERSON and element.agent is None and not self._instance.settings.get("simulate"):
            self._offering.offer(task, element)
            return None
        if not run.visit:
            run.visit = self._instance.visit(element.id)
        self._instance.jobs[task.id] = task
        if not (run.calls or run.noted or run.asks):  # else it goes on where it waited
            self._instance.log.add(EventType.ACTIVITY_STARTED, element.id, task.token.branch, attempt=run.attempt)
        return None

    def _after_d1(self, task: DrivenTask, run: ActivityRun, closed: list[Intervention]) -> bool | None:
        """Go on once a person has seen what D1 did: before the activity, or in its work before a model call."""
        at_call = run.phase is Phase.CALL
        if at_call and run.calls and run.calls[-1][1] != task.token.head:
            run.calls.clear()
        for answered in closed:
            if answered.kind == "budget":
                if self._budgets.settle(task, run, answered):
                    continue
                if not self._budgets.exceeded(task):
                    answer = answered.answer
                    assert answer is not None
                    self.incident(task, f"{BUDGET_EXCEEDED}: denied by {answer.by}: {answer.reason}", "budget")
                return None
            asked = self._dead_ends if answered.kind == "dead_end" else self._questions
            stopped = asked.settle(task, run, answered)
            if stopped is not None:
                self.incident(task, stopped, "denied")
                return None
        if at_call and run.calls:
            run.calls[-1][1] = task.token.head
        elif run.anew and not at_call:
            run.anew = False
            return self._before(task, run)
        run.phase = Phase.WORKING
        return self._work(task, run)

    def _after_judgement(self, task: DrivenTask, run: ActivityRun, closed: list[Intervention]) -> bool | None:
        element = self._element(task)
        outcome = self._outputs.held(run)
        for intervention in closed:
            answer = intervention.answer
            assert answer is not None
            if answer.decision == "deny":
                self._dead_ends.rejected(task, element, outcome, answer.by, answer.reason)
                return self._denied(task, run, element, f"{answer.by}: {answer.reason}")
            if answer.decision == "edit":
                self._outputs.left(task, element, outcome, answer)
                outcome = self._outputs.edited(element, outcome, answer)
        return self._apply(task, run, element, outcome)

    def _denied(self, task: DrivenTask, run: ActivityRun, element: Element, why: str) -> bool | None:
        """Outputs sent back: an agent or a person does it again with the reason; code would do the same again."""
        if element.kind in ("scriptTask", "task") and element.agent is None:
            self.incident(task, f"outputs denied by {why}", "denied")
            return None
        run.phase, run.outcome, run.feedback = Phase.WORKING, None, why
        run.try_again()
        return self._work(task, run)

    def _told(
        self, task: DrivenTask, run: ActivityRun, element: Element, outcome: Outcome, repeated: Match
    ) -> bool | None:
        """An agent came to a known dead end: it is told and tries again; one that insists needs a person's consent."""
        if run.refusals < _MOST_REFUSALS:
            run.refusals += 1
            run.refusal, run.phase = repeated.told, Phase.WORKING
            run.try_again()
            return self._work(task, run)
        verdict = self._dead_ends.verdict
        self._outputs.hold(task, run, element, outcome, verdict, "dead_end", f"{verdict.reason}: {repeated.told}")
        return None

    def _apply(self, task: DrivenTask, run: ActivityRun, element: Element, outcome: Outcome) -> bool:
        self._dead_ends.succeeded(task, run, element, outcome)
        self._outputs.apply(task, run, element, outcome, (run.pressure, run.usage))
        self._dead_ends.noted(task, outcome)
        self._instance.changes.finished_runs.append(str(task.id))
        task.activity = None
        return True

    def _element(self, task: DrivenTask) -> Element:
        return self._instance.index.elements[task.task_spec.bpmn_id]
