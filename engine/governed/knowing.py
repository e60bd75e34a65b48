"""Knowledge around an activity: brought in before it, judged by what a model made of it (Design: flywheel)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bpmn.definition import Element
from engine.activities.work import Finding
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.impersonal import Impersonal
from engine.governed.measuring import Measuring, short
from engine.governed.services import Services
from engine.governed.token import UNSET, Token
from engine.governed.writing import StepWriter
from engine.instance import Instance
from engine.knowledge.index import PendingKnowledge
from engine.replay.reads import RecordedKnowledge
from engine.spiff.task import DrivenTask
from governance.flywheel.citing import cited
from governance.flywheel.feedback import Offered
from governance.flywheel.flywheel import KnowledgeFlywheel
from governance.flywheel.item import KnowledgeItem, Provenance, SourceKind
from governance.flywheel.ports import Wanted
from governance.layers.limits import lasts
from governance.layers.manager import ContextLayerManager
from governance.layers.spaces import space_for
from governance.policy import KnowledgeRequirement
from governance.similarity.terms import terms
from governance.snapshots.canonical import canonical, spell
from governance.snapshots.model import key_of
from governance.tokens import EstimatingCounter
from governance.vocabulary import Layer, Producer

FeedBack = Callable[[Callable[[str], Sequence[str]]], None]
"""Is given how to bring in something better for a query, and does so."""


class Knowing:
    """The flywheel of one instance. Without a knowledge base in `services` it does nothing."""

    def __init__(self, instance: Instance, services: Services, measuring: Measuring) -> None:
        self._instance, self._services, self._measuring = instance, services, measuring
        self._impersonal = Impersonal(instance)

    def before(self, task: DrivenTask, run: ActivityRun, element: Element) -> None:
        """What the policy wants to be known is looked for, once per run, and stands in KNOWLEDGE from now on."""
        wanted = element.resolved.policy.knowledge_requirements
        if not wanted or run.looked_up or self._services.knowledge is None:
            return
        run.looked_up = True
        about, at = self._instance.index.query(element.id), self._instance.at
        searches = [_search(each, about, at) for each in wanted]
        attention = self._measuring.measure(task.token, element.resolved.policy).score
        injection, base = self._flywheel().consume(searches, attention), self._base()
        base.put(each.item for each in injection.given if base.get(each.item.id) is None)
        self._inject(task, run, element, {each.item.id: (each.value, each.confidence) for each in injection.given})
        self._instance.log.add(
            EventType.KNOWLEDGE_INJECTED,
            element.id,
            task.token.branch,
            reason=f"attention {short(attention):.2f}: {injection.form}",
            form=injection.form,
            items=[each.item.id for each in injection.given],
            left_out=[each.item.id for each in injection.left_out],
            tokens=sum(each.tokens for each in injection.given),
        )

    def offer(self, task: DrivenTask, run: ActivityRun) -> Mapping[str, str]:
        """The items that a model call is shown, with their texts; they count as offered to this run."""
        space = self._instance.graph.contents(task.token.head).space(Layer.KNOWLEDGE)
        if not space.totals.entries or self._services.knowledge is None:
            return {}
        values = self._instance.graph.values
        shown = {name: values.get(item.value) for name, item in space.rendered.items() if name.startswith("k-")}
        run.offered.extend(id for id in shown if id not in run.offered)
        return {id: str(value.get("text", "")) for id, value in shown.items() if isinstance(value, dict)}

    def hear(
        self, task: DrivenTask, element: Element, offered: Mapping[str, str], answer: Mapping[str, Any]
    ) -> None:
        """What a model answered after it had been shown these items. What it repeats of its inputs is no citation."""
        if offered:
            run: ActivityRun = task.activity
            said = canonical([answer.get("text"), answer.get("outputs")]).decode()
            found = cited(offered, said, [self._instance.index.query(element.id), *self._inputs(task.token)])
            run.cited.extend(sorted(found - set(run.cited)))

    def _inputs(self, token: Token) -> Iterator[str]:
        """The variables that an agent is shown."""
        values = self._instance.graph.values
        space = self._instance.graph.contents(token.head).space(space_for(Layer.WORKING, token.scope))
        for item in space.rendered.values():
            yield spell(values.get(item.value)).decode()
        for stamp in token.local.values():
            if stamp.value != UNSET:
                yield spell(values.get(stamp.value)).decode()

    def renew(
        self, task: DrivenTask, run: ActivityRun, element: Element, feed_back: FeedBack | None = None
    ) -> None:
        """Before a further model call: where knowledge served badly, one better item instead (PRECISE).

        `feed_back` may say what to look for.
        """
        if not run.offered or self._services.knowledge is None:
            return
        again = next((after for before, after in run.renewed if before == task.token.head), None)
        if again is not None:
            self._move(task, again)
            return
        flywheel, offered = self._flywheel(), self._offered(run, element)
        if offered.score >= flywheel.settings.low_knowledge:
            return
        if feed_back is None:
            self._replace(task, run, element, offered, "")
        else:
            feed_back(lambda query: self._replace(task, run, element, offered, query))

    def _replace(
        self, task: DrivenTask, run: ActivityRun, element: Element, offered: Offered, query: str
    ) -> list[str]:
        """The keys of what was brought in instead. Without a query, what of the activity's intent is not met is it."""
        intent = self._instance.index.query(element.id)
        unmet = sorted(set(terms(intent)).difference(*(terms(item.text) for item in offered.items)))
        better = self._flywheel().precise(intent, query or " ".join(unmet), self._instance.at, but=run.offered)
        if better is None:
            return []
        before, vain = task.token.head, [id for id in run.injected if id not in run.cited]
        self._inject(task, run, element, {better.item.id: (better.value, better.confidence)}, instead=vain)
        run.renewed.append([before, task.token.head])
        self._instance.log.add(
            EventType.KNOWLEDGE_INJECTED,
            element.id,
            task.token.branch,
            reason=f"knowledge scored {short(offered.score):.2f}: PRECISE",
            form="precise",
            items=[better.item.id],
            left_out=vain,
            tokens=better.tokens,
        )
        return [better.item.id]

    def measures(self, run: ActivityRun) -> tuple[float, float] | None:
        """(mean confidence, share cited) of what was offered to a run; None where nothing was."""
        if not run.offered or self._services.knowledge is None:
            return None
        items = [item for id in run.offered if (item := self._base().get(id)) is not None]
        if not items:
            return None
        return sum(item.confidence for item in items) / len(items), len(run.cited) / len(run.offered)

    def clear(self, step: StepWriter, run: ActivityRun) -> None:
        """Stage the removal of what was brought in for this run only; what is sure enough stays for the next."""
        contents, values = step.context.contents, self._instance.graph.values
        for id in run.injected:
            entry = contents.item(key_of(Layer.KNOWLEDGE, id))
            if entry is not None and not lasts(values, entry):
                step.context.delete(Layer.KNOWLEDGE, id)

    def learn(self, task: DrivenTask, run: ActivityRun, element: Element, findings: Iterable[Finding]) -> None:
        """When the activity is done: what was offered rises or falls, what was found out is kept."""
        if self._services.knowledge is None:
            return
        if run.offered:
            steps = self._flywheel().feedback(offered := self._offered(run, element))
            self._instance.log.add(
                EventType.KNOWLEDGE_FEEDBACK,
                element.id,
                task.token.branch,
                score=short(offered.score),
                cited=list(run.cited),
                steps=[step.record() for step in steps],
            )
        for finding in findings:
            self._keep(task, run, element, finding)

    def _keep(self, task: DrivenTask, run: ActivityRun, element: Element, finding: Finding) -> None:
        flywheel = self._flywheel()
        process = self._instance.index.process_of(element.id)
        provenance = Provenance(
            kind=SourceKind.FINDING,
            source=f"{process.id}/{element.id}",
            place=f"instance {self._instance.id}",
            origins=tuple(run.cited),
        )
        at = self._instance.at
        text = self._impersonal.text(finding.text, task.token.head, {})
        item = flywheel.produce(text, finding.type, provenance, at, stated=finding.confidence)
        kept = flywheel.store(item, recalled=self._offered(run, element).items)
        other = {} if kept.other is None else {"other": kept.other.id}
        self._instance.log.add(
            EventType.KNOWLEDGE_FOUND,
            element.id,
            task.token.branch,
            id=item.id,
            result=kept.result,
            confidence=item.confidence,
            **other,
        )

    def _inject(
        self,
        task: DrivenTask,
        run: ActivityRun,
        element: Element,
        entries: Mapping[str, tuple[Mapping[str, Any], float]],
        instead: Iterable[str] = (),
    ) -> None:
        token: Token = task.token
        context = ContextLayerManager(self._instance.graph, token.head, branch=token.branch, scope=token.scope)
        for id in instead:
            context.delete(Layer.KNOWLEDGE, id)
        for id, (value, confidence) in entries.items():
            item = self._base().get(id)
            if item is not None and item.tainted:
                self._instance.taint.add(value)
            context.write(Layer.KNOWLEDGE, id, dict(value), producer=Producer.RETRIEVAL, confidence=confidence)
        run.injected = [*(id for id in run.injected if id not in set(instead)), *entries]
        if entries:
            self._move(task, context.commit("knowledge", element.id, self._instance.at))

    def _move(self, task: DrivenTask, head: str) -> None:
        task.token = task.token._replace(head=head)
        self._instance.touch(task)

    def _offered(self, run: ActivityRun, element: Element) -> Offered:
        base = self._base()
        items: list[KnowledgeItem] = [item for id in run.offered if (item := base.get(id)) is not None]
        return Offered(activity=element.id, items=items, cited=frozenset(run.cited), at=self._instance.at)

    def _base(self) -> PendingKnowledge:
        assert self._services.knowledge is not None
        index = RecordedKnowledge(self._services.knowledge, self._services.retriever, self._instance.reads)
        return PendingKnowledge(index, self._instance.changes.knowledge)

    def _flywheel(self) -> KnowledgeFlywheel:
        base = self._base()
        return KnowledgeFlywheel(base, base, self._services.summariser, EstimatingCounter())


def _search(wanted: KnowledgeRequirement, about: str, at: str) -> Wanted:
    return Wanted(
        query=wanted.query or about,
        type=wanted.type,
        count=wanted.count,
        min_confidence=wanted.min_confidence,
        at=at,
    )
