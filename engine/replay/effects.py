"""What an instance did to the world outside, by idempotency key: rewinding it undoes none of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.events import Event, EventType
from engine.replay.cause import Kind
from engine.store.causes import KeptCause
from governance.vocabulary import Effect


@dataclass(frozen=True, slots=True)
class Done:
    """One thing that was done: `key` is what it was done under, `effect` what its doer said it does."""

    at: str
    element: str
    what: str
    effect: Effect
    key: str

    @property
    def told(self) -> str:
        return f"{self.at} {self.element}: {self.what} ({self.effect.value}), key {self.key}"


def done_outside(instance: str, causes: Iterable[KeptCause], events: Iterable[Event]) -> list[Done]:
    """What these advances did, what agents' tools did, and what was thrown to others; what only reads is left out."""
    done = [each for kept in causes for each in _worked(kept)]
    done += [each for event in events for each in _told(instance, event)]
    return sorted((each for each in done if each.effect is not Effect.READ), key=lambda each: (each.at, each.key))


def _worked(kept: KeptCause) -> Iterator[Done]:
    for id, kind, name in kept.cause.data.get("thrown", ()):
        yield Done(kept.at, name, f"{kind} thrown", Effect.WRITE, id)
    if kept.cause.kind is not Kind.WORKED:
        return
    for _, told in kept.cause.data["results"]:
        if "element" in told and "refused" not in told and "suspended" not in told:
            what = "failed" if "error" in told else "done"
            yield Done(kept.at, told["element"], what, Effect(told["effect"]), told["key"])


def _told(instance: str, event: Event) -> Iterator[Done]:
    data = event.data
    if event.type is EventType.TOOL_CALL and not data.get("failed") and "effect" in data:
        key = f"{instance}#{event.seq}"
        yield Done(event.at, event.element or "", f"tool {data.get('tool')}", Effect(data["effect"]), key)
