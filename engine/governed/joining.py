"""D3 around a join: merge the branches' snapshots, tell what was settled, and ask about what is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from bpmn.strategies import spelt
from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.branches import joined_branch
from engine.governed.chains import Chains, Thought, proposals_of
from engine.governed.open_writes import OpenWrites
from engine.governed.people import People
from engine.governed.services import Services
from engine.governed.tainting import Tainting
from engine.governed.token import Token
from engine.governed.writing import latest
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.cda.zones import together
from governance.human_loop.detector import Verdict
from governance.human_loop.facts import ConflictFacts
from governance.human_loop.intervention import Intervention
from governance.layers.history import RECENT_RECORDS, ActivityRecord, interleaved
from governance.layers.manager import ContextLayerManager
from governance.layers.zoning import MOST_ROWS
from governance.merging.answers import Answer, answered
from governance.merging.conflicts import Conflict
from governance.merging.plan import MergePlan
from governance.merging.proposals import proposed
from governance.merging.rules import Head, MergeRules
from governance.policy import Policy
from governance.snapshots.model import CommitMeta, name_of
from governance.vocabulary import InteractionLevel, Layer, SuggestedAction, Trigger

_WORKING: Final = Layer.WORKING.value


class Joining:
    """Brings branches together. A join that needs a person is held with its heads, and planned anew when it goes on."""

    def __init__(
        self, instance: Instance, services: Services, people: People, open_writes: OpenWrites, chains: Chains
    ) -> None:
        self._instance, self._services = instance, services
        self._people, self._open_writes, self._chains = people, open_writes, chains
        self._tainting = Tainting(instance)

    def join(self, task: DrivenTask, tokens: Sequence[Token], into: Token | None = None) -> bool:
        """Merge `tokens` into the task's. False: held by an intervention or an incident.

        `into` is the token that split up, where it is known: the joined one goes by its name, with its local values.
        """
        run = task.activity = ActivityRun(self._instance.at, phase=Phase.MERGE)
        run.heads = [[token.branch, token.head] for token in tokens]
        task.token = self._together(task, tokens, into)
        self._tell_overruled(task)
        return self._go_on(task, run, {})

    def resume(self, task: DrivenTask) -> bool:
        """Go on with what people answered."""
        run: ActivityRun = task.activity
        answers: dict[str, Answer] = {}
        by = []
        for closed in self._people.answered(run):
            assert closed.answer is not None
            if closed.answer.decision == "deny":
                self._fail(task, run, f"merge denied by {closed.answer.by}: {closed.answer.reason}", "denied")
                return False
            answers.update(_answers(closed))
            by.append(closed.answer.by)
        return self._go_on(task, run, answers, by=", ".join(by))

    def check(self, task: DrivenTask, closed: Intervention) -> None:
        """Whether an answer fits the conflicts it is for. Raises UnknownAnswer and MergeOpen."""
        if closed.answer is not None and closed.answer.decision != "deny":
            answered(self._plan(task, task.activity), _answers(closed))

    def retry(self, task: DrivenTask) -> bool:
        run: ActivityRun = task.activity
        run.phase, run.failed_in, run.error = Phase.MERGE, None, None
        run.asked.clear()
        return self._go_on(task, run, {})

    def _together(self, task: DrivenTask, tokens: Sequence[Token], into: Token | None) -> Token:
        """The joined token before its merge: its name, its local values, its path."""
        last = tokens[-1]
        recent = tuple(dict.fromkeys(name for token in tokens for name in token.recent))
        actions = map(SuggestedAction, {token.action for token in tokens})
        action = max(actions, key=lambda action: action.rank).value
        zones = tuple(together((token.zones for token in tokens), MOST_ROWS))
        if into is not None:
            return Token(last.head, into.branch, last.scope, into.local, recent, action, into.sealed, zones)
        branch = joined_branch([token.branch for token in tokens], _name(task))
        sealed = max((token.sealed for token in tokens if branch.startswith(token.sealed)), key=len, default="")
        local = latest(token.local for token in tokens)
        return Token(last.head, branch, last.scope, local, recent, action, sealed, zones)

    def _go_on(self, task: DrivenTask, run: ActivityRun, answers: dict[str, Answer], by: str = "") -> bool:
        policy = self._instance.index.policy(task.element_id)
        rules = self._rules(task, policy)
        plan = self._plan(task, run)
        if self._chains.wants_merge(task, run, plan):
            return False
        verdict = self._services.human_loop.evaluate(
            Trigger.CONFLICT, _facts(plan, rules), floor=policy.interaction_level, applies=bool(plan.conflicts)
        )
        if plan.denied:
            return self._refuse(task, run, plan, verdict, _why_denied(plan.denied))
        if verdict.level is InteractionLevel.AUTO_DENY:
            return self._refuse(task, run, plan, verdict, f"conflicts are refused: {verdict.reason}")
        if verdict.level.blocks and not answers and "conflict" not in run.asked:
            run.asked.append("conflict")
            self._ask(task, run, plan, verdict, policy)
            return False
        if plan.notices:
            keys = ", ".join(_places(plan.notices))
            self._people.tell(task, verdict, f"settled by the last write: {keys}", keys=keys)
        self._commit(task, run, plan, answers, by)
        return True

    def _refuse(self, task: DrivenTask, run: ActivityRun, plan: MergePlan, verdict: Verdict, why: str) -> bool:
        self._record(task, plan, task.token.head)
        self._people.refuse(task, verdict, why)
        self._fail(task, run, why, "merge_denied")
        return False

    def _tell_overruled(self, task: DrivenTask) -> None:
        """Activities of the branches may name strategies; the join's own holds, and somebody should know."""
        index = self._instance.index
        overruled = index.overruled_at(task.element_id)
        if overruled:
            named = "; ".join(f"{index.title(element)} names {spelt(one)}" for element, one in overruled.items())
            message = f"the merge strategy is that of {index.title(_name(task))}: {named}"
            verdict = Verdict(Trigger.CONFLICT, InteractionLevel.MICRO_SUGGESTION, (message,))
            self._people.tell(task, verdict, message, overruled=list(overruled))

    def plan(self, task: DrivenTask) -> MergePlan:
        """The merge that a held join stands before."""
        return self._plan(task, task.activity)

    def thought(self, task: DrivenTask, thought: Thought) -> bool:
        """A model has thought about the conflicts."""
        self._chains.apply(task, thought)
        return self._go_on(task, task.activity, {})

    def _plan(self, task: DrivenTask, run: ActivityRun) -> MergePlan:
        heads = [Head(branch, snapshot) for branch, snapshot in run.heads]
        rules = self._rules(task, self._instance.index.policy(task.element_id))
        return proposed(self._services.merger.plan(heads, rules), proposals_of(run))

    def _rules(self, task: DrivenTask, policy: Policy) -> MergeRules:
        element = task.element_id
        gateway_keys = self._instance.index.names_read_after(element) if element else frozenset()
        return MergeRules(
            default=policy.merge,
            keys=policy.merge_keys,
            retained=policy.retain_keys,
            gateway_keys=gateway_keys,
            level=policy.interaction_level,
        )

    def _ask(
        self, task: DrivenTask, run: ActivityRun, plan: MergePlan, verdict: Verdict, policy: Policy
    ) -> None:
        conflicts = plan.open or plan.conflicts
        keys = sorted(name_of(conflict.id) for conflict in conflicts)
        shown = {
            "keys": keys,
            "conflicts": [conflict.dump() for conflict in conflicts],
            "pins": sorted({conflict.key for conflict in conflicts}),
        }
        self._people.ask(
            task,
            run,
            verdict,
            "conflict",
            f"branches disagree about {', '.join(_places(conflicts))} at {self._instance.index.title(_name(task))}",
            shown,
            policy=policy,
            options=("resolve", "deny") if plan.open else ("approve", "resolve", "deny"),
        )

    def _commit(
        self, task: DrivenTask, run: ActivityRun, plan: MergePlan, answers: dict[str, Answer], by: str
    ) -> None:
        instance, token = self._instance, task.token
        name = _name(task)
        meta = CommitMeta("D3", name, token.branch, instance.at)
        result = self._services.merger.commit(plan, meta, answers)
        contents = instance.graph.look(result.snapshot)
        merged = instance.graph.get(result.snapshot)
        task.written = frozenset(name_of(key) for key in (*merged.writes, *merged.carry) if key.startswith(_WORKING))
        recent = interleaved(instance.graph.values, contents, [token.recent])
        context = ContextLayerManager(instance.graph, result.snapshot, branch=token.branch, scope=token.scope)
        grading = self._services.grading_for(instance.index.policy(task.element_id), token.zones)
        if plan.conflicts:
            record = ActivityRecord(activity=name, decision=_decision(plan.conflicts, by))
            recent = context.move_to_history(record, recent, grading, after_join=True)
            head = context.commit("D3", name, instance.at)
        else:
            shown = {} if grading is None else grading.regrade(contents, recent)
            head = context.commit("D3", name, instance.at, shown=shown)
        if run.chained:
            instance.changes.finished_runs.append(str(task.id))
        self._tainting.merged(plan, result.snapshot, result.record)
        self._open_writes.joined([branch for branch, _ in run.heads], token.branch, contents)
        task.token = token._replace(head=head, recent=recent[-RECENT_RECORDS:])
        task.activity = None
        self._record(task, plan, head, result.record, by)

    def _record(
        self, task: DrivenTask, plan: MergePlan, head: str, record: dict[str, Any] | None = None, by: str = ""
    ) -> None:
        conflicts = [conflict.dump() for conflict in plan.conflicts]
        data: dict[str, Any] = {
            "reason": _reason(plan),
            "branches": [head.branch for head in plan.heads],
            "before": [head.snapshot for head in plan.heads],
            "after": head,
            "bases": list(plan.bases),
        }
        if conflicts:
            data["conflicts"] = conflicts
            data["record"] = record or {}
        if by:
            data["decided_by"] = by
        self._instance.log.add(EventType.D3, _name(task), task.token.branch, **data)

    def _fail(self, task: DrivenTask, run: ActivityRun, error: str, kind: str) -> None:
        run.failed_in, run.phase, run.error, run.error_kind = Phase.MERGE, Phase.INCIDENT, error, kind
        self._instance.fail(task, error, kind)


def _name(task: DrivenTask) -> str:
    name: str = task.element_id or task.task_spec.name
    return name


def _facts(plan: MergePlan, rules: MergeRules) -> ConflictFacts:
    notices = tuple(conflict.key for conflict in plan.notices)
    open_keys = tuple(conflict.key for conflict in plan.open)
    settled = tuple(c.key for c in plan.conflicts if c.key not in notices and c.key not in open_keys)
    important = tuple(conflict.key for conflict in plan.open if rules.matters(name_of(conflict.key)))
    return ConflictFacts(
        settled=settled,
        notices=notices,
        open_keys=open_keys,
        open_on_retained_or_gateway=important,
        denied=tuple(conflict.key for conflict in plan.denied),
    )


def _answers(closed: Intervention) -> dict[str, Answer]:
    """A person's values as answers: `{"take": branch}`, `{"delete": true}`, or the value itself (`{"value": ...}`)."""
    assert closed.answer is not None
    answers: dict[str, Answer] = {}
    for name, value in (closed.answer.values or {}).items():
        if isinstance(value, dict) and set(value) == {"take"}:
            answers[name] = Answer.take(str(value["take"]))
        elif isinstance(value, dict) and value == {"delete": True}:
            answers[name] = Answer.delete()
        elif isinstance(value, dict) and set(value) == {"value"}:
            answers[name] = Answer.value(value["value"])
        else:
            answers[name] = Answer.value(value)
    return answers


def _reason(plan: MergePlan) -> str:
    if plan.fast_forward is not None:
        return "only one branch wrote anything: its snapshot goes on"
    if not plan.conflicts:
        return f"{len(plan.heads)} branches wrote different keys or the same values"
    folded = _places(each for each in plan.conflicts if each.strategy is not None and each.strategy.is_reducer)
    disputed = _places(each for each in plan.conflicts if each.strategy is None or not each.strategy.is_reducer)
    parts = [f"{len(plan.heads)} branches"]
    if disputed:
        parts.append(f"disagree about {', '.join(disputed)}")
    if folded:
        parts.append(f"{'and ' if disputed else ''}add to {', '.join(folded)}")
    return " ".join(parts)


def _places(conflicts: Iterable[Conflict]) -> list[str]:
    return sorted({conflict.place for conflict in conflicts})


def _why_denied(denied: Sequence[Conflict]) -> str:
    names = ", ".join(sorted({conflict.key for conflict in denied}))
    return f"the branches cannot be merged: {names}"


def _decision(conflicts: Sequence[Conflict], by: str) -> str:
    settled = ", ".join(sorted({name_of(c.key) for c in conflicts}))
    return f"merged {settled}" + (f", decided by {by}" if by else "")


