"""D1 around an activity: compress, say why, and ask where a person must agree (Design: D1 compress)."""

from __future__ import annotations

from collections import ChainMap
from typing import Final

from bpmn.definition import Element
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.d1_questions import D1Questions
from engine.governed.dead_ends import entries_of
from engine.governed.measuring import Measuring, short
from engine.governed.recalling import recall
from engine.governed.services import Services
from engine.governed.token import Token
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.attention.bands import band_floor
from governance.chains.summaries import compress_automatically
from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision, D1Request
from governance.layers.spaces import space_for
from governance.policy import Policy
from governance.snapshots.model import key_of
from governance.vocabulary import Band, Layer, SuggestedAction, Zones


class Compressing:
    """Runs D1 for a task's token and raises what follows from it."""

    def __init__(self, instance: Instance, services: Services, measuring: Measuring, questions: D1Questions) -> None:
        self._instance, self._services = instance, services
        self._measuring, self._questions = measuring, questions

    def before(self, task: DrivenTask, run: ActivityRun, element: Element) -> bool:
        """D1 before an activity, and zones before an agent's first call. False: held by an intervention."""
        policy = element.resolved.policy
        recall(self._instance, task, element, policy, run.released)
        if element.agent is not None:
            self._grade_by_zone(task, run, element, 0)
        elif self.calm(task, run, policy):
            return True
        return self._asking(task, run, element, self.compress(task, run, element, overhead_tokens=0))

    def at_call(self, task: DrivenTask, run: ActivityRun, element: Element, overhead_tokens: int) -> bool:
        """Zones and D1 before a further model call. False: the token is held by an intervention."""
        self._grade_by_zone(task, run, element, overhead_tokens)
        decision = self.compress(task, run, element, overhead_tokens=overhead_tokens)
        return self._asking(task, run, element, decision)

    def _asking(self, task: DrivenTask, run: ActivityRun, element: Element, decision: D1Decision) -> bool:
        """Ask what a D1 calls for. False: the token is held by an intervention."""
        report = None
        if decision.band is not Band.NONE or element.agent is not None:
            report = self._measuring.measure(task.token, element.resolved.policy)
        if decision.band is Band.NONE and decision.overflow is None and (report is None or report.score >= _CALM):
            return True
        self._questions.ask(task, run, element, decision, report)
        return not run.holds

    def calm(self, task: DrivenTask, run: ActivityRun, policy: Policy) -> bool:
        """Whether D1 has nothing to do, as before most activities."""
        token: Token = task.token
        standing, working = self._instance.graph.standing(token.head), space_for(Layer.WORKING, token.scope)
        found = self._services.compressor.calm(standing, working, policy)
        if found is None:
            return False
        run.pressure, run.usage = short(found.pressure), short(found.usage)
        return True

    def compress(self, task: DrivenTask, run: ActivityRun, element: Element, *, overhead_tokens: int) -> D1Decision:
        """D1 itself: the token moves to the compressed snapshot."""
        token: Token = task.token
        instance = self._instance
        request = self.request(task, run, element, overhead_tokens=overhead_tokens)
        decision = compress_automatically(self._services.compressor, token.head, request, instance.at).found
        run.pressure, run.usage = short(decision.after.pressure), short(decision.after.usage)
        if decision.band is not Band.NONE or decision.warning:
            instance.log.add(EventType.D1, element.id, token.branch, **decision.record())
        if decision.snapshot_after != token.head:
            task.token = token._replace(head=decision.snapshot_after)
            instance.touch(task)
            run.lowered.extend(change.key for change in decision.changes)
        return decision

    def _grade_by_zone(self, task: DrivenTask, run: ActivityRun, element: Element, overhead_tokens: int) -> None:
        """Show HISTORY and KNOWLEDGE by zone, where zones are on: the token moves to that snapshot."""
        if element.resolved.policy.zones is Zones.OFF:
            return
        token, instance, zones = task.token, self._instance, self._services.zones
        request = self.request(task, run, element, overhead_tokens=overhead_tokens)
        if not zones.on(instance.graph.standing(token.head), request, token.zones):
            return
        found = zones.assemble(token.head, request, token.zones, instance.at, self._failed_records())
        task.token = token._replace(head=found.after, zones=found.rows)
        instance.touch(task)
        if found.after != token.head:
            counts = {zone.value: count for zone, count in found.zones.items()}
            instance.log.add(
                EventType.ZONES, element.id, token.branch, before=found.before, after=found.after,
                raised=list(found.raised), lowered=list(found.lowered), **counts,
            )  # fmt: skip

    def _failed_records(self) -> frozenset[str]:
        """Keys of the records that a dead end of the instance stands for."""
        instance = self._instance
        registry = instance.dead_ends
        known = registry.list(session=instance.id, at=instance.at, status="active") if registry.any else ()
        return frozenset(key_of(Layer.HISTORY, name) for each in known for name in entries_of(each))

    @property
    def compressor(self) -> ContextCompressor:
        return self._services.compressor

    def request(
        self, task: DrivenTask, run: ActivityRun, element: Element, *, overhead_tokens: int = 0
    ) -> D1Request:
        """What D1 is asked for an activity at its token's head."""
        token, instance = task.token, self._instance
        return D1Request(
            activity=element.id,
            run=str(task.id),
            branch=token.branch,
            scope=token.scope,
            policy=element.resolved.policy,
            query=instance.index.query(element.id),
            inputs=frozenset(item.variable or item.name for item in element.data_inputs),
            overhead_tokens=overhead_tokens,
            pinned=ChainMap(dict.fromkeys(run.refused, 1), instance.held.pins(token.branch)),
            band_floor=band_floor(SuggestedAction(token.action)),
            lowered=frozenset(run.lowered),
            released=frozenset(run.released),
            texts=run.texts,
            scopes=instance.index.scope_names,
            path=token.recent,
            needs=instance.index.needs(element.id),
            sealed=bool(token.sealed),
            reads=instance.index.reads,
        )


_CALM: Final = 0.8
