"""Rewinds an instance: it goes on from an earlier snapshot, on a new line of its history; nothing is lost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Final

from engine.events import EventType
from engine.instance import Instance
from engine.json_text import compact
from engine.people.work_item import WorkItem
from engine.persistence import StoreCommitter
from engine.replay.cause import Cause, Kind
from engine.replay.effects import Done, done_outside
from engine.replay.errors import Differs, NotRewindable, RewindRefused
from engine.replay.going_back import go_back
from engine.replay.line import Line
from engine.replay.replayer import History
from engine.sessions import Sessions
from engine.standing import branch_heads
from engine.store.advance import Advance, NewInstance, StoredInstance
from engine.store.port import InstanceStore
from governance.human_loop.intervention import withdraw
from governance.human_loop.rights import no_second_pair_of_eyes
from governance.policy import Policy
from governance.vocabulary import Effect, InteractionLevel

_ASKS: Final = {
    Effect.READ: InteractionLevel.AUTO_ALLOW,
    Effect.WRITE: InteractionLevel.DIFF_PREVIEW,
    Effect.IRREVERSIBLE: InteractionLevel.EXPLICIT_APPROVAL,
}


@dataclass(frozen=True, slots=True)
class Consent:
    """Who wants it and why, the roles they have, and up to which level they agree having seen what it means.

    `seen` names the plan that they looked at: they agree to no other. None: to whatever it is.
    """

    by: str
    reason: str = ""
    roles: Collection[str] = ()
    level: InteractionLevel = InteractionLevel.MICRO_SUGGESTION
    seen: str | None = None

    def covers(self, plan: Plan) -> bool:
        """Whether they agree to it."""
        return self.level.rank >= plan.level.rank and self.seen in (None, plan.seen)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a rewind means: from the state after which advance, what of it happened outside, and who has to agree."""

    snapshot: str
    advance: int
    abandoned: int
    """Advances that are given up; they stay in the log."""
    done: Sequence[Done]
    level: InteractionLevel
    why: str
    line: Line

    def to_json(self) -> dict[str, Any]:
        """What people are to see of it; `seen` is the hash of that."""
        return {**self._told(), "seen": self.seen}

    @property
    def seen(self) -> str:
        """Names it: who agrees, says what they have seen."""
        return sha256(compact(self._told()).encode()).hexdigest()

    def _told(self) -> dict[str, Any]:
        told = ("snapshot", "advance", "abandoned", "level", "why")
        return {**{name: getattr(self, name) for name in told}, "done": [asdict(each) for each in self.done]}


class Rewinding:
    """Plans and does rewinds."""

    def __init__(self, store: InstanceStore, sessions: Sessions) -> None:
        self._store, self._sessions = store, sessions

    def plan(self, history: History, snapshot: str) -> Plan:
        """What it would mean. Raises NotRewindable, NotReplayable, Differs."""
        record = history.record
        advance = _advance_of(history, snapshot)
        line, _ = history.line_to(advance, snapshot)
        if snapshot not in line.made and snapshot not in line.taken and not line.instance.graph.knows(snapshot):
            raise NotRewindable(record.id, snapshot, "no advance made it")
        if snapshot in line.taken:
            raise NotRewindable(record.id, snapshot, "it was made inside the work of an agent: take the one after that")
        _same(history, line)
        done = self._done_since(history, advance)
        level, why = _level(line.instance, done)
        return Plan(snapshot, advance, len(history.causes) - advance, done, level, why, line)

    def rewind(self, history: History, plan: Plan, consent: Consent, at: str) -> None:
        """Do it. Raises RewindRefused, and VersionConflict where the instance was moved meanwhile."""
        line, record = plan.line, history.record
        instance = line.instance
        _agree(plan, consent, record.starter, instance.index.policy(None), record.id)
        stored = self._store.load(record.id)
        data = _data(history, plan, instance, self._open(stored))
        go_back(line, data, at)
        instance.version, instance.epoch = record.version, record.epoch
        instance.log.next_seq = stored.next_seq
        if line.deployed.hash != record.definition:
            instance.changes.definition = (line.deployed.hash, line.deployed.index.main.id)
        instance.changes.cause = Cause(Kind.REWIND, {**data, "by": consent.by, "reason": consent.reason})
        self._close_the_rest(instance, stored, data)
        instance.log.add(
            EventType.REWOUND, snapshot=plan.snapshot, lost=self._heads(stored), by=consent.by, reason=consent.reason,
            abandoned=plan.abandoned, done=[[each.key, each.effect.value] for each in plan.done],
        )  # fmt: skip
        rows = dict(line.sink.rows)
        held = _Held()
        StoreCommitter(held, uncheckpointed=record.uncheckpointed).commit(instance)
        self._store.commit(self._whole(held.advance, rows, stored, instance))

    def _done_since(self, history: History, advance: int) -> list[Done]:
        """What was done outside after an advance, and what it threw itself, which may have been after the snapshot."""
        id, own = history.record.id, history.causes[advance - 1]
        thrown = own._replace(cause=Cause(Kind.OTHER, {"thrown": own.cause.data.get("thrown", ())}))
        begun = next((seal.first + seal.length for seal in self._store.log.seals(id) if seal.version == advance), 0)
        return done_outside(id, [thrown, *history.causes[advance:]], self._store.events(id, after=begun - 1))

    def _whole(
        self, advance: Advance, rows: Mapping[str, bytes], stored: StoredInstance, instance: Instance
    ) -> Advance:
        """The advance with all of the live state, in the place of what stands in the store."""
        live = {**rows, **dict(advance.live_upserts)}
        for key in advance.live_deletes:
            live.pop(key, None)
        old = set(self._sessions.restore(stored)[0].workflow.event_manager.from_outside())
        new = set(instance.workflow.event_manager.from_outside())
        return replace(
            advance,
            live_upserts=list(live.items()),
            live_deletes=[key for key in stored.live if key not in live],
            waiting_on=sorted(new - old),
            waiting_off=sorted(old - new),
        )

    def _heads(self, stored: StoredInstance) -> list[str]:
        """Where the line ends that is given up: its snapshots stay readable."""
        heads = set(branch_heads(self._sessions.restore(stored)[0]).values())
        return sorted(heads | {head for head in (stored.instance.head,) if head is not None})

    def _open(self, stored: StoredInstance) -> set[str]:
        return {each.id for each in stored.work_items} | {each.id for each in stored.interventions}

    def _close_the_rest(self, instance: Instance, stored: StoredInstance, data: Mapping[str, Any]) -> None:
        """What people were asked in the future that is given up."""
        items = {item.id for item in instance.work_items.values()}
        for item in stored.work_items:
            if item.id not in items:
                instance.changes.work_items[item.id] = _cancelled(item)
        for asked in stored.interventions:
            if asked.id not in instance.held:
                instance.changes.interventions[asked.id] = withdraw(asked)


class _Held:
    """Takes an advance, and does nothing with it yet."""

    advance: Advance

    def create(self, new: NewInstance, first: Advance | None = None) -> int:
        raise AssertionError("a rewind moves an instance that is there")

    def commit(self, advance: Advance) -> int:
        self.advance = advance
        return advance.version + 1


def _advance_of(history: History, snapshot: str) -> int:
    """The advance that made a snapshot, found by making them again. Raises NotRewindable, NotReplayable."""
    line = history.begin()
    for kept in history.causes:
        line = history.make_next(line, kept)
        if snapshot in line.made or snapshot in line.taken:
            return kept.version
    raise NotRewindable(history.record.id, snapshot, "no advance made it")


def _same(history: History, line: Line) -> None:
    unknown = next((id for id in line.made if id not in set(history.recorded)), None)
    if unknown is not None:
        raise Differs(history.record.id, f"snapshot {unknown[:12]}, which the log has not")


def _level(instance: Instance, done: Sequence[Done]) -> tuple[InteractionLevel, str]:
    """Who has to agree: as the policies of what was done say, and what it did."""
    level, why = instance.index.policy(None).interaction_level, "the policy of the process"
    for each in done:
        floor = instance.index.policy(each.element).interaction_level
        told = f"{each.element} was {each.what}, effect {each.effect.value}"
        for asks, reason in ((floor, f"the policy of {each.element}"), (_ASKS[each.effect], told)):
            if asks.rank > level.rank:
                level, why = asks, reason
    return level, why


def _agree(plan: Plan, consent: Consent, starter: str | None, policy: Policy, instance: str) -> None:
    """Raises RewindRefused."""
    level, done = plan.level, plan.done
    if level is InteractionLevel.AUTO_DENY:
        raise RewindRefused(instance, level.value, plan.why, done)
    if level.blocks and not consent.covers(plan):
        raise RewindRefused(instance, level.value, plan.why, done)
    if level is not InteractionLevel.EXPLICIT_APPROVAL:
        return
    if not consent.reason.strip():
        raise RewindRefused(instance, level.value, f"{plan.why}; give a reason", done)
    approval = policy.approval
    if approval.roles and not set(approval.roles) & set(consent.roles):
        raise RewindRefused(instance, level.value, f"one of the roles {', '.join(approval.roles)}", done)
    if approval.four_eyes and (why := no_second_pair_of_eyes(consent.by, starter)):
        raise RewindRefused(instance, level.value, f"{consent.by} may not: {why}", done)


def _data(history: History, plan: Plan, instance: Instance, open: Collection[str]) -> dict[str, Any]:
    """What makes the rewind, so that it can be made again."""
    counters = history.record.counters
    return {
        "snapshot": plan.snapshot,
        "advance": plan.advance,
        "number": 1 + sum(kept.cause.kind is Kind.REWIND for kept in history.causes),
        "counter": counters["tasks"],
        "raised": counters["raised"],
        "items": [task for task, item in instance.work_items.items() if item.id not in open],
        "asked": [id for id in instance.held if id not in open],
    }


def _cancelled(item: WorkItem) -> WorkItem:
    return replace(item, status="cancelled")
