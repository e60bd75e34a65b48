"""What kind of answer a question asks for, and who can give it (Design: CDA, QTS)."""

from __future__ import annotations

import pytest

from governance.cda.asked import Kind, addresses, asking, held, of_oneself, only_asks, wanted
from governance.cda.memory import CdaMemory
from governance.cda.settings import CdaSettings


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("When did the pump fail?", {Kind.TIME}),
        ("Which month was it in?", {Kind.TIME}),
        ("How many pallets are missing?", {Kind.NUMBER}),
        ("Who signed the order, and why?", {Kind.NAME, Kind.REASON}),
        ("Where does the carrier unload?", {Kind.NAME}),
        ("The pump stopped. When was that?", {Kind.TIME}),
        ("how old is the valve", {Kind.NUMBER}),
        ("\u8c01\u7b7e\u4e86\u5408\u540c\uff0c\u4ec0\u4e48\u65f6\u5019\uff1f", {Kind.TIME}),
        ("Tell the carrier when the pump fails", set()),
        ("restart the pump", set()),
        ("", set()),
    ],
)
def test_a_question_asks_for_kinds_of_answers(query: str, kinds: set[Kind]) -> None:
    assert wanted(query) == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("It stopped on Monday", {Kind.TIME, Kind.NAME}),
        ("It stopped three times", {Kind.NUMBER}),
        ("Ask Berta for the key", {Kind.NAME}),
        ("Nothing new", set()),
        ("it failed because of dust", {Kind.REASON}),
        ("we may start now", set()),
        ("\u661f\u671f\u4e09", {Kind.TIME, Kind.NUMBER}),
    ],
)
def test_a_text_holds_kinds_of_answers(text: str, kinds: set[Kind]) -> None:
    assert held(text) == kinds


@pytest.mark.parametrize("text", ["And you?", "really?!?", 'she said "why?"', "\u597d\u5417\uff1f"])
def test_a_text_may_only_ask(text: str) -> None:
    assert only_asks(text)


def test_a_text_that_goes_on_after_its_question_tells() -> None:
    assert not only_asks("Why? Because of the dust.")


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("And you?", 1.0), ("The pump drips. Is yours well?", 0.5), ("Good. Why? No", 0.0), ("", 0.0),
        ("\u597d\u5417\uff1f", 1.0), ('It is. She said "why?"', 0.73),
    ],
)  # fmt: skip
def test_a_text_that_tells_and_then_asks_asks_in_part(text: str, share: float) -> None:
    assert asking(text) == pytest.approx(share, abs=0.03)


def test_who_tells_something_and_asks_in_return_goes_before_who_tells_nothing_of_it() -> None:
    filler = [f"entry {number} is about barrel {number * 37}" for number in range(12)]
    told = "The pump drips oil near the north door of the hall since Monday. Is yours well?"
    texts = (*filler[:6], told, *filler[6:], "The pump is loud. I sold the oil.")
    assert best_of("where does the pump drip oil?", *texts) == "e6"


@pytest.mark.parametrize(
    ("text", "oneself", "addressed"),
    [
        ("I moved", True, False), ("My cat and yours", True, True), ("How is your flat?", False, True),
        ("It drips; USB is in", False, False), ("\u6211\u6765\u4e86", True, False), ("\u4f60\u597d", False, True),
    ],
)  # fmt: skip
def test_a_text_speaks_of_its_speaker_or_of_whom_it_is_said_to(text: str, oneself: bool, addressed: bool) -> None:
    assert (of_oneself(text), addresses(text)) == (oneself, addressed)


def best_of(query: str, *texts: str) -> str:
    memory = CdaMemory("s", CdaSettings(zones="on"))
    for number, text in enumerate(texts):
        memory.append_turn([{"role": "user", "content": text, "id": f"e{number}"}])
    scored = memory.score(query)
    return max(scored, key=lambda id: scored[id])


def test_of_two_turns_on_the_same_the_one_that_names_a_day_answers_when() -> None:
    assert best_of("When did the pump stop?", "the pump did stop again", "the pump did stop on Friday") == "e1"


def test_of_two_turns_on_the_same_the_one_that_tells_goes_before_the_one_that_asks() -> None:
    assert best_of("What did the pump do?", "what did the pump do?", "the pump did drip oil on the floor") == "e1"


def test_that_it_asks_in_return_counts_more_for_what_is_hit_less() -> None:
    def kept(*others: str) -> float:
        scores = []
        for end in "?.":
            memory = CdaMemory("s", CdaSettings(zones="on"))
            for number, text in enumerate([f"the pump drips. is yours well{end}", *others]):
                memory.append_turn([{"role": "user", "content": text, "id": f"e{number}"}])
            scores.append(memory.score("who says the pump drips black oil?")["e0"])
        return scores[0] / scores[1]

    assert kept() == pytest.approx(0.75, abs=0.05)
    assert 0.5 < kept("black oil ran out of the old pump, it drips, who says not") < kept() - 0.02


@pytest.mark.parametrize(("query", "keeps"), [("the pump drips oil", 1.0), ("who says the pump drips oil?", 0.5)])
def test_what_asks_counts_less_only_where_something_is_asked(query: str, keeps: float) -> None:
    def scored(text: str) -> float:
        memory = CdaMemory("s", CdaSettings(zones="on"))
        memory.append_turn([{"role": "user", "content": text, "id": "e0"}])
        return memory.score(query)["e0"]

    assert scored("the pump drips oil?") == pytest.approx(keeps * scored("the pump drips oil."))
