"""Tells the people whom a policy names (`informed`) what became of an activity: notices, nothing waits for them."""

from __future__ import annotations

from typing import Final, Literal

from engine.events import EventLog, EventType
from engine.process_index import ProcessIndex
from governance.vocabulary import InteractionLevel, Trigger

About = Literal["completed", "failed", "asked"]
_MESSAGES: Final = {
    "completed": "{name} was completed",
    "failed": "{name} failed",
    "asked": "a person is asked about {name}",
}


def inform(log: EventLog, index: ProcessIndex, element: str, branch: str, about: About) -> None:
    """Log the notice, where the policy of the element names anybody."""
    found = index.elements.get(element)
    informed = () if found is None else found.resolved.policy.informed
    if informed:
        log.add(
            EventType.NOTICE,
            element,
            branch,
            trigger=Trigger.RUNTIME.value,
            level=InteractionLevel.MICRO_SUGGESTION.value,
            message=_MESSAGES[about].format(name=index.title(element)),
            to=list(informed),
            about=about,
        )
