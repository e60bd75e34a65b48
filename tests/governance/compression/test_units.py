from __future__ import annotations

from typing import Any

import pytest

from governance.compression.units import references
from governance.vocabulary import Fidelity
from tests.governance.compression.contexts import Context, request


def result(call: str, chars: int) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": "r" * chars}


def calls(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"id": call, "name": "search"} for call in ids]}


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (result("c1", 3), ["c1"]),
        (calls("c1", "c2"), ["c1", "c2"]),
        ({"tool_call_id": 7, "tool_calls": "none"}, []),
        ({"tool_calls": [None, {"id": 3}]}, []),
        ("tool_call_id", []),
        ([{"tool_call_id": "c1"}], []),
    ],
)
def test_references_of_calls_and_results(value: Any, ids: list[str]) -> None:
    assert list(references(value)) == ids


def test_the_result_shrinks_and_the_short_call_stays() -> None:
    context = Context.of({"WORKING/call": calls("c1"), "WORKING/result": result("c1", 800)})
    context.compress(request(strategy="AGGRESSIVE"))
    assert context.fidelity("WORKING/call") is Fidelity.FULL
    assert context.fidelity("WORKING/result") is Fidelity.KEY_ONLY


def test_call_and_result_leave_together() -> None:
    context = Context.of({"WORKING/call": calls("c1"), "WORKING/result": result("c1", 800)})
    context.compress(request(strategy="ARCHIVE"))
    assert context.fidelity("WORKING/call") is Fidelity.ARCHIVED
    assert context.fidelity("WORKING/result") is Fidelity.ARCHIVED


def test_forced_compression_never_splits_a_unit() -> None:
    entries = {f"WORKING/{n}_call": calls(f"c{n}") for n in range(6)}
    entries |= {f"WORKING/{n}_result": result(f"c{n}", 100 + 80 * n) for n in range(6)}
    context = Context.of(entries)
    for threshold in (1_500, 1_000, 700, 400, 100):
        context.compress(request(threshold=threshold))
        for n in range(6):
            left = {context.fidelity(f"WORKING/{n}_{part}") is Fidelity.ARCHIVED for part in ("call", "result")}
            assert len(left) == 1
    assert not context.graph.contents(context.head).space("WORKING").rendered


@pytest.mark.parametrize("held", [{"retain": ("call",)}, {"pinned": frozenset({"WORKING/call"})}])
def test_a_unit_with_a_kept_member_stays_but_its_result_shrinks(held: dict[str, Any]) -> None:
    context = Context.of({"WORKING/call": calls("c1"), "WORKING/result": result("c1", 800)})
    context.compress(request(threshold=100, **held))
    assert context.fidelity("WORKING/call") is Fidelity.FULL
    assert context.fidelity("WORKING/result") is Fidelity.KEY_ONLY


def test_one_message_with_two_calls_ties_both_results() -> None:
    entries = {"WORKING/call": calls("c1", "c2"), "WORKING/r1": result("c1", 30), "WORKING/r2": result("c2", 30)}
    context = Context.of(entries | {"WORKING/other": "o" * 1_000})
    context.compress(request(threshold=1_100))
    tied = {context.fidelity(f"WORKING/{name}") for name in ("call", "r1", "r2")}
    assert len(tied) == 1


def test_in_the_medium_band_a_kept_call_keeps_its_result_from_the_archive() -> None:
    context = Context.of({"WORKING/call": calls("c1"), "WORKING/result": result("c1", 800)})
    context.compress(request(strategy="ARCHIVE", retain=("call",)))
    assert context.fidelity("WORKING/result") is Fidelity.KEY_ONLY


def test_a_unit_is_as_relevant_as_its_most_relevant_entry() -> None:
    context = Context.of(
        {
            "WORKING/call": calls("c1") | {"note": "look it up " * 20},
            "WORKING/result": result("c1", 0) | {"content": "database outage cause " * 20},
            "WORKING/single": "an outage was mentioned somewhere in this long report " * 8,
        }
    )
    decision = context.compress(request(threshold=1_700, query="cause of the database outage"))
    assert [change.key for change in decision.changes] == ["WORKING/single"]
