"""Who does activities, as those see it who have them done."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from bpmn.definition import Definition, Element
from engine.activities.work import Handler
from engine.models.base import ChatModel
from governance.vocabulary import Effect


class Handlers(Protocol):
    """Finds who does an activity."""

    def handler_for(self, element: Element) -> Handler:
        """The handler of an activity. Raises MissingHandler, which lists what is registered."""
        ...

    def require(self, definition: Definition) -> None:
        """Raises MissingHandler for the activities of a definition that nobody would do."""
        ...


@runtime_checkable
class Versioned(Protocol):
    """Handlers that know which version of who does an activity they have."""

    def version_of(self, element: Element) -> str:
        """The version; "" if it is not known."""
        ...

    def effect_of(self, element: Element) -> Effect:
        """What doing it does to the world outside."""
        ...


@runtime_checkable
class Thinking(Protocol):
    """Handlers that have a model for the chains of governance."""

    def chain_model(self) -> ChatModel | None:
        """The model; None: the rules do it alone."""
        ...


@runtime_checkable
class Concurrent(Protocol):
    """Handlers some of which may run beside each other."""

    def concurrent(self, element: Element) -> bool:
        """Whether who does the activity may run on a thread of its own while others run on theirs."""
        ...
