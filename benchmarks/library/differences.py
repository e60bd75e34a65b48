"""Which of the library's tests must come out otherwise with our driver, and why.

A test that passes with the library alone is explained by what it did that touches a difference; one that did nothing of
the kind shows a defect.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final


@dataclass(frozen=True, slots=True)
class Difference:
    """`seen` is what the test did; `said` what its failure says (patterns); `why` what is different on purpose."""

    name: str
    seen: str
    why: str
    said: tuple[str, ...] = ("*",)


DIFFERENCES: Final[tuple[Difference, ...]] = (
    Difference(
        "saved form", "looked into what is saved", "live state is rows with numbers for ids, not a tree with UUIDs: it "
        "is small, and the same run saves the same", ("*UUID*", "*KeyError*"),
    ),
    Difference(
        "prediction", "asked for tasks that are not there yet", "a task is made when a token comes; the library makes "
        "one for all that may follow, which grows exponentially over gateways in a row", ("*Assertion*", "*NoneType*"),
    ),
    Difference(
        "join", "had a token wait at a join for more than one other", "arrivals wait in queues until the join goes on, "
        "and then end together; the library ends all but the last two as they come", ("*Assertion*",),
    ),
    Difference(
        "terminate", "ran a process with a terminate end event",
        "a terminate end event ends its scope with a token at its end; the library "
        "cancels that too", ("*Assertion*",),
    ),
    Difference(
        "interruption", "had an event interrupt an activity", "an interrupting event ends what is inside at once, the "
        "throwing event too; the library lets it complete first", ("*Assertion*",),
    ),
    Difference(
        "instances", "collected outputs of instances", "the outputs of instances are collected once, at the end and in "
        "the order of the items; the library adds each as it comes", ("*Assertion*", "*KeyError*"),
    ),
    Difference(
        "reset", "reset a task", "what follows a task that is reset is not made before a token comes; the arrivals at "
        "joins that came from there are taken back", ("*Assertion*", "*NoneType*"),
    ),
)  # fmt: skip


def reason(seen: str, why: str) -> str | None:
    """The difference that a failing test shows, None if it shows none of them."""
    for each in DIFFERENCES:
        if each.seen in seen.split(", ") and any(fnmatchcase(why, pattern) for pattern in each.said):
            return each.name
    return None
