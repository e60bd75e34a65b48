"""What an activity produced: judged, then written to WORKING and HISTORY in one snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpmn.definition import Element
from engine.activities.outputs import declared, problems
from engine.activities.work import MISSING, MISTYPED, Outcome
from engine.errors import EngineError
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.held_outcome import dump_outcome, load_outcome
from engine.governed.knowing import Knowing
from engine.governed.measuring import Measuring, brief, own_action
from engine.governed.open_writes import OpenWrites, working_writes
from engine.governed.people import People
from engine.governed.reasons import broken_chain
from engine.governed.services import Services
from engine.governed.sla import missed
from engine.governed.tainting import Tainting
from engine.governed.token import Token
from engine.governed.variables import Variables
from engine.governed.writing import StepWriter
from engine.informing import inform
from engine.instance import Instance
from engine.spiff.loops import round_of
from engine.spiff.task import DrivenTask
from governance.human_loop.detector import Verdict
from governance.human_loop.facts import QualityFacts
from governance.human_loop.intervention import InterventionAnswer, Kind
from governance.layers.history import NONE, ActivityRecord
from governance.layers.spaces import space_for
from governance.layers.zoning import rows_of
from governance.snapshots.canonical import canonical, digest
from governance.snapshots.model import key_of, made
from governance.vocabulary import InteractionLevel, Layer, Producer, Trigger


class WrongEdit(EngineError):
    """Edited outputs that do not fit what the activity declares."""

    def __init__(self, intervention: str, wrong: Sequence[str]) -> None:
        self.intervention, self.problems = intervention, tuple(wrong)
        super().__init__(f"intervention {intervention}: {'; '.join(wrong)}")


class Outputs:
    """From an outcome to the next snapshot."""

    def __init__(
        self,
        instance: Instance,
        services: Services,
        measuring: Measuring,
        people: People,
        open_writes: OpenWrites,
        knowing: Knowing,
    ) -> None:
        self._instance, self._services, self._measuring = instance, services, measuring
        self._people, self._open_writes, self._knowing = people, open_writes, knowing
        self._tainting = Tainting(instance)

    def judge(self, task: DrivenTask, run: ActivityRun, element: Element, outcome: Outcome) -> Verdict | None:
        """The quality gate: what stops the outputs, None if nothing does.

        At a level that blocks, a person has to look at them first, and the outcome is kept until then; at AUTO_DENY
        they are refused.
        """
        if outcome.refused:
            return None
        floor = element.resolved.policy.interaction_level
        made_by_model = outcome.producer is Producer.AGENT
        doubted = outcome.problems or outcome.blocked_tool or outcome.breached_guard
        if not (made_by_model or doubted) and floor is InteractionLevel.AUTO_ALLOW:
            return None
        broken = self._broken(task, run, element, outcome) if made_by_model else ()
        verdict = self._services.human_loop.evaluate(
            Trigger.QUALITY,
            QualityFacts(
                stated_confidence=outcome.confidence if made_by_model else 1.0,
                missing_outputs=_named(outcome, MISSING),
                mistyped=_named(outcome, MISTYPED),
                blocked_tool=outcome.blocked_tool,
                breached_guard=outcome.breached_guard,
                broken_chain=broken,
            ),
            floor=floor,
            applies=True,
        )
        once = f"outputs:{run.attempt}"
        if verdict.level is InteractionLevel.AUTO_DENY:
            return verdict
        if verdict.level is InteractionLevel.AUTO_ALLOW or once in run.asked:
            return None
        run.asked.append(once)
        if not verdict.level.blocks:
            self._people.tell(task, verdict, f"{element.id}: {verdict.reason}")
            return None
        kind: Kind = "quality" if outcome.problems or broken or _doubtful(outcome) else "output_preview"
        told = f"outputs of {element.name or element.id}: {verdict.reason}"
        self.hold(task, run, element, outcome, verdict, kind, told)
        return verdict

    def _broken(self, task: DrivenTask, run: ActivityRun, element: Element, outcome: Outcome) -> tuple[str, ...]:
        graph = self._instance.graph
        contents = graph.contents(outcome.head or task.token.head)
        return broken_chain(graph.values, contents, task.data, run, element.resolved.policy, outcome)

    def held(self, run: ActivityRun) -> Outcome:
        """The outcome that was kept for a person."""
        assert run.outcome is not None
        return load_outcome(self._instance.graph.values.get(run.outcome))

    def check_edit(self, element: Element, run: ActivityRun, intervention: str, answer: InterventionAnswer) -> None:
        """Whether edited outputs are what the activity declares. Raises WrongEdit."""
        schema = element.outputs_schema
        if schema is None:
            return
        found = self.edited(element, self.held(run), answer).outputs
        extra = sorted({*found} - {*declared(found, schema)})
        wrong = [*problems(found, schema), *(f"not declared: {name}" for name in extra)]
        if wrong:
            raise WrongEdit(intervention, wrong)

    def left(self, task: DrivenTask, element: Element, outcome: Outcome, answer: InterventionAnswer) -> None:
        """What a person left as it was is no better known for that they put something else right."""
        self._tainting.left(task, element, outcome, self._given(element, answer))

    def raised(self, task: DrivenTask, element: Element, carried: Mapping[str, Any]) -> None:
        """An error carries these away from an activity."""
        self._tainting.raised(task, element, carried)

    def edited(self, element: Element, outcome: Outcome, answer: InterventionAnswer) -> Outcome:
        """The outcome as a person put it right, who is shown the variables that outputs become."""
        return outcome._replace(
            outputs={**outcome.outputs, **self._given(element, answer)},
            problems=(),
            confidence=1.0,
            producer=Producer.HUMAN,
            decision=f"edited by {answer.by}{': ' + answer.reason if answer.reason else ''}",
        )

    def _given(self, element: Element, answer: InterventionAnswer) -> dict[str, Any]:
        named = {item.variable: item.name for item in element.data_outputs if item.variable}
        return {named.get(name, name): value for name, value in (answer.values or {}).items()}

    def apply(
        self,
        task: DrivenTask,
        run: ActivityRun | None,
        element: Element,
        outcome: Outcome,
        d1: tuple[float, float],
    ) -> None:
        """Write outputs and the record; the token moves on to the new snapshot.

        `run` is None where nothing was ever asked or offered; `d1` are pressure and usage before the work.
        """
        self._tainting.came_to(task, element, outcome)
        token: Token = task.token if outcome.zones is None else task.token._replace(zones=rows_of(outcome.zones))
        step = StepWriter(self._instance.graph, token, head=outcome.head)
        producer, confidence = outcome.producer, 1.0 if outcome.confidence is None else outcome.confidence
        hashes = {
            name: step.write(name, value, producer=producer, confidence=confidence)
            for name, value in _variables(element, outcome.outputs)
        }
        if outcome.deleted:
            for name in sorted(outcome.deleted):
                step.delete(name, producer=producer)
        task.written = outcome.deleted.union(hashes)
        said = (outcome.decision, outcome.tools, None, outcome.confidence, None)
        record = made(ActivityRecord, (element.id, element.name or "", NONE, hashes, *said))
        if run is not None:
            self._knowing.clear(step, run)
        grading = self._services.grading_for(element.resolved.policy, token.zones)
        recent = step.context.move_to_history(record, token.recent, grading)
        moved = step.commit("activity", element.id, self._instance.at, recent)
        if token.branch and step.shared:
            self._open_writes.add(token.branch, working_writes(self._instance.graph.get(moved.head)))
        self._finish(task, run, element, outcome, moved, hashes, d1)

    def _finish(
        self,
        task: DrivenTask,
        run: ActivityRun | None,
        element: Element,
        outcome: Outcome,
        token: Token,
        hashes: Mapping[str, str],
        d1: tuple[float, float],
    ) -> None:
        known = None if run is None else self._knowing.measures(run)
        report = self._measuring.measure(token, element.resolved.policy, known)
        token = token.asked(own_action(report))
        task.token, task.data = token, Variables(self._instance.graph, token)
        data: dict[str, Any] = {"attention": brief(report), "head": token.head}
        if hashes:
            data["outputs"] = hashes
        data["d1"] = d1
        if outcome.producer is not Producer.SCRIPT:
            data["by"] = outcome.producer.value
        if outcome.decision:
            data["decision"] = outcome.decision
        if outcome.tokens_assembled:
            data["tokens"] = [outcome.tokens_assembled, outcome.tokens_ungoverned]
        if task.triggered and (done := round_of(task)) is not None:
            data["round"] = done
        self._instance.log.add(EventType.ACTIVITY_COMPLETED, element.id, token.branch, **data)
        if element.resolved.policy.informed:
            inform(self._instance.log, self._instance.index, element.id, token.branch, "completed")
        late = None if run is None else missed(element.resolved.policy, run.started_at, self._instance.at)
        if late is not None:
            self._instance.log.add(EventType.SLA_MISSED, element.id, token.branch, **late)
        if run is not None and (run.offered or outcome.findings):
            self._knowing.learn(task, run, element, outcome.findings)

    def hold(
        self,
        task: DrivenTask,
        run: ActivityRun,
        element: Element,
        outcome: Outcome,
        verdict: Verdict,
        kind: Kind,
        message: str,
    ) -> None:
        """Keep an outcome until a person has looked at it."""
        run.outcome = self._instance.graph.values.put(dump_outcome(outcome))
        before = {name: task.data[name] for name, _ in _variables(element, outcome.outputs) if name in task.data}
        space = space_for(Layer.WORKING, task.token.scope)
        shown = {
            "outputs": dict(_variables(element, outcome.outputs)),
            "pins": [key_of(space, name) for name, _ in _variables(element, outcome.outputs)],
            "before": before,
            "problems": list(outcome.problems),
            "outcome": digest(canonical(dump_outcome(outcome))),
        }
        self._people.ask(
            task,
            run,
            verdict,
            kind,
            message,
            shown,
            policy=element.resolved.policy,
            options=("approve", "edit", "deny"),
        )


def _variables(element: Element, outputs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """(process variable, value) of each output; a data association may name another variable."""
    if not outputs:
        return []
    named = {item.name: item.variable for item in element.data_outputs if item.variable} if element.data_outputs else {}
    return [(named.get(name) or name, value) for name, value in sorted(outputs.items())]


def _named(outcome: Outcome, mark: str) -> tuple[str, ...]:
    return tuple(problem.removeprefix(mark) for problem in outcome.problems if problem.startswith(mark))


def _doubtful(outcome: Outcome) -> bool:
    return outcome.confidence is not None and outcome.confidence < 0.4
