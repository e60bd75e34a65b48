"""The governance around a token: what happens at each place the driver calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.branches import child_branch, distinct, event_branch
from engine.governed.budgets import Budgets
from engine.governed.chains import Chains
from engine.governed.compressing import Compressing
from engine.governed.d1_questions import D1Questions
from engine.governed.dead_ends import DeadEnds
from engine.governed.experiences import Experiences
from engine.governed.happening import Happening
from engine.governed.inline import Inline
from engine.governed.instances import Instances
from engine.governed.joining import Joining
from engine.governed.knowing import Knowing
from engine.governed.mapped import Mapped
from engine.governed.measuring import Measuring, brief, own_action
from engine.governed.open_writes import OpenWrites
from engine.governed.outputs import Outputs
from engine.governed.people import People
from engine.governed.pipeline import Pipeline
from engine.governed.refusals import Refused, by_policy, of_system
from engine.governed.scopes import Scopes
from engine.governed.services import Services
from engine.governed.tainting import Tainting
from engine.governed.token import Token
from engine.governed.undoing import Undoing
from engine.governed.variables import Variables
from engine.instance import Instance
from engine.spiff.catching import TIME
from engine.spiff.events import throw_exception
from engine.spiff.hooks import Run
from engine.spiff.scope import Scope
from engine.spiff.task import DrivenTask
from governance.human_loop.intervention import Intervention
from governance.layers.manager import ContextLayerManager
from governance.vocabulary import Layer, Producer, SplitStrategy


class GovernedHooks:
    """`TokenHooks` of a governed instance. Each place is one call to one object with one job."""

    runs_manual = True

    def __init__(self, instance: Instance, services: Services) -> None:
        self._instance, self._services = instance, services
        self.open_writes = OpenWrites()
        people = self.people = People(instance)
        self._measuring = Measuring(instance, services, self.open_writes)
        questions = D1Questions(instance, services, people)
        self.compressing = Compressing(instance, services, self._measuring, questions)
        self.knowing = Knowing(instance, services, self._measuring)
        outputs = self.outputs = Outputs(instance, services, self._measuring, people, self.open_writes, self.knowing)
        self.experiences = Experiences(instance)
        self.budgets = Budgets(instance, people)
        self._tainting = Tainting(instance)
        self.dead_ends = DeadEnds(instance, people, self.experiences)
        self.chains = Chains(instance, self.compressing, self.budgets)
        self.mapped = Mapped(instance)
        self.pipeline = Pipeline(
            instance, self.knowing, self.compressing, questions, outputs, people, self.dead_ends, self.chains,
            self.mapped,
            Inline(instance, services, outputs, self.mapped),
            self.budgets,
        )  # fmt: skip
        self.joining = Joining(instance, services, people, self.open_writes, self.chains)
        self.instances = Instances(instance, services, self.joining, self.open_writes)
        self._scopes = Scopes(instance, services, self.open_writes, self.mapped)
        self._happening = Happening(instance, services, self.open_writes, self._tainting, self.mapped)
        self._undoing = Undoing(instance)

    def view(self, token: Token) -> Variables:
        return Variables(self._instance.graph, token)

    def check(self, closed: Intervention) -> None:
        """Whether an answer fits what was asked. Raises UnknownAnswer, MergeOpen, WrongEdit, UnknownRelease."""
        task_id = self._instance.held.get(closed.id)
        task = None if task_id is None else self._instance.task(task_id)
        if task is not None and task.activity.phase is Phase.MERGE:
            self.joining.check(task, closed)
        elif task is not None:
            self.pipeline.check(task, closed)

    def refusal(self, task: DrivenTask, result: Any) -> Refused | None:
        """Why what an activity's work came to is refused, if it is for an attempt at SYSTEM."""
        return of_system(self._services, self._instance.index.elements[task.task_spec.bpmn_id], result)

    def newest_head(self) -> str:
        """The snapshot that stands for the instance."""
        head = self._instance.newest_head
        assert head is not None
        return head

    def move(self, task: DrivenTask, head: str) -> None:
        """The task's token stands on another snapshot from now on."""
        task.token = task.token._replace(head=head)
        task.data = self.view(task.token)
        self._instance.touch(task)

    def stand_for_instance(self, task: DrivenTask) -> None:
        """Let a look at the instance begin where this task stands: its context is the last that changed."""
        self._instance.head = task.token.head
        self._instance.workflow.last_task = task

    def measured(self, task: DrivenTask) -> None:
        """Attention after a model turn; what it asks for counts at the next D1."""
        token: Token = task.token
        known = self.knowing.measures(task.activity)
        report = self._measuring.measure(token, self._instance.index.policy(task.element_id), known)
        task.token = token._replace(action=own_action(report))
        self._instance.log.add(EventType.ATTENTION, task.element_id, token.branch, attention=brief(report))

    def enter(self, task: DrivenTask) -> None:
        if task.token is None:
            assert task.up is not None
            task.token = task.up.token
        task.data = self.view(task.token)

    def activity(self, task: DrivenTask, run: Run) -> bool | None:
        return self.pipeline.begin(task)

    def gateway(self, task: DrivenTask, taken: Sequence[str]) -> None:
        """The path taken is PROCESS's; each gateway keeps its last choice."""
        token: Token = task.token
        element = task.task_spec.bpmn_id or task.task_spec.name
        if not self._took_before(token, element, taken):
            context = ContextLayerManager(self._instance.graph, token.head, branch=token.branch, scope=token.scope)
            context.write(Layer.PROCESS, f"path/{element}", list(taken), producer=Producer.ENGINE)
            token = token._replace(head=context.commit("gateway", element, self._instance.at))
        report = self._measuring.measure(token, self._instance.index.policy(element))
        task.token = token.asked(own_action(report))
        self._instance.log.add(EventType.GATEWAY, element, token.branch, taken=list(taken), attention=brief(report))

    def _took_before(self, token: Token, element: str, taken: Sequence[str]) -> bool:
        """Whether a gateway takes the same way as the last time, as in most rounds of a loop."""
        graph = self._instance.graph
        last = graph.standing(token.head).named(Layer.PROCESS, f"path/{element}")
        return last is not None and bool(graph.values.get(last.value) == taken)

    def split(self, task: DrivenTask, children: Sequence[DrivenTask]) -> None:
        """D2: a branch per child."""
        token: Token = task.token
        graph, name = self._instance.graph, task.task_spec.bpmn_id or task.task_spec.name
        generation = graph.get(token.head).generation
        graph.contents(token.head)  # once for all branches that grow from it
        if children[0] is task:
            branches = [event_branch(token.branch, name, generation, task.internal_data.get(TIME, 1))]
        else:
            count = len(children)
            arms = distinct([child.task_spec.arm for child in children])
            branches = [child_branch(token.branch, name, generation, count, arm) for arm in arms]
        policy = self._instance.index.policy(name)
        heads = [token.head] * len(branches)
        if policy.split is not SplitStrategy.INHERIT_ALL:
            context = ContextLayerManager(graph, token.head, branch=token.branch, scope=token.scope)
            split = context.split(branches, policy.split, policy.retain_keys, self._instance.at)
            heads = [each.head for each in split]
        for child, branch, head in zip(children, branches, heads, strict=True):
            sealed = token.sealed if policy.split is SplitStrategy.INHERIT_ALL else branch
            child.token = token._replace(branch=branch, head=head, sealed=sealed)
        self._instance.log.add(
            EventType.D2,
            name,
            token.branch,
            reason=f"{len(branches)} tokens go on; agents see {policy.split.value}",
            branches=branches,
            before=token.head,
            after=sorted(set(heads)),
        )

    def arrive(self, task: DrivenTask) -> None: ...

    def join(self, task: DrivenTask, arrivals: Sequence[DrivenTask]) -> bool:
        joined = self.joining.join(task, [arrival.token for arrival in arrivals])
        task.data = self.view(task.token)
        return joined

    def surface(self, event: DrivenTask, tokens: Sequence[DrivenTask]) -> None:
        self._happening.surface(event, tokens)

    def interrupt(self, event: DrivenTask, interrupted: Sequence[DrivenTask]) -> None:
        self._happening.interrupt(event, interrupted)

    def swallow(self, task: DrivenTask, late: Sequence[DrivenTask]) -> None:
        self._happening.swallow(task, late)

    def open_scope(self, task: DrivenTask, root: DrivenTask) -> None:
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        refused = by_policy(element) if element.kind == "callActivity" else None
        if refused is not None:
            self.people.refuse(task, refused.verdict, refused.reason)
            raise refused
        self._compress_once(task)
        self._scopes.open(task, root)

    def close_scope(self, task: DrivenTask, scope: Scope) -> None:
        self._scopes.close(task, scope.last_task)

    def finish(self, scope: Scope, last: DrivenTask) -> None: ...

    def open_instances(self, task: DrivenTask, keys: Sequence[Any], parallel: bool) -> None:
        self._compress_once(task)
        self.instances.open(task, keys, parallel)

    def keep_items(self, task: DrivenTask, items: Sequence[Any]) -> Any:
        return self._instance.graph.values.put(items)

    def kept_items(self, task: DrivenTask, kept: Any) -> Sequence[Any]:
        items: Sequence[Any] = self._instance.graph.values.get(kept)
        return items

    def enter_instance(self, task: DrivenTask, child: DrivenTask, key: Any, item: Any) -> None:
        self.instances.enter(task, child, key, item)

    def count_round(self, task: DrivenTask, child: DrivenTask, number: int) -> None:
        self.instances.count(task, child, number)

    def leave_instance(self, task: DrivenTask, child: DrivenTask) -> None:
        self.instances.leave(task, child)

    def close_instances(self, task: DrivenTask, children: Sequence[DrivenTask]) -> bool:
        return self.instances.close(task, children)

    def place_of(self, task: DrivenTask) -> Any:
        return self._undoing.place_of(task)

    def begin_undo(self, task: DrivenTask, child: DrivenTask, place: Any) -> None:
        self._undoing.begin(task, child, place)

    def end_undo(self, task: DrivenTask, child: DrivenTask) -> None:
        self._undoing.end(task, child)

    def take_back(self, event: DrivenTask, last: DrivenTask) -> None:
        self._undoing.take_back(event, last)

    def dropped(self, task: DrivenTask) -> None:
        self._instance.release(task)

    def received(self, task: DrivenTask, payload: Mapping[str, Any]) -> None:
        self._happening.received(task, payload)

    def failed(self, task: DrivenTask, error: Exception) -> bool | None:
        """An element that raised, and whose error nothing catches, is an incident: it stays, and may be tried again."""
        if task.token is None:
            task.token = task.up.token if task.up is not None else None
        if throw_exception(task, error):
            return None
        run = task.activity
        if run is None:
            run = task.activity = ActivityRun(self._instance.at)
        kind = type(error).__name__
        run.failed_in, run.phase, run.error, run.error_kind = run.phase, Phase.INCIDENT, str(error), kind
        self._instance.jobs.pop(task.id, None)
        self._instance.fail(task, str(error), kind)
        return None

    def _compress_once(self, task: DrivenTask) -> None:
        """D1 before what holds activities, so that each of them starts from a context that fits."""
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        run = ActivityRun(self._instance.at)
        if not self.compressing.calm(task, run, element.resolved.policy):
            self.compressing.compress(task, run, element, overhead_tokens=0)
