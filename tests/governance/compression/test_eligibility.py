from __future__ import annotations

import pytest

from governance.compression.eligibility import Hold, RetainedNames
from governance.vocabulary import Band, Fidelity
from tests.governance.compression.contexts import Context, line_of, request

LONG = 400


def test_retain_keys_are_names_or_globs() -> None:
    retained = RetainedNames(["contract", "risk_*", "doc?", "list[1]"])
    assert all(name in retained for name in ("contract", "risk_", "risk_level", "doc1", "list[1]", "list1"))
    assert not any(name in retained for name in ("contracts", "Contract", "xrisk_level", "doc12", "list2"))


def test_no_pattern_retains_nothing() -> None:
    assert "" not in RetainedNames([])
    assert "a" not in RetainedNames([])


@pytest.mark.parametrize("band", list(Band))
def test_retained_and_pinned_hold_in_every_band(band: Band) -> None:
    assert Hold.RETAINED.binds(band)
    assert Hold.PINNED.binds(band)


@pytest.mark.parametrize("hold", [Hold.INPUT, Hold.LOWERED, Hold.SHORT])
def test_the_other_holds_end_where_compression_is_forced(hold: Hold) -> None:
    assert [band for band in Band if hold.binds(band)] == [Band.NONE, Band.LIGHT, Band.MEDIUM]


def test_medium_lowers_only_what_nothing_holds() -> None:
    names = ("kept_1", "pinned", "input", "fallen", "free")
    context = Context.of({f"WORKING/{name}": line_of(name, LONG) for name in names} | {"WORKING/short": "x" * 150})
    decision = context.compress(
        request(
            threshold=2_400,
            retain=("kept_*",),
            pinned=frozenset({"WORKING/pinned"}),
            inputs=frozenset({"input"}),
            lowered=frozenset({"WORKING/fallen"}),
        )
    )
    assert decision.band is Band.MEDIUM
    assert [change.key for change in decision.changes] == ["WORKING/free"]
    assert decision.held == dict.fromkeys(Hold, 1)


def test_a_declared_input_is_a_variable_of_the_own_scope() -> None:
    context = Context.of({"WORKING:call/total": line_of("total", 900), "HISTORY/total": line_of("total", 900)})
    context.compress(request(scope="call", inputs=frozenset({"total"})))
    assert context.fidelity("WORKING:call/total") is Fidelity.FULL
    assert context.fidelity("HISTORY/total") is Fidelity.SUMMARY


@pytest.mark.parametrize(("chars", "falls"), [(199, False), (200, True)])
def test_under_200_characters_nothing_falls_outside_the_forced_band(chars: int, falls: bool) -> None:
    context = Context.of({"WORKING/a": line_of("a", chars), "WORKING/rest": line_of("rest", 900 - chars)})
    context.compress(request(strategy="ARCHIVE"))
    assert (context.fidelity("WORKING/a") is not Fidelity.FULL) is falls


def test_short_entries_go_straight_to_archived_when_forced() -> None:
    context = Context.of({f"WORKING/{n}": line_of(str(n), 150) for n in range(8)})
    decision = context.compress(request())
    assert {change.to for change in decision.changes} == {Fidelity.ARCHIVED}
    assert decision.after.pressure <= 0.8
    assert len(decision.changes) == 3


def test_system_and_process_are_never_lowered() -> None:
    text = "word " * 300
    context = Context.of({f"{layer}/a": text for layer in ("SYSTEM", "PROCESS", "KNOWLEDGE", "HISTORY")})
    context.compress(request(window=300))
    assert context.fidelity("SYSTEM/a") is Fidelity.FULL
    assert context.fidelity("PROCESS/a") is Fidelity.FULL
    assert context.fidelity("KNOWLEDGE/a") is Fidelity.ARCHIVED
    assert context.fidelity("HISTORY/a") is Fidelity.ARCHIVED


def test_a_key_inside_an_object_keeps_its_variable() -> None:
    retained = RetainedNames(("claim.id",))
    assert "claim" in retained
    assert "claim.id" in retained
    assert "id" not in retained
