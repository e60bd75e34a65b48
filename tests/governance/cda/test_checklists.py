"""The sources' two checklists, each line answered by what the memory does (sources: CDA 4.3 and 5.1)."""

from __future__ import annotations

from governance.cda.memory import CdaMemory
from governance.cda.phases import RECIPES, Phase
from governance.cda.scg import EdgeKind
from governance.cda.settings import WEIGHTS
from governance.cda.zones import Zone
from governance.vocabulary import Fidelity, QtsPreset
from tests.governance.cda.memories import filled, memory, shown_ids, text


def deployed() -> CdaMemory:
    """A memory with a call, its result, and talk around them."""
    found = memory()
    call = {"id": "c1", "name": "deploy", "arguments": {"to": "north"}}
    found.append_turn([{"role": "user", "content": "Bring Orbit to the north."}])
    found.append_turn([
        {"role": "assistant", "content": "On it.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "quota exceeded"},
    ])  # fmt: skip
    return found


def test_phases_are_told_apart_and_seen() -> None:
    """Required: an explicit state machine of phases; design question 1."""
    found = deployed()
    found.assemble_context("Orbit", 500)
    assert {str(phase) for phase in Phase} == {"assemble", "ingest", "after_turn", "compact", "bootstrap"}
    assert {move.to for move in found.transitions} >= {Phase.INGEST, Phase.AFTER_TURN, Phase.ASSEMBLE}


def test_each_phase_assembles_in_its_own_way() -> None:
    """Design question 2."""
    assert len({str(recipe) for recipe in RECIPES.values()}) == len(Phase)


def test_results_are_ordered_by_direction() -> None:
    """Required: QTS, results sorted by it; weights can be configured."""
    found = filled(200)
    towards = found.score("the fjord near the oasis")
    away = found.score("the quay near the marsh")
    assert max(towards, key=towards.__getitem__) != max(away, key=away.__getitem__)
    assert len({weights.model_dump_json() for weights in WEIGHTS.values()}) == len(QtsPreset)


def test_usage_above_seventy_percent_has_an_answer() -> None:
    """Design question 3."""
    found = filled(100, {"window_tokens": 1_900, "red": 1.0})
    assert found.usage > 0.70
    assert found.compact().compacted
    assert found.usage < 0.70


def test_relations_survive_compression() -> None:
    """Bonus: topology is kept; design question 4."""
    found = memory()
    for at in range(60):
        found.append_turn([{"role": "user", "content": f"Plain talk number {at} of no consequence at all."}])
    call = {"id": "c1", "name": "deploy", "arguments": {"to": "north"}}
    found.append_turn([{"role": "assistant", "content": "Deploying Orbit.", "tool_calls": [call]}])
    found.append_turn([{"role": "tool", "tool_call_id": "c1", "content": "Orbit deployed to the north."}])
    context = found.assemble_context("Orbit north deploy", 200)
    assert ["e61", str(EdgeKind.BECAUSE), "e60"] in context.metadata["edges"]
    assert "e61 because e60" in text(context)


def test_failures_change_what_is_assembled() -> None:
    """Required: feedback, and a dead-end registry that filters; design question 5."""
    found = deployed()
    before = text(found.assemble_context("deploy Orbit", 500))
    found.register_dead_end({"tool": "deploy", "arguments": {"to": "north"}}, "no quota")
    after = text(found.assemble_context("deploy Orbit", 500))
    assert "On it." in before
    assert "On it." not in after
    assert "Failed because: no quota" in after


def test_hot_and_cold_memory_live_differently() -> None:
    """Bonus: three layers of memory: a call's window, context items, and all that ever was."""
    found = filled(200)
    found.assemble_context("fjord", 300)
    found.compact("aggressive")
    window = set(shown_ids(found.assemble_context("fjord", 300)))
    hot = {entry.id for entry in found.items()}
    assert window < hot
    assert len(hot) < len(found) == 200


def test_a_margin_keeps_contents_from_flickering() -> None:
    """Bonus: hysteresis."""
    found = filled(200)
    zones = []
    for query in ("fjord", "fjord inlet", "fjord", "fjord inlet"):
        entries = found.assemble_context(query, 5_000).metadata["entries"]
        zones.append({entry["id"]: entry["zone"] for entry in entries})
    kept = [{id for id, zone in each.items() if zone == Zone.KEEP} for each in zones]
    assert kept[0] <= kept[1]
    assert kept[2] == kept[3] == kept[1]


def test_the_memory_is_plugged_in_by_six_calls() -> None:
    """Design question 6."""
    calls = ("append_turn", "assemble_context", "compact", "get_direction_state", "register_dead_end", "list_dead_ends")
    assert all(callable(getattr(CdaMemory, call)) for call in calls)
    context = filled(3).assemble_context("amber", 100)
    assert all(type(message) is dict for message in context.messages)
    assert Fidelity.FULL.name in {entry["fidelity"] for entry in context.metadata["entries"]}
