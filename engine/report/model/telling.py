"""What there is to say of an event: a title, what is worth seeing beside it, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.context_names import short
from engine.events import Event, EventType
from engine.names import Names
from engine.report.model.asking import Asking
from engine.report.model.contexts import Contexts
from engine.report.model.learning import Learning
from engine.report.model.operations import Operations
from engine.report.model.phrases import as_is, snapshots
from engine.report.model.said import Fact, Said, listed
from engine.report.words import key_name, percent, score_text, several
from engine.told import Told, joined, recorded, told
from governance.attention.bands import health_of

_DOERS: Final = {"agent": "an agent", "human": "a person", "service": "a service", "script": "a script"}


@dataclass(frozen=True, slots=True)
class Telling:
    """`kind` is one of activity, D1, D2, D3, gateway, person, trouble, state."""

    kind: str
    title: str
    facts: tuple[Fact, ...]
    aside: str


def is_told(event: Event) -> bool:
    """Whether an event has a place in the story: not a compression that changed nothing, nor a notice to nobody."""
    if event.type is EventType.D1:
        return bool(event.data.get("compressed")) or event.data.get("overflow") is not None
    if event.type is EventType.NOTICE:
        return "to" in event.data
    return event.type in _TELLERS


def tell(event: Event, names: Names) -> Telling:
    """Of an event that is told."""
    kind, make = _TELLERS[event.type]
    title, facts = make(Teller(names), event, event.data)
    named = tuple((name if isinstance(name, Told) else told(name), text) for name, text in facts)
    return Telling(kind, title, named, _aside(event, names))


class Teller(Contexts, Asking, Learning, Operations):
    """All of it; here of what an instance and its elements do by themselves."""

    def started(self, event: Event, data: Any) -> Said:
        given = ", ".join(data.get("variables", ())) or told("nothing")
        return told("{process} starts", process=self._names.process(data["process"])), [("given", given)]

    def activity(self, event: Event, data: Any) -> Said:
        return self._names.element(event.element), list(self._activity_facts(data))

    def _activity_facts(self, data: Any) -> Iterator[Fact]:
        if data.get("by"):
            yield "done by", told(_DOERS.get(data["by"], data["by"]))
        if data.get("decision"):
            yield "decided", recorded(data["decision"])
        if data.get("outputs"):
            yield "wrote", ", ".join(data["outputs"])
        if "d1" in data:
            yield "context", told("{share} of its room when it began", share=percent(data["d1"][0]))
        if "tokens" in data:
            assembled, without = data["tokens"]
            form = "{sent:,} tokens" if without == assembled else "{sent:,} tokens, {without:,} without governance"
            yield "prompt", told(form, sent=assembled, without=without)
        if data.get("attention"):
            score, _, action = data["attention"]
            health = told(health_of(score).value)
            yield "attention", told(
                "{score}, {health}: {action}", score=score_text(score), health=health, action=told(str(action))
            )
        if data.get("head"):
            yield "snapshot", short(data["head"])

    def gateway(self, event: Event, data: Any) -> Said:
        taken = joined((self._taken(each) for each in data["taken"]), " and ") or told("nowhere")
        facts: list[Fact] = []
        if data.get("attention"):
            facts = [("attention", score_text(data["attention"][0]))]
        return told("{element} → {taken}", element=self._names.element(event.element), taken=taken), facts

    def failed(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("error", recorded(data["error"])), ("kind", told(data["kind"].replace("_", " ")))]
        return self._said("{element} failed", event), facts

    def late(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("ready", as_is(data["ready"])), ("due", as_is(data["due"]))]
        return self._said("{element} took longer than {sla}", event, sla=data["sla"]), facts

    def interrupted(self, event: Event, data: Any) -> Said:
        names = joined(self._taken(each) for each in data["interrupted"].split(", "))
        facts: list[Fact] = [("put aside", snapshots(data["lost"]) if data["lost"] else told("nothing"))]
        return self._said("{element} interrupts {names}", event, names=names), facts

    def received(self, event: Event, data: Any) -> Said:
        return told("Message {name} arrives", name=data["message"]), []


_TELLERS: Final[Mapping[EventType, tuple[str, Callable[[Teller, Event, Any], Said]]]] = {
    EventType.INSTANCE_STARTED: ("state", Teller.started),
    EventType.ACTIVITY_COMPLETED: ("activity", Teller.activity),
    EventType.SLA_MISSED: ("trouble", Teller.late),
    EventType.D1: ("D1", Teller.compressed),
    EventType.D2: ("D2", Teller.split),
    EventType.D3: ("D3", Teller.merged),
    EventType.GATEWAY: ("gateway", Teller.gateway),
    EventType.INTERVENTION_RAISED: ("person", Teller.asked),
    EventType.INTERVENTION_DELEGATED: ("person", Teller.delegated),
    EventType.INTERVENTION_ESCALATED: ("person", Teller.escalated),
    EventType.INTERVENTION_ANSWERED: ("person", Teller.answered),
    EventType.WORK_ITEM_CREATED: ("person", Teller.offered),
    EventType.WORK_ITEM_COMPLETED: ("person", Teller.done),
    EventType.KNOWLEDGE_INJECTED: ("state", Teller.knows),
    EventType.KNOWLEDGE_FEEDBACK: ("state", Teller.learned),
    EventType.KNOWLEDGE_FOUND: ("state", Teller.found_out),
    EventType.NOTICE: ("person", Teller.informed),
    EventType.REFUSED: ("trouble", Teller.refused),
    EventType.INCIDENT: ("trouble", Teller.failed),
    EventType.INCIDENT_RESOLVED: ("trouble", Teller.retried),
    EventType.DEAD_END: ("trouble", Teller.dead_end),
    EventType.SKILL_LEARNED: ("state", Teller.skilled),
    EventType.INTERRUPTED: ("trouble", Teller.interrupted),
    EventType.MESSAGE_RECEIVED: ("state", Teller.received),
    EventType.CONTEXT_RESTORED: ("person", Teller.restored),
    EventType.DATA_ERASED: ("person", Teller.data_erased),
    EventType.REWOUND: ("person", Teller.rewound),
    EventType.VARIABLES_EDITED: ("person", Teller.edited),
    EventType.TAINT_LIFTED: ("person", Teller.lifted),
    EventType.BUDGET_RAISED: ("person", Teller.raised),
    EventType.TOKEN_MOVED: ("person", Teller.moved),
    EventType.INSTANCE_MIGRATED: ("person", Teller.migrated),
    EventType.INSTANCE_SUSPENDED: ("person", Teller.ended),
    EventType.INSTANCE_UNSUSPENDED: ("person", Teller.ended),
    EventType.INSTANCE_CANCELLED: ("person", Teller.ended),
    EventType.INSTANCE_COMPLETED: ("state", Teller.ended),
    EventType.INSTANCE_STALLED: ("trouble", Teller.ended),
    EventType.INSTANCE_FAILED: ("trouble", Teller.ended),
}

TOLD: Final = frozenset(_TELLERS)
"""Types of events that may be told."""


def _aside(event: Event, names: Names) -> str:
    data = event.data
    if event.type is EventType.ACTIVITY_COMPLETED:
        tokens = data.get("tokens")
        doer, attention = _DOERS.get(data.get("by", "")), data.get("attention")
        prompt = told("{sent:,} of {without:,} tokens", sent=tokens[0], without=tokens[1]) if tokens else ""
        score = told("attention {score}", score=score_text(attention[0])) if attention else ""
        return joined(filter(None, (told(doer) if doer else "", prompt, score)), " · ")
    if event.type is EventType.D1:
        return several(len(data["changes"]), "entry lowered", "entries lowered")
    if event.type is EventType.D2:
        return listed([names.branch(branch) for branch in data["branches"]])
    if event.type is EventType.D3:
        return joined(dict.fromkeys(key_name(each["key"]) for each in data.get("conflicts", ())))
    return recorded(data.get("reason") or "") if event.type is EventType.INTERVENTION_ANSWERED else ""
