"""What there is to say of what people who operate instances did, and of how instances end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.context_names import short
from engine.events import Event, EventType
from engine.names import Names
from governance.budgets import amount_of

Fact = tuple[str, str]
"""What it is about, and what there is to say."""
Said = tuple[str, list[Fact]]
"""A title, and what is worth seeing beside it."""

LISTED: Final = 12
_ENDS: Final = {
    EventType.INSTANCE_SUSPENDED: "Suspended",
    EventType.INSTANCE_UNSUSPENDED: "Goes on",
    EventType.INSTANCE_CANCELLED: "Cancelled",
    EventType.INSTANCE_COMPLETED: "Completed",
    EventType.INSTANCE_STALLED: "Nothing can move any more",
    EventType.INSTANCE_FAILED: "Failed",
}


class Operations:
    """Titles and facts by the type of event."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def retried(self, event: Event, data: Any) -> Said:
        how = "passed over" if data.get("how") == "skip" else "tried again"
        return f"{self._names.element(event.element)} is {how}", _operator(data)

    def edited(self, event: Event, data: Any) -> Said:
        return f"{data.get('by', 'An operator')} changes {', '.join(data['variables'])}", _operator(data)

    def raised(self, event: Event, data: Any) -> Said:
        return f"{data['by']} raises the budget of the {data['budget']} by {amount_of(data).line}", _operator(data)

    def lifted(self, event: Event, data: Any) -> Said:
        return f"{data['by']} takes {', '.join(data['variables'])} for clean", _operator(data)

    def restored(self, event: Event, data: Any) -> Said:
        facts = [("before", f"snapshot {short(data['before'])}")]
        return f"{data['by']} puts the context back to {short(data['snapshot'])}", facts

    def data_erased(self, event: Event, data: Any) -> Said:
        return f"{data['by']} erases personal data", [("why", data["reason"]), ("variables", ", ".join(data["keys"]))]

    def rewound(self, event: Event, data: Any) -> Said:
        done = [f"{key} ({effect})" for key, effect in data["done"]]
        facts = [("why", data.get("reason") or "nobody said"), ("done outside since", ", ".join(done) or "nothing")]
        return f"{data['by']} rewinds to {short(data['snapshot'])}", facts

    def moved(self, event: Event, data: Any) -> Said:
        lists = (("left undone", "undone"), ("passed over", "passed_over"), ("done again", "again"))
        named = {
            key: [self._names.element(each["element"] if isinstance(each, dict) else each) for each in data[key]]
            for _, key in lists
        }
        told = [(label, listed(named[key])) for label, key in lists if named[key]]
        title = f"The token at {self._names.element(event.element)} goes to {self._names.element(data['to'])}"
        return title, _operator(data) + told

    def migrated(self, event: Event, data: Any) -> Said:
        facts = _operator(data)
        moved = [f"{old} → {new}" for old, new in data.get("mapped", {}).items() if old != new]
        facts += [("mapped", listed(moved))] if moved else []
        told = (("new", "added"), ("gone", "removed"), ("waits no more", "dropped"), ("does not wait", "not_armed"))
        facts += [(label, listed(data[key])) for label, key in told if data.get(key)]
        return "Goes on with another definition", facts

    def ended(self, event: Event, data: Any) -> Said:
        facts = _operator(data)
        undone = [f"{self._names.element(each['element'])} ({each['kind']})" for each in data.get("undone", ())]
        facts += [("left undone", listed(undone))] if undone else []
        return _ENDS[event.type], facts


def listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _operator(data: Any) -> list[Fact]:
    """Who did it, why, and who agreed."""
    named = (("by", "by"), ("why", "reason"), ("approved by", "approved_by"))
    return [(name, data[key]) for name, key in named if data.get(key)]
