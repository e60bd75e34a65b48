"""What there is to say of what people who operate instances did, and of how instances end."""

from __future__ import annotations

from typing import Any, Final

from engine.context_names import short
from engine.events import Event, EventType
from engine.report.model.said import Fact, Said, Saying, listed
from engine.told import Told, recorded, told
from governance.budgets import amount_of

_ENDS: Final = {
    EventType.INSTANCE_SUSPENDED: "Suspended",
    EventType.INSTANCE_UNSUSPENDED: "Goes on",
    EventType.INSTANCE_CANCELLED: "Cancelled",
    EventType.INSTANCE_COMPLETED: "Completed",
    EventType.INSTANCE_STALLED: "Nothing can move any more",
    EventType.INSTANCE_FAILED: "Failed",
}
_INFORMED: Final = {
    "completed": "{element} was completed, and people are told",
    "failed": "{element} failed, and people are told",
    "asked": "A person is asked about {element}, and others are told",
}


class Operations(Saying):
    """By people who operate instances."""

    def retried(self, event: Event, data: Any) -> Said:
        form = "{element} is passed over" if data.get("how") == "skip" else "{element} is tried again"
        return told(form, element=self._names.element(event.element)), _operator(data)

    def edited(self, event: Event, data: Any) -> Said:
        by = data.get("by") or told("An operator")
        return told("{by} changes {variables}", by=by, variables=", ".join(data["variables"])), _operator(data)

    def raised(self, event: Event, data: Any) -> Said:
        amount = {"budget": told(data["budget"]), "amount": recorded(amount_of(data).line)}
        return told("{by} raises the budget of the {budget} by {amount}", by=data["by"], **amount), _operator(data)

    def informed(self, event: Event, data: Any) -> Said:
        element = self._names.element(event.element)
        return told(_INFORMED[data["about"]], element=element), [("informed", ", ".join(data["to"]))]

    def lifted(self, event: Event, data: Any) -> Said:
        names = ", ".join(data["variables"])
        return told("{by} takes {variables} for clean", by=data["by"], variables=names), _operator(data)

    def restored(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("before", told("snapshot {id}", id=short(data["before"])))]
        return told("{by} puts the context back to {snapshot}", by=data["by"], snapshot=short(data["snapshot"])), facts

    def data_erased(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("why", data["reason"]), ("variables", ", ".join(data["keys"]))]
        return told("{by} erases personal data", by=data["by"]), facts

    def rewound(self, event: Event, data: Any) -> Said:
        done = [f"{key} ({effect})" for key, effect in data["done"]]
        facts: list[Fact] = [("why", data.get("reason") or told("nobody said"))]
        facts.append(("done outside since", ", ".join(done) or told("nothing")))
        return told("{by} rewinds to {snapshot}", by=data["by"], snapshot=short(data["snapshot"])), facts

    def moved(self, event: Event, data: Any) -> Said:
        lists = (("left undone", "undone"), ("passed over", "passed_over"), ("done again", "again"))
        named = {
            key: [self._names.element(each["element"] if isinstance(each, dict) else each) for each in data[key]]
            for _, key in lists
        }
        facts: list[Fact] = [(label, listed(named[key])) for label, key in lists if named[key]]
        ends = {"element": self._names.element(event.element), "to": self._names.element(data["to"])}
        title = told("The token at {element} goes to {to}", **ends)
        return title, _operator(data) + facts

    def migrated(self, event: Event, data: Any) -> Said:
        facts = _operator(data)
        moved = [f"{old} → {new}" for old, new in data.get("mapped", {}).items() if old != new]
        facts += [("mapped", listed(moved))] if moved else []
        changed = (("new", "added"), ("gone", "removed"), ("waits no more", "dropped"), ("does not wait", "not_armed"))
        facts += [(label, listed(data[key])) for label, key in changed if data.get(key)]
        return told("Goes on with another definition"), facts

    def _undone(self, each: Any) -> Told:
        return told("{element} ({kind})", element=self._names.element(each["element"]), kind=told(each["kind"]))

    def ended(self, event: Event, data: Any) -> Said:
        facts = _operator(data)
        undone = [self._undone(each) for each in data.get("undone", ())]
        facts += [("left undone", listed(undone))] if undone else []
        return told(_ENDS[event.type]), facts


def _operator(data: Any) -> list[Fact]:
    """Who did it, why, and who agreed."""
    named = (("by", "by"), ("why", "reason"), ("approved by", "approved_by"))
    return [(name, recorded(data[key])) for name, key in named if data.get(key)]
