"""Phases: an explicit machine whose moves can be watched (Design: CDA, phases)."""

from __future__ import annotations

import pytest

from governance.cda.errors import PhaseRefused
from governance.cda.phases import RECIPES, Phase, PhaseEvent, PhaseMachine, Transition, infer_phase
from tests.governance.cda.memories import filled, memory, shown_ids, talk, text


def test_a_machine_starts_in_bootstrap_and_goes_where_events_lead() -> None:
    seen: list[Transition] = []
    machine = PhaseMachine([seen.append])
    assert machine.phase is Phase.BOOTSTRAP
    events = (PhaseEvent.INPUT, PhaseEvent.INPUT_FINISHED, PhaseEvent.OUTPUT_FINISHED, PhaseEvent.OVER_RED)
    for turn, event in enumerate((*events, PhaseEvent.COMPACTED)):
        machine.on(event, turn, "why")
    walked = [(move.from_, move.to) for move in seen]
    assert walked == [
        (Phase.BOOTSTRAP, Phase.ASSEMBLE),
        (Phase.ASSEMBLE, Phase.INGEST),
        (Phase.INGEST, Phase.AFTER_TURN),
        (Phase.AFTER_TURN, Phase.COMPACT),
        (Phase.COMPACT, Phase.ASSEMBLE),
    ]
    assert tuple(seen) == machine.transitions
    assert seen[0] == Transition(Phase.BOOTSTRAP, Phase.ASSEMBLE, PhaseEvent.INPUT, 0, "why")


def test_an_event_that_a_phase_does_not_know_is_refused() -> None:
    message = r"phase bootstrap: compacted is no event of it; allowed are input"
    with pytest.raises(PhaseRefused, match=message) as caught:
        PhaseMachine().on(PhaseEvent.COMPACTED, 0)
    assert caught.value.phase == "bootstrap"


_ROWS = {
    PhaseEvent.START: (None, None, None, None, None),
    PhaseEvent.INPUT: ("assemble", "assemble", "assemble", "assemble", "assemble"),
    PhaseEvent.INPUT_FINISHED: ("ingest", "ingest", "ingest", "ingest", "ingest"),
    PhaseEvent.OUTPUT_FINISHED: (None, None, "after_turn", None, None),
    PhaseEvent.OVER_RED: ("compact", "compact", "compact", "compact", None),
    PhaseEvent.COMPACTED: (None, None, None, None, "assemble"),
}
"""Where each event leads from bootstrap, assemble, ingest, after_turn and compact; None: it is refused there."""
_WAYS: dict[Phase, tuple[PhaseEvent, ...]] = {
    Phase.BOOTSTRAP: (),
    Phase.ASSEMBLE: (PhaseEvent.INPUT,),
    Phase.INGEST: (PhaseEvent.INPUT_FINISHED,),
    Phase.AFTER_TURN: (PhaseEvent.INPUT_FINISHED, PhaseEvent.OUTPUT_FINISHED),
    Phase.COMPACT: (PhaseEvent.OVER_RED,),
}


@pytest.mark.parametrize("event", list(PhaseEvent))
@pytest.mark.parametrize(("at", "phase"), list(enumerate(Phase)))
def test_every_event_in_every_phase_leads_where_the_table_says(at: int, phase: Phase, event: PhaseEvent) -> None:
    machine = PhaseMachine()
    for way in _WAYS[phase]:
        machine.on(way, 0)
    assert machine.phase is phase
    to = _ROWS[event][at]
    if to is None:
        with pytest.raises(PhaseRefused):
            machine.on(event, 1)
        assert machine.phase is phase
    else:
        assert machine.on(event, 1) == to


def test_a_move_to_the_same_phase_is_none() -> None:
    machine = PhaseMachine()
    machine.on(PhaseEvent.INPUT, 0)
    machine.on(PhaseEvent.INPUT, 1)
    assert len(machine.transitions) == 1


def test_every_phase_has_its_own_recipe() -> None:
    parts = {(r.path, r.candidates, r.experience, r.measures, r.keys) for r in RECIPES.values()}
    assert set(RECIPES) == set(Phase)
    assert len(parts) == len(Phase)


@pytest.mark.parametrize(
    ("intent", "tools", "phase"),
    [
        ("please summarise what we have", (), Phase.COMPACT),
        ("remember that the gate is open", (), Phase.INGEST),
        ("resume where we were", (), Phase.BOOTSTRAP),
        ("evaluate the last answer", (), Phase.AFTER_TURN),
        ("", ("search",), Phase.AFTER_TURN),
        ("book the flight", ("search",), Phase.ASSEMBLE),
        ("", (), Phase.ASSEMBLE),
        ("weiter", ("context_compress",), Phase.COMPACT),
        ("请压缩上下文", (), Phase.COMPACT),
    ],
)
def test_a_phase_is_inferred_from_words_and_the_last_tool(intent: str, tools: tuple[str, ...], phase: Phase) -> None:
    assert infer_phase(intent, tools) is phase


def test_a_memory_goes_through_its_phases_and_tells() -> None:
    seen: list[Transition] = []
    found = memory(observers=[seen.append])
    found.append_turn(talk(1))
    found.assemble_context("amber", 100)
    found.append_turn([{"role": "assistant", "content": "done"}])
    walk = [Phase.INGEST, Phase.ASSEMBLE, Phase.INGEST, Phase.AFTER_TURN]
    assert [move.to for move in seen] == walk
    assert found.phase is Phase.AFTER_TURN


def test_no_time_moves_a_phase() -> None:
    found = filled(3)
    before = found.phase
    found.score("amber")
    found.get_direction_state()
    assert found.phase is before


def test_usage_above_red_compacts_after_the_turn() -> None:
    found = filled(60, {"window_tokens": 900})
    events = [move.event for move in found.transitions]
    assert PhaseEvent.OVER_RED in events
    assert found.usage <= 0.85


@pytest.mark.parametrize("phase", list(Phase))
def test_a_context_holds_what_the_recipe_of_its_phase_says(phase: Phase) -> None:
    found = filled(120, {"zones": "on", "fill": False})
    found.register_dead_end({"tool": "amber", "arguments": {"near": "amber"}}, "it was locked")
    context = found.assemble_context("amber near the amber", 300, phase=phase)
    shown, recipe = shown_ids(context), RECIPES[phase]
    assert ("e119" in shown) is recipe.path
    assert any(id in shown for id in ("e0", "e18", "e36", "e54")) is recipe.candidates
    assert ("it was locked" in text(context)) is recipe.experience


def test_a_phase_that_the_caller_names_leaves_the_memorys_own() -> None:
    found = filled(3)
    before = found.phase
    found.assemble_context("amber", 300, phase=Phase.COMPACT)
    assert found.phase is before
    found.assemble_context("amber", 300)
    assert found.phase is Phase.ASSEMBLE
