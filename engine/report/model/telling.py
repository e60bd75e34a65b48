"""What there is to say of an event: a title, what is worth seeing beside it, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.context_names import short
from engine.events import Event, EventType
from engine.names import Names
from engine.report.model.operations import LISTED, Fact, Operations, Said, listed
from engine.report.model.phrases import as_is, fall, learned, measure, snapshot, snapshots, trigger
from engine.report.words import key_name, percent, score_text, several, value_text
from engine.told import Told, joined, recorded, told
from governance.attention.bands import health_of

_VALUE_CHARS: Final = 160
_SEES: Final = {
    "INHERIT_ALL": "each branch sees all that stood before",
    "INHERIT_RETAINED": "each branch sees only what is retained",
    "ISOLATED": "each branch starts with an empty view",
}
_DOERS: Final = {"agent": "an agent", "human": "a person", "service": "a service", "script": "a script"}
_DEAD_ENDS: Final = {
    "registered": "a dead end, kept so that it is not tried again",
    "refused": "refused, it is a known dead end",
    "told": "much like a known dead end",
    "worked": "no dead end, it worked",
}


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


class Teller(Operations):
    """Titles and facts by the type of event."""

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

    def compressed(self, event: Event, data: Any) -> Said:
        before, after = data["before"], data["after"]
        form = "Compressed for {element}: {before} full, nothing could be lowered"
        if data["compressed"]:
            form = "Compressed for {element}: {before} full → {after}"
        full = {"before": percent(before["pressure"]), "after": percent(after["pressure"])}
        title = told(form, element=self._names.element(event.element), **full)
        facts = [
            ("why", recorded(data["reason"])),
            ("before", measure(before)),
            ("after", measure(after)),
            ("decided by", told(str(data["decided_by"]))),
        ]
        facts += [(as_is(key_name(each["key"])), fall(each)) for each in data["changes"][:LISTED]]
        more = len(data["changes"]) - LISTED
        if more > 0:
            count = several(more, "more entry", "more entries")
            facts.append(("and", told("{entries}, in the ledger below", entries=count)))
        if data.get("overflow"):
            facts.append(("overflow", told(data["overflow"]["kind"].replace("_", " "))))
        facts.append(("go back to", snapshot(data["snapshot_before"])))
        return title, facts

    def split(self, event: Event, data: Any) -> Said:
        names = [self._names.branch(branch) for branch in data["branches"]]
        into = several(len(names), "branch", "branches")
        title = told("Split at {element} into {branches}", element=self._names.element(event.element), branches=into)
        why = recorded(data["reason"])
        sees = next((told(text) for word, text in _SEES.items() if word in why), None)
        after = ", ".join(map(short, data["after"]))
        return title, [
            ("branches", listed(names)),
            ("why", why if sees is None else told("{why}: {what}", why=why, what=sees)),
            ("before", snapshot(data["before"])),
            ("after", told("snapshot {id}", id=after) if after else told("the same")),
        ]

    def merged(self, event: Event, data: Any) -> Said:
        names = [self._names.branch(branch) for branch in data["branches"]]
        place = self._names.find(event.element)
        where = self._names.element(event.element) if place is not None else told("the end")
        conflicts = data.get("conflicts", ())
        form = "Merged {branches} at {where}: {conflicts}" if conflicts else "Merged {branches} at {where}, no conflict"
        counted = {"branches": several(len(names), "branch", "branches")}
        title = told(form, where=where, conflicts=several(len(conflicts), "conflict"), **counted)
        facts: list[Fact] = [("branches", listed(names)), ("why", recorded(data["reason"]))]
        ends = {(each["key"], each.get("path")): each for each in data.get("record", {}).get("conflicts", ())}
        for each in conflicts[:LISTED]:
            end = ends.get((each["key"], each.get("path")))
            facts.append((as_is(key_name(each["key"])), self._settled(each, end)))
        if data.get("decided_by"):
            facts.append(("decided by", told(str(data["decided_by"]))))
        facts.append(("before", snapshots(data["before"])))
        facts.append(("after", snapshot(data["after"])))
        return title, facts

    def _said(self, form: str, event: Event, **values: Any) -> Told:
        return told(form, element=self._names.element(event.element), **values)

    def _settled(self, conflict: Any, end: Any) -> str:
        if end is None:
            return told("{why}: {what}", why=told(conflict["status"]), what=recorded(conflict["reason"]))
        by = told("a person") if end.get("decided_by") == "person" else end["strategy"]
        value = told("removed") if "value" not in end else value_text(end["value"], _VALUE_CHARS)
        if end.get("winner") is None:
            return told("{value} (made of all, by {by})", value=value, by=by)
        return told("{value} (of {branch}, by {by})", value=value, branch=self._names.branch(end["winner"]), by=by)

    def gateway(self, event: Event, data: Any) -> Said:
        taken = joined((self._taken(each) for each in data["taken"]), " and ") or told("nowhere")
        facts: list[Fact] = []
        if data.get("attention"):
            facts = [("attention", score_text(data["attention"][0]))]
        return told("{element} → {taken}", element=self._names.element(event.element), taken=taken), facts

    def _taken(self, name: str) -> str:
        return self._names.element(name if self._names.find(name) else name.rpartition(".")[0] or name)

    def asked(self, event: Event, data: Any) -> Said:
        facts = [("question", data["id"]), ("trigger", trigger(data)), ("level", data["level"])]
        return told("Asks a person: {question}", question=recorded(data["message"])), facts

    def delegated(self, event: Event, data: Any) -> Said:
        facts = [("why", data["reason"])] if data.get("reason") else []
        return told("{by} hands a question to {to}", by=data["by"], to=data["to"]), [*facts, ("question", data["id"])]

    def escalated(self, event: Event, data: Any) -> Said:
        facts = [("question", data["id"]), ("until", str(data["due"]))]
        return told("Nobody answered in time: {to} is asked, too", to=data["to"]), facts

    def answered(self, event: Event, data: Any) -> Said:
        facts = [("why", recorded(data["reason"]))] if data.get("reason") else []
        title = told("{by} answers: {decision}", by=told(data["by"]), decision=told(data["decision"]))
        return title, [*facts, ("question", data["id"])]

    def offered(self, event: Event, data: Any) -> Said:
        return self._said("{element} waits for a person", event), [("task", data["id"])]

    def done(self, event: Event, data: Any) -> Said:
        return self._said("{by} does {element}", event, by=data["by"]), [("task", data["id"])]

    def refused(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("why", recorded(data["message"])), ("trigger", trigger(data)), ("level", data["level"])]
        return self._said("{element} is refused; nobody is asked", event), facts

    def failed(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("error", recorded(data["error"])), ("kind", told(data["kind"].replace("_", " ")))]
        return self._said("{element} failed", event), facts

    def dead_end(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("because", recorded(data["reason"])), ("failed", several(data["failed"], "time"))]
        facts.append(("dead end", data["id"]))
        if data.get("instead"):
            facts.append(("what worked instead", data["instead"]))
        return self._said("{element}: {what}", event, what=told(_DEAD_ENDS[data["what"]])), facts

    def late(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("ready", as_is(data["ready"])), ("due", as_is(data["due"]))]
        return self._said("{element} took longer than {sla}", event, sla=data["sla"]), facts

    def skilled(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("what", recorded(data["line"])), ("skill", data["id"])]
        return self._said("{element} went well often enough to be a skill", event), facts

    def interrupted(self, event: Event, data: Any) -> Said:
        names = joined(self._taken(each) for each in data["interrupted"].split(", "))
        facts: list[Fact] = [("put aside", snapshots(data["lost"]) if data["lost"] else told("nothing"))]
        return self._said("{element} interrupts {names}", event, names=names), facts

    def received(self, event: Event, data: Any) -> Said:
        return told("Message {name} arrives", name=data["message"]), []

    def knows(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("why", recorded(data["reason"]))]
        facts.append(("items", ", ".join(data["items"]) or told("none was found")))
        if data["left_out"]:
            facts.append(("left out", ", ".join(data["left_out"])))
        count = several(len(data["items"]), "item")
        return self._said("{items} of knowledge for {element}", event, items=count), facts

    def learned(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [(as_is(step["id"]), learned(step)) for step in data["steps"]]
        count = several(len(data["cited"]), "item")
        return self._said("{element} drew on {items}", event, items=count), facts

    def found_out(self, event: Event, data: Any) -> Said:
        facts = [("item", data["id"]), ("confidence", f"{data['confidence']:.2f}"), ("kept", told(data["result"]))]
        return self._said("{element} found something out", event), facts


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
