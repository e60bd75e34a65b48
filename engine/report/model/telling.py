"""What there is to say of an event: a title, what is worth seeing beside it, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.context_names import short
from engine.events import Event, EventType
from engine.names import Names
from engine.report.model.operations import LISTED, Fact, Operations, Said, listed
from engine.report.words import key_name, percent, score_text, several, value_text
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
    """Whether an event has a place in the story. A compression that changed nothing has none."""
    if event.type is EventType.D1:
        return bool(event.data.get("compressed")) or event.data.get("overflow") is not None
    return event.type in _TELLERS


def tell(event: Event, names: Names) -> Telling:
    """Of an event that is told."""
    kind, make = _TELLERS[event.type]
    title, facts = make(Teller(names), event, event.data)
    return Telling(kind, title, tuple(facts), _aside(event, names))


class Teller(Operations):
    """Titles and facts by the type of event."""

    def started(self, event: Event, data: Any) -> Said:
        given = ", ".join(data.get("variables", ())) or "nothing"
        return f"{self._names.process(data['process'])} starts", [("given", given)]

    def activity(self, event: Event, data: Any) -> Said:
        return self._names.element(event.element), list(self._activity_facts(data))

    def _activity_facts(self, data: Any) -> Iterator[Fact]:
        if data.get("by"):
            yield "done by", _DOERS.get(data["by"], data["by"])
        if data.get("decision"):
            yield "decided", data["decision"]
        if data.get("outputs"):
            yield "wrote", ", ".join(data["outputs"])
        if "d1" in data:
            yield "context", f"{percent(data['d1'][0])} of its room when it began"
        if "tokens" in data:
            assembled, without = data["tokens"]
            saved = f", {without:,} without governance" if without != assembled else ""
            yield "prompt", f"{assembled:,} tokens{saved}"
        if data.get("attention"):
            score, _, action = data["attention"]
            yield "attention", f"{score_text(score)}, {health_of(score).value}: {action}"
        if data.get("head"):
            yield "snapshot", short(data["head"])

    def compressed(self, event: Event, data: Any) -> Said:
        before, after = data["before"], data["after"]
        title = f"Compressed for {self._names.element(event.element)}: {percent(before['pressure'])} full"
        title += f" → {percent(after['pressure'])}" if data["compressed"] else ", nothing could be lowered"
        facts = [
            ("why", data["reason"]),
            ("before", _measure(before)),
            ("after", _measure(after)),
            ("decided by", data["decided_by"]),
        ]
        facts += [(key_name(each["key"]), _fall(each)) for each in data["changes"][:LISTED]]
        more = len(data["changes"]) - LISTED
        if more > 0:
            facts.append(("and", f"{several(more, 'more entry', 'more entries')}, in the ledger below"))
        if data.get("overflow"):
            facts.append(("overflow", data["overflow"]["kind"].replace("_", " ")))
        facts.append(("go back to", f"snapshot {short(data['snapshot_before'])}"))
        return title, facts

    def split(self, event: Event, data: Any) -> Said:
        names = [self._names.branch(branch) for branch in data["branches"]]
        title = f"Split at {self._names.element(event.element)} into {several(len(names), 'branch', 'branches')}"
        sees = next((text for word, text in _SEES.items() if word in data["reason"]), data["reason"])
        after = ", ".join(map(short, data["after"]))
        return title, [
            ("branches", listed(names)),
            ("why", f"{data['reason']}: {sees}" if sees != data["reason"] else sees),
            ("before", f"snapshot {short(data['before'])}"),
            ("after", f"snapshot {after}" if after else "the same"),
        ]

    def merged(self, event: Event, data: Any) -> Said:
        names = [self._names.branch(branch) for branch in data["branches"]]
        place = self._names.find(event.element)
        where = self._names.element(event.element) if place is not None else "the end"
        conflicts = data.get("conflicts", ())
        title = f"Merged {several(len(names), 'branch', 'branches')} at {where}"
        title += f": {several(len(conflicts), 'conflict')}" if conflicts else ", no conflict"
        facts = [("branches", listed(names)), ("why", data["reason"])]
        ends = {(each["key"], each.get("path")): each for each in data.get("record", {}).get("conflicts", ())}
        for each in conflicts[:LISTED]:
            facts.append((key_name(each["key"]), self._settled(each, ends.get((each["key"], each.get("path"))))))
        if data.get("decided_by"):
            facts.append(("decided by", data["decided_by"]))
        facts.append(("before", f"snapshots {', '.join(map(short, data['before']))}"))
        facts.append(("after", f"snapshot {short(data['after'])}"))
        return title, facts

    def _settled(self, conflict: Any, end: Any) -> str:
        if end is None:
            return f"{conflict['status']}: {conflict['reason']}"
        by = "a person" if end.get("decided_by") == "person" else end["strategy"]
        value = "removed" if "value" not in end else value_text(end["value"], _VALUE_CHARS)
        if end.get("winner") is None:
            return f"{value} (made of all, by {by})"
        return f"{value} (of {self._names.branch(end['winner'])}, by {by})"

    def gateway(self, event: Event, data: Any) -> Said:
        taken = " and ".join(self._taken(each) for each in data["taken"]) or "nowhere"
        facts = []
        if data.get("attention"):
            facts = [("attention", score_text(data["attention"][0]))]
        return f"{self._names.element(event.element)} → {taken}", facts

    def _taken(self, name: str) -> str:
        return self._names.element(name if self._names.find(name) else name.rpartition(".")[0] or name)

    def asked(self, event: Event, data: Any) -> Said:
        facts = [("question", data["id"]), ("trigger", data["trigger"]), ("level", data["level"])]
        return f"Asks a person: {data['message']}", facts

    def delegated(self, event: Event, data: Any) -> Said:
        facts = [("why", data["reason"])] if data.get("reason") else []
        return f"{data['by']} hands a question to {data['to']}", [*facts, ("question", data["id"])]

    def escalated(self, event: Event, data: Any) -> Said:
        facts = [("question", data["id"]), ("until", str(data["due"]))]
        return f"Nobody answered in time: {data['to']} is asked, too", facts

    def answered(self, event: Event, data: Any) -> Said:
        facts = [("why", data["reason"])] if data.get("reason") else []
        return f"{data['by']} answers: {data['decision']}", [*facts, ("question", data["id"])]

    def offered(self, event: Event, data: Any) -> Said:
        return f"{self._names.element(event.element)} waits for a person", [("task", data["id"])]

    def done(self, event: Event, data: Any) -> Said:
        return f"{data['by']} does {self._names.element(event.element)}", [("task", data["id"])]

    def refused(self, event: Event, data: Any) -> Said:
        facts = [("why", data["message"]), ("trigger", data["trigger"]), ("level", data["level"])]
        return f"{self._names.element(event.element)} is refused; nobody is asked", facts

    def failed(self, event: Event, data: Any) -> Said:
        return f"{self._names.element(event.element)} failed", [("error", data["error"]), ("kind", data["kind"])]

    def dead_end(self, event: Event, data: Any) -> Said:
        facts = [("because", data["reason"]), ("failed", several(data["failed"], "time")), ("dead end", data["id"])]
        if data.get("instead"):
            facts.append(("what worked instead", data["instead"]))
        return f"{self._names.element(event.element)}: {_DEAD_ENDS[data['what']]}", facts

    def skilled(self, event: Event, data: Any) -> Said:
        facts = [("what", data["line"]), ("skill", data["id"])]
        return f"{self._names.element(event.element)} went well often enough to be a skill", facts

    def interrupted(self, event: Event, data: Any) -> Said:
        names = ", ".join(self._taken(each) for each in data["interrupted"].split(", "))
        facts = [("put aside", f"snapshots {', '.join(map(short, data['lost'])) or 'none'}")]
        return f"{self._names.element(event.element)} interrupts {names}", facts

    def received(self, event: Event, data: Any) -> Said:
        return f"Message {data['message']} arrives", []

    def knows(self, event: Event, data: Any) -> Said:
        facts = [("why", data["reason"]), ("items", ", ".join(data["items"]) or "none was found")]
        if data["left_out"]:
            facts.append(("left out", ", ".join(data["left_out"])))
        return f"{several(len(data['items']), 'item')} of knowledge for {self._names.element(event.element)}", facts

    def learned(self, event: Event, data: Any) -> Said:
        facts = [(step["id"], f"{step['before']:.2f} → {step['after']:.2f}: {step['why']}") for step in data["steps"]]
        return f"{self._names.element(event.element)} drew on {several(len(data['cited']), 'item')}", facts

    def found_out(self, event: Event, data: Any) -> Said:
        facts = [("item", data["id"]), ("confidence", f"{data['confidence']:.2f}"), ("kept", data["result"])]
        return f"{self._names.element(event.element)} found something out", facts


_TELLERS: Final[Mapping[EventType, tuple[str, Callable[[Teller, Event, Any], Said]]]] = {
    EventType.INSTANCE_STARTED: ("state", Teller.started),
    EventType.ACTIVITY_COMPLETED: ("activity", Teller.activity),
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


def _aside(event: Event, names: Names) -> str:
    data = event.data
    if event.type is EventType.ACTIVITY_COMPLETED:
        tokens = data.get("tokens")
        prompt = f"{tokens[0]:,} of {tokens[1]:,} tokens" if tokens else ""
        attention = f"attention {score_text(data['attention'][0])}" if data.get("attention") else ""
        return " · ".join(filter(None, (_DOERS.get(data.get("by", ""), ""), prompt, attention)))
    if event.type is EventType.D1:
        return several(len(data["changes"]), "entry lowered", "entries lowered")
    if event.type is EventType.D2:
        return listed([names.branch(branch) for branch in data["branches"]])
    if event.type is EventType.D3:
        return ", ".join(dict.fromkeys(key_name(each["key"]) for each in data.get("conflicts", ())))
    return str(data.get("reason") or "") if event.type is EventType.INTERVENTION_ANSWERED else ""


def _measure(measure: Mapping[str, Any]) -> str:
    full = f"{percent(measure['pressure'])} of the working layer's room ({measure['chars']:,} characters)"
    return f"{full}, {percent(measure['usage'])} of the model's window ({measure['tokens']:,} tokens)"


def _fall(change: Mapping[str, Any]) -> str:
    chars = f"{change['chars_before']:,} → {change['chars_after']:,} characters"
    return f"{change['from']} → {change['to']}, {chars}"
