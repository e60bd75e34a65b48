"""What there is to say of what governance did to contexts: D1, D2, D3."""

from __future__ import annotations

from typing import Any, Final

from engine.context_names import short
from engine.events import Event
from engine.report.model.phrases import as_is, fall, measure, snapshot, snapshots
from engine.report.model.said import LISTED, Fact, Said, Saying, listed
from engine.report.words import key_name, percent, several, value_text
from engine.told import recorded, told

_VALUE_CHARS: Final = 160
_SEES: Final = {
    "INHERIT_ALL": "each branch sees all that stood before",
    "INHERIT_RETAINED": "each branch sees only what is retained",
    "ISOLATED": "each branch starts with an empty view",
}


class Contexts(Saying):
    """Compressed, split, merged."""

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

    def _settled(self, conflict: Any, end: Any) -> str:
        if end is None:
            return told("{why}: {what}", why=told(conflict["status"]), what=recorded(conflict["reason"]))
        by = told("a person") if end.get("decided_by") == "person" else end["strategy"]
        value = told("removed") if "value" not in end else value_text(end["value"], _VALUE_CHARS)
        if end.get("winner") is None:
            return told("{value} (made of all, by {by})", value=value, by=by)
        return told("{value} (of {branch}, by {by})", value=value, branch=self._names.branch(end["winner"]), by=by)
