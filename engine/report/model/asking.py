"""What there is to say of what people are asked, and of what they answer."""

from __future__ import annotations

from typing import Any

from engine.events import Event
from engine.report.model.phrases import trigger
from engine.report.model.said import Fact, Said, Saying
from engine.told import recorded, told


class Asking(Saying):
    """Questions and tasks."""

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
