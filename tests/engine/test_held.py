"""What is due and what is pinned agrees with a look at all open interventions."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.held import Held
from governance.human_loop.intervention import Intervention
from governance.vocabulary import InteractionLevel, Trigger

NUMBERS = st.integers(0, 5)
STEPS = st.lists(st.tuples(NUMBERS, st.booleans(), st.none() | NUMBERS, st.lists(st.sampled_from("abc"), unique=True)))
BRANCHES = ("", "/g@1:2.a")


def opened(number: int, due: int | None, pins: list[str]) -> Intervention:
    fields: dict[str, Any] = {} if due is None else {"due": at(due), "default": "deny"}
    return Intervention(
        id=f"i-{number}", instance="i", trigger=Trigger.RUNTIME, level=InteractionLevel.DIFF_PREVIEW, kind="d1_preview",
        element="a", branch=BRANCHES[number % 2], created_at=at(0), message="?", shown={"pins": pins}, **fields,
    )  # fmt: skip


def at(minute: int) -> str:
    return f"2026-01-01T00:0{minute}:00.000000Z"


@settings(max_examples=200)
@given(STEPS, NUMBERS)
def test_held_agrees_with_a_look_at_all(steps: list[tuple[int, bool, int | None, list[str]]], now: int) -> None:
    held, expected = Held(), dict[str, Intervention]()
    for number, closes, due, pins in steps:
        if closes:
            held.drop(f"i-{number}")
            expected.pop(f"i-{number}", None)
        else:
            shown = expected.get(f"i-{number}")
            asked = opened(number, due, pins if shown is None else shown.shown["pins"])
            held.put(asked, number)
            expected[asked.id] = asked
        assert dict(held) == {id: int(id[2:]) for id in expected}
        for branch in BRANCHES:
            there = [each for each in expected.values() if each.branch == branch]
            assert held.pins(branch) == Counter(key for each in there for key in each.shown["pins"])
        assert held.next_due == min((each.due for each in expected.values() if each.due), default=None)
    found = []
    for id in held.due_by(at(now)):
        found.append((expected[id].due, id))
        held.drop(id)
    assert found == sorted((each.due, id) for id, each in expected.items() if each.due and each.due <= at(now))
