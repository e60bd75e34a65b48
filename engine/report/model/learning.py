"""What there is to say of what activities know, and of what is learned from them."""

from __future__ import annotations

from typing import Any, Final

from engine.events import Event
from engine.report.model.phrases import as_is, learned
from engine.report.model.said import Fact, Said, Saying
from engine.report.words import several
from engine.told import recorded, told

_DEAD_ENDS: Final = {
    "registered": "a dead end, kept so that it is not tried again",
    "refused": "refused, it is a known dead end",
    "told": "much like a known dead end",
    "worked": "no dead end, it worked",
}


class Learning(Saying):
    """Knowledge, skills, dead ends."""

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

    def skilled(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("what", recorded(data["line"])), ("skill", data["id"])]
        return self._said("{element} went well often enough to be a skill", event), facts

    def dead_end(self, event: Event, data: Any) -> Said:
        facts: list[Fact] = [("because", recorded(data["reason"])), ("failed", several(data["failed"], "time"))]
        facts.append(("dead end", data["id"]))
        if data.get("instead"):
            facts.append(("what worked instead", data["instead"]))
        return self._said("{element}: {what}", event, what=told(_DEAD_ENDS[data["what"]])), facts
