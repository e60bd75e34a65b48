"""What holds for whatever a memory is given."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.cda.measures import alignment_stability, context_alignment, dead_end_repetition, effective_density
from governance.cda.memory import CdaMemory
from governance.cda.settings import CdaSettings
from governance.ports import FixedClock
from tests.governance.cda.memories import CLOCK, tokens_of
from tests.governance.cda.test_direction import Axes

_WORDS = "Lena Gruber fjord ledger A-17 td_field 2026-05-04 north quota über 方向 the of deploy"
words = st.sampled_from(_WORDS.split())
texts = st.lists(words, max_size=60).map(" ".join)
contents = st.one_of(texts, st.lists(st.fixed_dictionaries({"id": st.integers(0, 99), "at": words}), max_size=12))
messages = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "content": contents})
turns = st.lists(st.lists(messages, min_size=1, max_size=3), min_size=1, max_size=12)


def built(given_turns: list[list[dict[str, Any]]]) -> CdaMemory:
    found = CdaMemory("p", CdaSettings(window_tokens=400), clock=FixedClock(CLOCK))
    for at, turn in enumerate(given_turns):
        found.append_turn(turn, scope=f"s{at // 3}")
    return found


@settings(max_examples=60, deadline=None, derandomize=True)
@given(turns, texts, st.integers(0, 400))
def test_a_context_never_exceeds_its_room(given_turns: list[list[dict[str, Any]]], query: str, room: int) -> None:
    found = built(given_turns)
    for asked in (query, "deploy A-17"):
        context = found.assemble_context(asked, room, tools=["deploy id at"])
        assert tokens_of(context) == context.metadata["tokens"] <= room
        json.dumps([context.messages, context.metadata])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(turns, texts)
def test_whatever_was_compacted_comes_back(given_turns: list[list[dict[str, Any]]], query: str) -> None:
    found = built(given_turns)
    found.assemble_context(query, 100)
    found.compact("aggressive")
    found.compact()
    whole = [message for turn in given_turns for message in turn]
    assert json.dumps(found.restore(f"e{at}" for at in range(len(whole)))) == json.dumps(whole)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(turns, texts)
def test_the_same_turns_give_the_same_context(given_turns: list[list[dict[str, Any]]], query: str) -> None:
    one, other = built(given_turns), built(given_turns)
    assert one.assemble_context(query, 120) == other.assemble_context(query, 120)


def test_measures() -> None:
    axes = Axes()
    goal = axes.embed("goal")
    assert alignment_stability([goal, axes.embed("x")], goal) == [1.0, 0.0]
    assert context_alignment([("goal", 30), ("x", 10)], goal, axes) == 0.75
    assert context_alignment([], goal, axes) == 0.0
    assert dead_end_repetition(20, 5) == 0.25
    assert dead_end_repetition(0, 0) == 0.0
    assert effective_density({"e1": 30, "e2": 10}, {"e1"}) == 0.75
    assert effective_density({}, set()) == 0.0
