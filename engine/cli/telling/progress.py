"""Tells a run as it happens: each event in a line or a few, so that a newcomer can follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.clean_text import one_line
from engine.cli.screen.port import Screen, Span, Style
from engine.cli.telling.conflicts import tell_conflict
from engine.cli.telling.gauge import count, gauge, several
from engine.events import Event, EventType
from engine.names import Names
from governance.budgets import amount_of
from governance.vocabulary import Producer

_NAME_WIDTH: Final = 34
_NAMES_WIDTH: Final = 80
_LISTED: Final = 6
_DOERS: Final[dict[str | None, str]] = {Producer.AGENT: "agent", Producer.HUMAN: "person", Producer.SERVICE: "service"}
_KINDS: Final = {
    "scriptTask": "script",
    "serviceTask": "service",
    "sendTask": "service",
    "businessRuleTask": "service",
    "userTask": "person",
    "manualTask": "person",
    "callActivity": "call",
}
_SEEN: Final = {
    "INHERIT_ALL": "each sees all that stands",
    "INHERIT_RETAINED": "each sees only what is retained",
    "ISOLATED": "each starts with an empty view",
}


class Progress:
    """A listener of events. `names` may be put in place once the definition is known."""

    def __init__(self, screen: Screen, names: Names | None = None) -> None:
        self._screen, self.names = screen, names or Names()

    def __call__(self, event: Event) -> None:
        tell = _TOLD.get(event.type)
        if tell is not None:
            tell(self, event, event.data)

    def _started(self, event: Event, data: Any) -> None:
        variables = data.get("variables")
        given = one_line(f"with {', '.join(variables)}", _NAMES_WIDTH) if variables else ""
        name = (self.names.process(data["process"]), Style.NAME)
        self._screen.item(("start", Style.STRONG), name, f"  {given}")

    def _completed(self, event: Event, data: Any) -> None:
        width = _NAME_WIDTH - 2 * _depth(event)
        parts: list[Span] = [(f"{self.names.element(event.element):<{width}}", Style.STRONG)]
        if "d1" in data:
            parts += ["  context ", *gauge(data["d1"][0])]
        if "tokens" in data:
            assembled, without = data["tokens"]
            saved = f" (ungoverned {count(without)})" if without != assembled else ""
            parts.append((f"  {count(assembled)} tokens{saved}", Style.DIM))
        attention = data.get("attention")
        if attention is not None and attention[2] != "CONTINUE":
            parts.append((f"  attention {attention[0]:.2f}", Style.WARN))
        self._say(event, (self._doer(event), Style.STRONG), *parts)
        if data.get("decision") and data.get("by") != Producer.HUMAN:
            # What a person decided is told as their answer.
            self._say(event, "", (data["decision"], Style.DIM))

    def _doer(self, event: Event) -> str:
        """Who did it: whoever wrote the outputs, else who does such an element."""
        element = self.names.find(event.element)
        by = event.data.get("by")
        if element is None or by == Producer.HUMAN:
            return _DOERS.get(by, "task")
        if element.agent is not None:
            return "agent"
        return _KINDS.get(element.kind) or _DOERS.get(by, "task")

    def _compressed(self, event: Event, data: Any) -> None:
        before, after = data["before"], data["after"]
        parts: list[Span] = [f"compress for {self.names.element(event.element)}: ", *gauge(before["pressure"])]
        if data["compressed"]:
            tokens = f", {count(before['tokens'])} → {count(after['tokens'])} tokens"
            parts += [" → ", *gauge(after["pressure"]), (tokens, Style.DIM)]
        self._say(event, ("D1", Style.GOVERNANCE), *parts)
        self._say(event, "", (data["reason"], Style.DIM))

    def _split(self, event: Event, data: Any) -> None:
        branches = [self.names.branch(branch) for branch in data["branches"]]
        seen = next((told for word, told in _SEEN.items() if word in data["reason"]), "")
        text = f"split at {self.names.element(event.element)}: {several(len(branches), 'branch', 'branches')}, {seen}"
        self._say(event, ("D2", Style.GOVERNANCE), text)
        self._say(event, "", (_listed(branches), Style.DIM))

    def _merged(self, event: Event, data: Any) -> None:
        branches = _listed([self.names.branch(branch) for branch in data["branches"]])
        self._say(event, ("D3", Style.GOVERNANCE), f"merge at {self.names.element(event.element)}: {branches}")
        self._say(event, "", (data["reason"], Style.DIM))
        for conflict in data.get("conflicts", ()):
            tell_conflict(self._screen, self.names, data, conflict, depth=_depth(event))

    def _knows(self, event: Event, data: Any) -> None:
        what = several(len(data["items"]), "item")
        self._say(event, ("knows", Style.GOVERNANCE), f"{what} for {self.names.element(event.element)}")
        self._say(event, "", (data["reason"], Style.DIM))

    def _found_out(self, event: Event, data: Any) -> None:
        said = f"{self.names.element(event.element)} found something out: {data['result']} as {data['id']}"
        self._say(event, ("learns", Style.GOVERNANCE), said)

    def _gateway(self, event: Event, data: Any) -> None:
        taken = " + ".join(self.names.element(each) for each in data["taken"]) or "nowhere"
        self._say(event, "gateway", f"{self.names.element(event.element)} → {taken}")

    def _asked(self, event: Event, data: Any) -> None:
        about = f"  {data['trigger']}, {data['level']}"
        self._say(event, ("asks", Style.PERSON), data["message"], (about, Style.DIM))

    def _delegated(self, event: Event, data: Any) -> None:
        why = f": {data['reason']}" if data.get("reason") else ""
        self._say(event, ("hands on", Style.PERSON), f"{data['id']}: from {data['by']} to {data['to']}{why}")

    def _escalated(self, event: Event, data: Any) -> None:
        self._say(event, ("late", Style.WARN), f"{data['id']}: nobody answered in time; {data['to']} is asked too")

    def _answered(self, event: Event, data: Any) -> None:
        why = f": {data['reason']}" if data.get("reason") else ""
        self._say(event, ("answer", Style.PERSON), f"{data['decision']} by {data['by']}{why}")

    def _offered(self, event: Event, data: Any) -> None:
        self._say(event, ("waits", Style.PERSON), f"{self.names.element(event.element)}: to be done by a person")

    def _done(self, event: Event, data: Any) -> None:
        text = f"{self.names.element(event.element)}: done by {data['by']}"
        self._say(event, ("answer", Style.PERSON), text)

    def _told(self, event: Event, data: Any) -> None:
        whom = ((f"  to {', '.join(data['to'])}", Style.DIM),) if "to" in data else ()
        self._say(event, ("note", Style.WARN), data.get("message", ""), *whom)

    def _refused(self, event: Event, data: Any) -> None:
        text = f"{self.names.element(event.element)}: {data['message']}"
        self._say(event, ("refused", Style.BAD), text, (f"  {data['trigger']}, {data['level']}", Style.DIM))

    def _called(self, event: Event, data: Any) -> None:
        failed = data.get("failed")
        public = ", ".join(f"{name}={value}" for name, value in data.get("public", {}).items())
        call = one_line(f"{data['tool']}({public})", _NAMES_WIDTH)
        how = "changed and approved" if data.get("edited") else "approved"
        by = f"{how} by {data['by']}, " if "by" in data and failed is None else ""
        came: Span = (f"  {by}{count(data['chars'])} characters", Style.DIM) if failed is None else ("", Style.DIM)
        self._say(event, "tool", f"{self.names.element(event.element)} calls {call}", came)
        if failed is not None:
            self._say(event, "", (failed, Style.WARN))

    def _chained(self, event: Event, data: Any) -> None:
        if "fallback" in data:
            text = f"{self.names.element(event.element)}: {data['chain']} goes by rule, the model failed"
            self._say(event, ("note", Style.WARN), f"{text}: {data['fallback']}")

    def _failed(self, event: Event, data: Any) -> None:
        self._say(event, ("failed", Style.BAD), f"{self.names.element(event.element)}: {data['error']}")

    def _dead_end(self, event: Event, data: Any) -> None:
        told = {"registered": "will not be done so again", "refused": "is not done again", "told": "is much like it"}
        told["worked"] = "works after all"
        text = f"{self.names.element(event.element)}: {told[data['what']]}: {data['reason']}"
        self._say(event, ("dead end", Style.WARN), text)

    def _late(self, event: Event, data: Any) -> None:
        text = f"{self.names.element(event.element)} took longer than {data['sla']}"
        self._say(event, ("late", Style.WARN), (text, Style.WARN), (f"  due {data['due'][:19]}", Style.DIM))

    def _learned(self, event: Event, data: Any) -> None:
        self._say(event, ("skill", Style.GOOD), f"{self.names.element(event.element)}: {data['line']}")

    def _retried(self, event: Event, data: Any) -> None:
        self._say(event, str(data.get("how", "retry")), self.names.element(event.element))

    def _moved(self, event: Event, data: Any) -> None:
        ends = f"{self.names.element(event.element)} → {self.names.element(data['to'])}"
        self._say(event, ("move", Style.PERSON), f"{ends}, by {data.get('by', '?')}")

    def _edited(self, event: Event, data: Any) -> None:
        self._say(event, ("edit", Style.PERSON), f"{', '.join(data['variables'])}, by {data.get('by', '?')}")

    def _raised(self, event: Event, data: Any) -> None:
        until = f", until {data['until'][:16]}" if "until" in data else ""
        text = f"that of the {data['budget']} is raised by {amount_of(data).line}{until}, by {data['by']}"
        self._say(event, ("budget", Style.PERSON), text)

    def _lifted(self, event: Event, data: Any) -> None:
        text = f"{', '.join(data['variables'])}, by {data['by']}: {data['reason']}"
        self._say(event, ("untaint", Style.PERSON), text)

    def _interrupted(self, event: Event, data: Any) -> None:
        lost = ", ".join(self.names.element(each) for each in data["interrupted"].split(", "))
        text = f"{self.names.element(event.element)} interrupts {lost}; what it did is put aside"
        self._say(event, ("stopped", Style.WARN), text)

    def _received(self, event: Event, data: Any) -> None:
        self._say(event, "message", f"{self.names.element(event.element)} received {data['message']}")

    def _restored(self, event: Event, data: Any) -> None:
        self._say(event, ("restore", Style.GOVERNANCE), f"context back at {data['snapshot'][:12]}, by {data['by']}")

    def _rewound(self, event: Event, data: Any) -> None:
        text = f"to {data['snapshot'][:12]}, by {data['by']}; {data['abandoned']} advances are given up"
        self._say(event, ("rewind", Style.PERSON), text)

    def _erased(self, event: Event, data: Any) -> None:
        self._say(event, ("erased", Style.PERSON), f"{', '.join(data['keys'])}, by {data['by']}: {data['reason']}")

    def _operated(self, event: Event, data: Any) -> None:
        why = f": {data['reason']}" if data.get("reason") else ""
        self._say(event, (event.type.value.removeprefix("instance_"), Style.PERSON), f"by {data['by']}{why}")

    def _say(self, event: Event, label: Span, *spans: Span) -> None:
        self._screen.item(label, *spans, depth=_depth(event))


_TOLD: Final[dict[EventType, Callable[[Progress, Event, Any], None]]] = {
    EventType.INSTANCE_STARTED: Progress._started,
    EventType.ACTIVITY_COMPLETED: Progress._completed,
    EventType.SLA_MISSED: Progress._late,
    EventType.D1: Progress._compressed,
    EventType.D2: Progress._split,
    EventType.D3: Progress._merged,
    EventType.GATEWAY: Progress._gateway,
    EventType.INTERVENTION_RAISED: Progress._asked,
    EventType.INTERVENTION_DELEGATED: Progress._delegated,
    EventType.INTERVENTION_ESCALATED: Progress._escalated,
    EventType.INTERVENTION_ANSWERED: Progress._answered,
    EventType.WORK_ITEM_CREATED: Progress._offered,
    EventType.WORK_ITEM_COMPLETED: Progress._done,
    EventType.TOOL_CALL: Progress._called,
    EventType.CHAIN: Progress._chained,
    EventType.NOTICE: Progress._told,
    EventType.KNOWLEDGE_INJECTED: Progress._knows,
    EventType.KNOWLEDGE_FOUND: Progress._found_out,
    EventType.REFUSED: Progress._refused,
    EventType.INCIDENT: Progress._failed,
    EventType.INCIDENT_RESOLVED: Progress._retried,
    EventType.DEAD_END: Progress._dead_end,
    EventType.SKILL_LEARNED: Progress._learned,
    EventType.INTERRUPTED: Progress._interrupted,
    EventType.MESSAGE_RECEIVED: Progress._received,
    EventType.CONTEXT_RESTORED: Progress._restored,
    EventType.REWOUND: Progress._rewound,
    EventType.DATA_ERASED: Progress._erased,
    EventType.VARIABLES_EDITED: Progress._edited,
    EventType.TAINT_LIFTED: Progress._lifted,
    EventType.BUDGET_RAISED: Progress._raised,
    EventType.TOKEN_MOVED: Progress._moved,
    EventType.INSTANCE_MIGRATED: Progress._operated,
    EventType.INSTANCE_SUSPENDED: Progress._operated,
    EventType.INSTANCE_UNSUSPENDED: Progress._operated,
    EventType.INSTANCE_CANCELLED: Progress._operated,
}


def _depth(event: Event) -> int:
    return event.branch.count("/")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return " | ".join(names[:_LISTED]) + more
