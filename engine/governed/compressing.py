"""D1 around an activity: compress, say why, and ask where a person must agree (Design: D1 compress)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpmn.definition import Element
from engine.errors import EngineError
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.measuring import Measuring, short
from engine.governed.people import People
from engine.governed.recalling import recall
from engine.governed.services import Services
from engine.governed.token import Token
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.attention.bands import band_floor
from governance.attention.report import AttentionReport
from governance.compression.decisions import D1Decision, D1Request
from governance.human_loop.facts import RuntimeFacts
from governance.human_loop.intervention import Intervention, Kind
from governance.layers.spaces import space_for
from governance.policy import Policy
from governance.snapshots.canonical import canonical, digest
from governance.snapshots.model import layer_of, name_of
from governance.snapshots.render import render_value
from governance.vocabulary import Band, InteractionLevel, Layer, SuggestedAction, Trigger


class Compressing:
    """Runs D1 for a task's token and raises what follows from it."""

    def __init__(self, instance: Instance, services: Services, measuring: Measuring, people: People) -> None:
        self._instance, self._services = instance, services
        self._measuring, self._people = measuring, people

    def before(self, task: DrivenTask, run: ActivityRun, element: Element) -> bool:
        """D1 before an activity. False: the token is held by an intervention."""
        policy = element.resolved.policy
        recall(self._instance, task, element, policy, run.released)
        if element.agent is None and self.calm(task, run, policy):
            return True
        decision = self.compress(task, run, element, overhead_tokens=0)
        report = None
        if decision.band is not Band.NONE or element.agent is not None:
            report = self._measuring.measure(task.token, policy)
        if decision.band is Band.NONE and decision.overflow is None and (report is None or report.score >= _CALM):
            return True
        self._raise(task, run, element, decision, report, policy)
        return not run.holds

    def calm(self, task: DrivenTask, run: ActivityRun, policy: Policy) -> bool:
        """Whether D1 has nothing to do, as before most activities."""
        token: Token = task.token
        contents, working = self._instance.graph.contents(token.head), space_for(Layer.WORKING, token.scope)
        found = self._services.compressor.calm(contents, working, policy)
        if found is None:
            return False
        run.pressure, run.usage = short(found.pressure), short(found.usage)
        return True

    def compress(self, task: DrivenTask, run: ActivityRun, element: Element, *, overhead_tokens: int) -> D1Decision:
        """D1 itself: the token moves to the compressed snapshot."""
        token: Token = task.token
        instance = self._instance
        request = D1Request(
            activity=element.id,
            run=str(task.id),
            branch=token.branch,
            scope=token.scope,
            policy=element.resolved.policy,
            query=instance.index.query(element.id),
            inputs=frozenset(item.variable or item.name for item in element.data_inputs),
            overhead_tokens=overhead_tokens,
            pinned=(instance.pinned_keys() if instance.held else frozenset()) | frozenset(run.refused),
            band_floor=band_floor(SuggestedAction(token.action)),
            lowered=frozenset(run.lowered),
            released=frozenset(run.released),
        )
        decision = self._services.compressor.compress(token.head, request, instance.at)
        run.pressure, run.usage = short(decision.after.pressure), short(decision.after.usage)
        if decision.band is not Band.NONE or decision.warning:
            instance.log.add(EventType.D1, element.id, token.branch, **decision.record())
        if decision.snapshot_after != token.head:
            task.token = token._replace(head=decision.snapshot_after)
            instance.touch(task)
            run.lowered.extend(change.key for change in decision.changes)
        return decision

    def settle(self, task: DrivenTask, run: ActivityRun, answered: Intervention) -> str | None:
        """What a person's answer to a D1 intervention changes. Returns why the activity cannot go on, if it cannot."""
        answer = answered.answer
        assert answer is not None
        if answer.decision == "deny":
            if answered.kind == "d1_preview":
                self._undo(task, run, answered)
                return None
            return f"{answered.kind} denied by {answer.by}: {answer.reason}"
        if answer.values and "release" in answer.values:
            run.released.extend(str(name) for name in _listed(answer.values["release"]))
        return None

    def check(self, closed: Intervention) -> None:
        """Whether what an answer releases was offered. Raises UnknownRelease."""
        given = closed.answer.values if closed.answer is not None else None
        if given is None or closed.kind not in ("retained_overflow", "usage_overflow"):
            return
        assert isinstance(closed.shown, Mapping)
        offered = closed.shown["release"]
        assert isinstance(offered, Mapping)
        unknown = [name for name in given if name != "release"]
        unknown += [str(name) for name in _listed(given.get("release", [])) if name not in offered]
        if unknown:
            raise UnknownRelease(closed.id, unknown, sorted(offered))

    def _undo(self, task: DrivenTask, run: ActivityRun, answered: Intervention) -> None:
        """Take a refused compression back; what it lowered stays as it is for this run."""
        assert isinstance(answered.shown, Mapping)
        keys = [str(key) for key in _listed(answered.shown["lowered"])]
        before = task.token
        head, raised = self._services.compressor.decompress(before.head, keys, self._instance.at)
        task.token = before._replace(head=head)
        run.refused.extend(keys)
        self._instance.log.add(
            EventType.RECALLED,
            answered.element,
            before.branch,
            reason="the compression was refused",
            keys=raised,
            before=before.head,
            after=head,
        )

    def _raise(
        self,
        task: DrivenTask,
        run: ActivityRun,
        element: Element,
        decision: D1Decision,
        report: AttentionReport | None,
        policy: Policy,
    ) -> None:
        facts = RuntimeFacts(
            score_after_d1=None if report is None else report.score,
            warning_80=decision.warning,
            declared_inputs_compressed=_declared_inputs(element, decision),
            retained_overflow=_overflow(decision, "retained_overflow"),
            usage_overflow=bool(decision.overflow and decision.overflow.kind == "usage_overflow"),
        )
        verdict = self._services.human_loop.evaluate(
            Trigger.RUNTIME, facts, floor=policy.interaction_level, applies=decision.compressed
        )
        kind = _kind(decision, report)
        once = f"{kind}:{digest(canonical(sorted(_overflow(decision, 'retained_overflow'))))}"
        if verdict.level is InteractionLevel.AUTO_ALLOW or once in run.asked:
            return
        run.asked.append(once)
        if not verdict.level.blocks:
            self._people.tell(task, verdict, verdict.reason)
            return
        shown = self._shown(decision)
        self._people.ask(task, run, verdict, kind, f"{verdict.reason}: {decision.reason}", shown, policy=policy)

    def _shown(self, decision: D1Decision) -> dict[str, Any]:
        """The diff a person sees: each lowered entry's line before and after; or what could be released."""
        graph = self._instance.graph
        before, after = graph.contents(decision.snapshot_before), graph.contents(decision.snapshot_after)
        changes = []
        for change in decision.changes:
            old, new = before.item(change.key), after.item(change.key)
            changes.append(
                {
                    "key": change.key,
                    "to": change.to.name,
                    "before": "" if old is None else render_value(graph.values, change.key, old),
                    "after": "" if new is None else render_value(graph.values, change.key, new),
                }
            )
        lowered = [change.key for change in decision.changes]
        shown: dict[str, Any] = {"changes": changes, "lowered": lowered, "pins": lowered}
        if decision.overflow is not None:
            shown["release"] = {name_of(each.key): each.chars for each in decision.overflow.releasable}
        return shown


class UnknownRelease(EngineError):
    """An answer that releases what is not retained."""

    def __init__(self, intervention: str, found: Sequence[str], offered: Sequence[str]) -> None:
        self.intervention, self.found, self.offered = intervention, tuple(found), tuple(offered)
        allowed = ", ".join(offered) or "nothing"
        super().__init__(f"intervention {intervention}: {', '.join(found)} cannot be released; allowed are {allowed}")


_CALM = 0.8


def _declared_inputs(element: Element, decision: D1Decision) -> tuple[str, ...]:
    declared = {item.variable or item.name for item in element.data_inputs}
    lowered = (name_of(c.key) for c in decision.changes if layer_of(c.key) is Layer.WORKING)
    return tuple(name for name in lowered if name in declared)


def _overflow(decision: D1Decision, kind: str) -> tuple[str, ...]:
    if decision.overflow is None or decision.overflow.kind != kind:
        return ()
    return tuple(name_of(each.key) for each in decision.overflow.releasable)


def _kind(decision: D1Decision, report: AttentionReport | None) -> Kind:
    if decision.overflow is not None:
        return decision.overflow.kind
    if report is not None and report.action is SuggestedAction.PAUSE_AND_HUMAN:
        return "emergency"
    return "d1_preview"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
