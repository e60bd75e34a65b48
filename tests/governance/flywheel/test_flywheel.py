"""Produce, store, consume, feed back: the design's numbers at their boundaries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from governance.flywheel.citing import cited
from governance.flywheel.feedback import Offered
from governance.flywheel.flywheel import fits
from governance.flywheel.item import KnowledgeItem, Provenance, SourceKind, Standing
from governance.flywheel.ports import Wanted
from tests.governance.flywheel.bases import AT, LATER, MemoryBase, flywheel, item

REFUNDS = "Refunds above 500 EUR need the approval of a team lead within 14 days."
TRAVEL = "Travel is booked by the assistant desk at least three weeks ahead."


def provenance(kind: SourceKind = SourceKind.DOCUMENT) -> Provenance:
    return Provenance(kind=kind, source="a.md", place="Refunds")


@pytest.mark.parametrize(
    ("kind", "stated", "citations", "expected"),
    [
        (SourceKind.DOCUMENT, 1.0, 0, 0.8),
        (SourceKind.DOCUMENT, 1.0, 10, 0.9),
        (SourceKind.DOCUMENT, 1.0, 99, 0.95),
        (SourceKind.FINDING, 0.5, 0, 0.3),
        (SourceKind.WEB, 0.5, 0, 0.2),
    ],
)
def test_confidence_comes_from_authority_statement_and_citations(
    kind: SourceKind, stated: float, citations: int, expected: float
) -> None:
    made = flywheel(MemoryBase()).produce(REFUNDS, "sop", provenance(kind), AT, stated=stated, citations=citations)
    assert made.confidence == pytest.approx(expected)


def test_what_a_person_confirms_is_sure() -> None:
    made = flywheel(MemoryBase()).produce(REFUNDS, "sop", provenance(SourceKind.WEB), AT, confirmed_by="ann")
    assert (made.confidence, made.standing, made.tainted) == (0.95, Standing.USABLE, False)


def test_what_was_found_outside_is_tainted_until_confirmed() -> None:
    wheel = flywheel(MemoryBase())
    made = wheel.produce(REFUNDS, "sop", provenance(SourceKind.WEB), AT)
    assert made.tainted
    assert not wheel.confirm(made, "ann", LATER).tainted


@pytest.mark.parametrize(
    ("confidence", "result", "standing"),
    [
        (0.29, "dropped", None),
        (0.3, "stored", Standing.TO_VERIFY),
        (0.7, "stored", Standing.TO_VERIFY),
        (0.71, "stored", Standing.USABLE),
    ],
)
def test_only_what_is_sure_enough_is_stored(confidence: float, result: str, standing: Standing | None) -> None:
    base = MemoryBase()
    wheel = flywheel(base)
    found = wheel.produce(REFUNDS, "sop", provenance(), AT, stated=confidence / 0.8)
    assert found.confidence == confidence
    assert wheel.store(found).result == result
    assert [kept.standing for kept in base.items.values()] == ([standing] if standing else [])


def test_of_two_that_say_the_same_the_surer_one_stays() -> None:
    sure, unsure = item(REFUNDS, 0.9, source="a"), item(REFUNDS, 0.5, source="b")
    base = MemoryBase([sure])
    assert flywheel(base).store(unsure).result == "kept"
    assert list(base.items) == [sure.id]
    base = MemoryBase([sure])
    assert flywheel(base).store(item(REFUNDS, 0.9, source="c")).result == "kept", "as sure is not surer"
    base = MemoryBase([unsure])
    assert flywheel(base).store(sure).result == "replaced"
    assert base.items[unsure.id].standing is Standing.SUPERSEDED
    assert base.items[unsure.id].superseded_by == sure.id


def test_what_is_known_already_stays_as_it_is_even_out_of_use() -> None:
    known = replace(item(REFUNDS, 0.4), helped={"a": 3})
    base = MemoryBase([known])
    assert flywheel(base).store(item(REFUNDS, 0.9)).result == "kept"
    assert base.items[known.id] == known
    base = MemoryBase([known.marked(Standing.RETIRED, LATER)])
    assert flywheel(base).store(item(REFUNDS, 0.9)).result == "kept"
    assert base.items[known.id].standing is Standing.RETIRED


def test_other_numbers_are_other_knowledge() -> None:
    base = MemoryBase([item(REFUNDS, 0.9, source="a")])
    assert flywheel(base).store(item(REFUNDS.replace("500", "900"), 0.5, source="b")).result == "stored"


def test_what_was_only_recalled_is_no_new_knowledge() -> None:
    base, known = MemoryBase(), item(REFUNDS, 0.4, source="a")
    assert flywheel(base).store(item(REFUNDS, 0.9, source="b"), recalled=[known]).result == "recalled"
    assert not base.items


@pytest.mark.parametrize(
    ("attention", "form", "count"), [(0.61, "whole", 2), (0.6, "core", 1), (0.4, "core", 1), (0.39, "summary", 2)]
)
def test_attention_decides_how_much_is_given(attention: float, form: str, count: int) -> None:
    long = REFUNDS + " Exceptions are listed in the annex, and apply to gift cards and to travel alone."
    base = MemoryBase([item(long, 0.9), item(TRAVEL, 0.5)])
    injection = flywheel(base).consume([Wanted(query="refunds travel", count=5)], attention)
    assert (injection.form, len(injection.given)) == (form, count)
    texts = [each.value["text"] for each in injection.given]
    assert all(len(text) <= 80 for text in texts) is (form == "summary")


@pytest.mark.parametrize(("confidence", "given"), [(0.7, 0), (0.71, 1)])
def test_the_confident_core_is_surer_than_0_7(confidence: float, given: int) -> None:
    base = MemoryBase([item(REFUNDS, confidence)])
    assert len(flywheel(base).consume([Wanted(query="refunds")], 0.5).given) == given


def test_an_injection_of_more_than_8000_tokens_is_cut_by_confidence() -> None:
    long = " ".join(f"clause{number} says what {number} means" for number in range(500))
    items = [item(f"{name}: {long}", confidence) for name, confidence in (("one", 0.6), ("two", 0.95), ("three", 0.9))]
    injection = flywheel(MemoryBase(items)).consume([Wanted(query="clause", count=5)], 1.0)
    assert sum(each.tokens for each in injection.given) <= 8_000
    assert {each.confidence for each in injection.left_out} == {0.6}


def test_a_precise_injection_is_an_injection_and_holds_8000_tokens() -> None:
    large = item(f"Refunds: {' '.join(f'clause{number} says what it means' for number in range(2_000))}", 0.95)
    small = item(REFUNDS, 0.8)
    found = flywheel(MemoryBase([large, small])).precise("refunds", "", AT)
    assert found is not None
    assert (found.item, found.tokens < 8_000) == (small, True)
    assert flywheel(MemoryBase([large])).precise("refunds", "", AT) is None


def offered(items: list[KnowledgeItem], *ids: str) -> Offered:
    return Offered(activity="a", items=items, cited=frozenset(ids), at=LATER)


def test_a_low_score_lowers_what_did_not_help() -> None:
    one, two, three = (item(f"{name} {REFUNDS}", 0.7) for name in ("one", "two", "three"))
    base = MemoryBase()
    steps = {step.item.id: step for step in flywheel(base).feedback(offered([one, two, three], one.id))}
    assert base.items[one.id].confidence == 0.7
    assert steps[two.id].item.confidence == pytest.approx(0.6)
    assert (steps[two.id].item.misled, base.items[one.id].helped) == ({"a": 1}, {"a": 1})


def test_a_high_score_raises_what_was_cited() -> None:
    one = item(REFUNDS, 0.9)
    [step] = flywheel(MemoryBase()).feedback(offered([one], one.id))
    assert step.item.confidence == pytest.approx(0.95)


@pytest.mark.parametrize(("confidence", "expected"), [(0.05, 0.0), (1.0, 1.0)])
def test_confidence_stays_between_0_and_1(confidence: float, expected: float) -> None:
    one = item(REFUNDS, confidence)
    [step] = flywheel(MemoryBase()).feedback(offered([one], *([one.id] if expected else [])))
    assert step.item.confidence == expected


def test_between_the_thresholds_nothing_changes_but_what_is_remembered() -> None:
    one = item(REFUNDS, 0.6)
    [step] = flywheel(MemoryBase()).feedback(offered([one], one.id))
    assert (step.item.confidence, step.item.helped) == (0.6, {"a": 1})


@pytest.mark.parametrize(
    ("confidence", "named", "expected"),
    [(0.39, True, 0.29), (0.4, True, 0.4), (0.8, True, 0.8), (0.81, True, 0.86), (0.9, False, 0.8)],
)
def test_feedback_begins_below_0_4_and_above_0_8(confidence: float, named: bool, expected: float) -> None:
    """Of one item that is cited the score is its confidence, of one that is not it is 0."""
    one = item(REFUNDS, confidence)
    [step] = flywheel(MemoryBase()).feedback(offered([one], *([one.id] if named else [])))
    assert step.item.confidence == pytest.approx(expected)


@pytest.mark.parametrize(("likeness", "result"), [(0.9, "stored"), (0.91, "kept")])
def test_alike_above_0_9_is_the_same(likeness: float, result: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("governance.flywheel.flywheel.text_similarity", lambda one, other: likeness)
    base = MemoryBase([item(REFUNDS, 0.9, source="a")])
    assert flywheel(base).store(item(f"{REFUNDS} So it is.", 0.5, source="b")).result == result


def test_falling_below_the_threshold_makes_an_item_unverified() -> None:
    one = item(REFUNDS, 0.75)
    [step] = flywheel(MemoryBase()).feedback(offered([one]))
    assert step.item.standing is Standing.TO_VERIFY


def test_a_precise_injection_is_sure_and_new() -> None:
    first, second, unsure = item(REFUNDS, 0.9), item(f"In detail: {REFUNDS}", 0.7), item(f"Maybe {REFUNDS}", 0.69)
    wheel = flywheel(MemoryBase([first, second, unsure]))
    found = wheel.precise("refunds", "approval", AT, but=[first.id])
    assert found is not None
    assert (found.item, found.value["source"]) == (second, "handbook.md")
    assert wheel.precise("refunds", "approval", AT, but=[first.id, second.id]) is None


def test_what_left_use_is_kept_and_never_found() -> None:
    one = item(REFUNDS, 0.9)
    base = MemoryBase([one])
    flywheel(base).retire(one, LATER, "the rule changed")
    assert (base.items[one.id].standing, base.items[one.id].why) == (Standing.RETIRED, "the rule changed")
    assert not base.search(Wanted(query="refunds"))


def test_a_score_of_0_4_lowers_nothing_and_what_is_cited_at_0_4_never_falls() -> None:
    """Two items, one of them cited: the score is half their mean confidence."""
    for confidence, lowered in ((0.8, 0.8), (0.79, 0.69)):
        named, vain = item(f"One: {REFUNDS}", confidence), item(f"Two: {TRAVEL}", confidence)
        base = MemoryBase([named, vain])
        flywheel(base).feedback(offered([named, vain], named.id))
        assert base.items[vain.id].confidence == pytest.approx(lowered)
    named, vain = item(f"One: {REFUNDS}", 0.4), item(f"Two: {TRAVEL}", 0.4)
    base = MemoryBase([named, vain])
    flywheel(base).feedback(offered([named, vain], named.id))
    assert (base.items[named.id].confidence, base.items[vain.id].confidence) == (0.4, pytest.approx(0.3))


@pytest.mark.parametrize("standing", [Standing.USABLE, Standing.EXPIRED])
def test_what_has_expired_is_marked_and_in_nobody_s_way(standing: Standing) -> None:
    old = replace(item(REFUNDS, 0.9, source="a"), expires_at=AT, standing=standing, helped={"a": 3})
    base = MemoryBase([old])
    other = replace(item(f"{REFUNDS}", 0.5, source="b"), created_at=LATER)
    assert flywheel(base).store(other).result == "stored"
    assert base.items[old.id].standing is Standing.EXPIRED
    base = MemoryBase([old])
    again = replace(item(REFUNDS, 0.9, source="a"), created_at=LATER)
    assert flywheel(base).store(again).result == "stored", "it is said anew"
    assert base.items[old.id] == replace(again, helped={"a": 3})


def test_who_vouches_for_what_has_expired_brings_it_back() -> None:
    one = replace(item(REFUNDS, 0.9), expires_at=AT)
    base = MemoryBase([one])
    flywheel(base).confirm(one, "ann", LATER)
    assert base.search(Wanted(query="refunds", at=LATER))
    assert base.items[one.id].expires_at is None


def test_an_item_expires() -> None:
    one = replace(item(REFUNDS, 0.9), expires_at=LATER)
    assert fits(one, Wanted(query="", at=AT))
    assert not fits(one, Wanted(query="", at=LATER))


def test_items_come_back_from_json() -> None:
    one = replace(item(REFUNDS, 0.9), helped={"a": 2}, expires_at=LATER, title="Refunds")
    assert KnowledgeItem.load(one.dump()) == one


OFFERED = {"k-000000000001": REFUNDS, "k-000000000002": TRAVEL}


def test_cited_by_id() -> None:
    assert cited(OFFERED, "as k-000000000002 says") == {"k-000000000002"}


def test_cited_by_a_distinctive_span() -> None:
    assert cited(OFFERED, "It needs the approval of a team lead.") == {"k-000000000001"}


@pytest.mark.parametrize(
    ("said", "found"), [("copper kettle whistles", False), ("a copper kettle whistles softly", True)]
)
def test_a_span_is_four_terms_in_a_row(said: str, found: bool) -> None:
    assert bool(cited({"k-000000000001": "Every copper kettle whistles softly."}, said)) is found


@pytest.mark.parametrize(("said", "found"), [("471", False), ("4711", True)])
def test_a_value_tells_by_itself_from_four_characters_on(said: str, found: bool) -> None:
    assert bool(cited({"k-000000000001": f"It is {said}."}, f"so {said}")) is found


def test_cited_by_a_value_of_its_own() -> None:
    assert cited({"k-000000000003": "Call line 0800-5512 for help"}, "call 0800-5512") == {"k-000000000003"}


def test_words_shared_by_chance_are_no_citation() -> None:
    assert not cited(OFFERED, "The team travels in weeks.")


def test_what_the_task_says_itself_is_no_citation() -> None:
    task = "Does it need the approval of a team lead within 14 days?"
    assert not cited(OFFERED, "approval of a team lead within 14 days", [task])


def test_what_two_items_say_tells_of_neither() -> None:
    both = {"k-000000000001": REFUNDS, "k-000000000002": f"Note: {REFUNDS}"}
    assert not cited(both, "need the approval of a team lead")


def test_an_id_that_was_not_offered_is_none() -> None:
    assert not cited(OFFERED, "see k-0000000000ff")
