"""What a service handler is called with, and how a function says which job types it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from bpmn.definition import Element
from engine.activities.work import Outcome
from governance.snapshots.canonical import thaw


class PrivateVariables(Mapping[str, Any]):
    """Process variables of which each reader gets its own copy, made when it is read: what it changes stays here."""

    def __init__(self, shared: Mapping[str, Any]) -> None:
        self._shared = shared
        self._copies: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._copies:
            self._copies[name] = thaw(self._shared[name])
        return self._copies[name]

    def __contains__(self, name: object) -> bool:
        return name in self._shared

    def __iter__(self) -> Iterator[str]:
        return iter(self._shared)

    def __len__(self) -> int:
        return len(self._shared)


@dataclass(frozen=True, slots=True)
class Job:
    """One activity run for a service handler.

    `key` is the same when a run is repeated after a crash: hand it on as an idempotency key. `attempt` counts from 1.
    Where an agent calls the handler as a tool, `arguments` are those of the call, and `type` is the tool's name.
    """

    key: str
    type: str
    element: Element
    variables: Mapping[str, Any]
    attempt: int
    arguments: Mapping[str, Any] = field(default_factory=dict)


ServiceHandler = Callable[[Job], Mapping[str, Any] | Outcome | None]
"""Does a job: gives the outputs by name, an Outcome, or None for no outputs. Raises BpmnErrorRaised for a BPMN error;
whatever else it raises is an incident, which can be tried again."""

FunctionT = TypeVar("FunctionT", bound=ServiceHandler)

_MARK: Final = "__governor_job_types__"


def handler(*job_types: str) -> Callable[[FunctionT], FunctionT]:
    """Mark a function of a handlers module as the handler of job types."""

    def marked(function: FunctionT) -> FunctionT:
        setattr(function, _MARK, (*job_types, *getattr(function, _MARK, ())))
        return function

    return marked


def marked_types(function: object) -> tuple[str, ...]:
    """The job types that a function was marked with."""
    found = getattr(function, _MARK, ())
    return found if isinstance(found, tuple) else ()
