"""What a run came to, as one JSON object: read from the event log, so that it is the same after a restart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.events import Event, EventType
from governance.human_loop.intervention import Intervention


@dataclass(frozen=True, slots=True)
class RunResult:
    """An instance at a wait state or its end.

    `decisions` has a list each for D1, D2 and D3, oldest first: activity or element, branch, reason, before, after.
    `variables` are those that stand; about those in `differing` branches that have not come together disagree.
    `waiting` says what a WAITING instance waits for, `incidents` what failed.
    """

    instance: str
    status: str
    reason: str | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)
    differing: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    decisions: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    interventions: list[dict[str, Any]] = field(default_factory=list)
    dead_ends: list[dict[str, Any]] = field(default_factory=list)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    incidents: list[dict[str, Any]] = field(default_factory=list)
    measures: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "instance": self.instance,
            "status": self.status,
            "reason": self.reason,
            "variables": dict(self.variables),
            "differing": dict(self.differing),
            "decisions": dict(self.decisions),
            "conflicts": self.conflicts,
            "interventions": self.interventions,
            "dead_ends": self.dead_ends,
            "waiting": self.waiting,
            "incidents": self.incidents,
            "measures": dict(self.measures),
        }


class Summary:
    """Folds events into the parts of a result."""

    def __init__(self) -> None:
        self.decisions: dict[str, list[dict[str, Any]]] = {"D1": [], "D2": [], "D3": []}
        self.conflicts: list[dict[str, Any]] = []
        self.dead_ends: list[dict[str, Any]] = []
        self.suggestions: list[dict[str, Any]] = []
        self.attention: list[dict[str, Any]] = []
        self.assembled = self.ungoverned = self.model_calls = self.activities = 0
        self.reported = self.tokens_out = 0
        self.cost = 0.0
        self.model_use: dict[str, dict[str, int]] = {}
        self.costs: dict[str, float] = {}
        self._compressed: set[tuple[str | None, str]] = set()

    def add_all(self, events: Iterable[Event]) -> Summary:
        for event in events:
            fold = _FOLDS.get(event.type)
            if fold is not None:
                fold(self, event)
        return self

    def interventions(self, asked: Iterable[Intervention]) -> list[dict[str, Any]]:
        """What people were asked, with answers, and what they were told, and what was refused."""
        return [each.model_dump(mode="json") for each in asked] + self.suggestions

    def measures(self) -> dict[str, Any]:
        """Attention over time, tokens, cost. `compression_ratio` = assembled / without governance, 1 without a prompt.

        `tokens_assembled` are ours, `tokens_reported` the providers' count of the same prompts, `tokens_answered`
        theirs of the answers; `cost` is in US dollars, of the calls whose price is known.
        """
        scores = [each["score"] for each in self.attention]
        return {
            "attention": self.attention,
            "attention_lowest": min(scores, default=None),
            "activities": self.activities,
            "model_calls": self.model_calls,
            "tokens_assembled": self.assembled,
            "tokens_reported": self.reported,
            "tokens_answered": self.tokens_out,
            "cost": round(self.cost, 6),
            "model_use": [
                {"element": element, **use, "cost": round(self.costs[element], 6)}
                for element, use in self.model_use.items()
            ],
            "tokens_without_governance": self.ungoverned,
            "compression_ratio": round(self.assembled / self.ungoverned, 4) if self.ungoverned else 1.0,
        }

    def _d1(self, event: Event) -> None:
        data = dict(event.data)
        self._compressed.add((event.element, event.branch))
        self.decisions["D1"].append({"at": event.at, **data})

    def _d2(self, event: Event) -> None:
        self.decisions["D2"].append({"at": event.at, "element": event.element, "branch": event.branch, **event.data})

    def _d3(self, event: Event) -> None:
        data = dict(event.data)
        self.decisions["D3"].append({"at": event.at, "element": event.element, "branch": event.branch, **data})
        for conflict in data.get("conflicts", ()):
            self.conflicts.append({"element": event.element, "at": event.at, **conflict, **_ended(data, conflict)})

    def _completed(self, event: Event) -> None:
        self.activities += 1
        self._measured(event)
        where = (event.element, event.branch)
        d1 = event.data.get("d1")
        if where in self._compressed:
            self._compressed.discard(where)
        elif d1 is not None:
            measure = {"pressure": d1[0], "usage": d1[1]}
            self.decisions["D1"].append(
                {
                    "at": event.at,
                    "activity": event.element,
                    "branch": event.branch,
                    "band": "none",
                    "reason": f"pressure {d1[0]:.2f} and usage {d1[1]:.2f} ask for no compression",
                    "before": measure,
                    "after": measure,
                    "compressed": False,
                }
            )

    def _measured(self, event: Event) -> None:
        attention = event.data.get("attention")
        if attention is not None:
            score, vector, action = attention
            names = ("capacity", "duplication", "knowledge", "branch", "conflict")
            self.attention.append(
                {
                    "at": event.at,
                    "element": event.element,
                    "branch": event.branch,
                    "score": score,
                    "vector": dict(zip(names, vector, strict=True)),
                    "action": action,
                }
            )

    def _told(self, event: Event) -> None:
        if "level" in event.data:
            status = "told" if event.type is EventType.NOTICE else "refused"
            told = {"element": event.element, "branch": event.branch, "created_at": event.at, "status": status}
            self.suggestions.append({**told, **event.data})

    def _dead_end(self, event: Event) -> None:
        self.dead_ends.append({"at": event.at, "element": event.element, "branch": event.branch, **event.data})

    def _called(self, event: Event) -> None:
        self.model_calls += 1
        self.assembled += event.data["tokens"][0]
        self.ungoverned += event.data["tokens_ungoverned"]
        reported, answered = event.data["reported"]
        self.reported += reported
        self.tokens_out += answered
        self.cost += event.data.get("cost", 0.0)
        use = self.model_use.setdefault(event.element or "", dict.fromkeys(_USE, 0))
        for name, amount in zip(_USE, (1, event.data["tokens"][0], reported, answered), strict=True):
            use[name] += amount
        self.costs[event.element or ""] = self.costs.get(event.element or "", 0.0) + event.data.get("cost", 0.0)


_USE: Final = ("calls", "tokens", "reported", "answered")
"""What is counted of the model calls of an element."""

_FOLDS = {
    EventType.D1: Summary._d1,
    EventType.D2: Summary._d2,
    EventType.D3: Summary._d3,
    EventType.ACTIVITY_COMPLETED: Summary._completed,
    EventType.GATEWAY: Summary._measured,
    EventType.ATTENTION: Summary._measured,
    EventType.NOTICE: Summary._told,
    EventType.REFUSED: Summary._told,
    EventType.MODEL_CALL: Summary._called,
    EventType.DEAD_END: Summary._dead_end,
}


def settlement(merge: Mapping[str, Any], conflict: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """How a conflict ended that a person or a rule settled: its part of the merge's record. None: it is open.

    `merge` is the data of a D3 event, `conflict` one of its conflicts.
    """
    settled: Iterable[Mapping[str, Any]] = merge.get("record", {}).get("conflicts", ())
    where = (conflict["key"], conflict.get("path"))
    return next((each for each in settled if (each["key"], each.get("path")) == where), None)


def _ended(merge: Mapping[str, Any], conflict: Mapping[str, Any]) -> dict[str, Any]:
    """What a settlement says over what the conflict says itself."""
    settled = settlement(merge, conflict)
    if settled is None:
        return {}
    kept = ("winner", "value", "deleted", "decided_by", "reason", "lost")
    return {"status": "settled", **{name: settled[name] for name in kept if name in settled}}
