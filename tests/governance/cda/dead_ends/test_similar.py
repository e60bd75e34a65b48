"""Similar texts are found by their rarest features: all of them, at a cost that does not grow with their number."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.cda.dead_ends import similar
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.cda.dead_ends.similar import Likeness, SimilarTexts
from tests.governance.cda.dead_ends.attempts import at, fail, search

WORDS = st.sampled_from(["order", "refund", "card", "A-17", "A-18", "not", "payment", "late", "report", "the"])
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(TEXTS, max_size=12), TEXTS, st.sampled_from([0.5, 0.82, 0.95]))
def test_the_same_are_found_as_by_comparing_with_all(texts: list[str], wanted: str, least: float) -> None:
    found = SimilarTexts()
    for number, text in enumerate(texts):
        found.add(str(number), text)
    likeness = Likeness.of(wanted)
    expected = {str(n): likeness.similarity(Likeness.of(text)) for n, text in enumerate(texts)}
    expected = {id: score for id, score in expected.items() if score >= least}
    assert {id: score for score, id in found.like(wanted, least)} == expected


def test_what_is_removed_is_not_found() -> None:
    found = SimilarTexts()
    found.add("1", "a report of late payments")
    found.remove("1")
    assert found.like("a report of late payments", 0.5) == []
    assert found._holding == {}


def test_a_match_compares_no_more_texts_where_there_are_more(monkeypatch: object) -> None:
    compared: list[int] = []
    registry = DeadEndRegistry()
    original = similar.Likeness.similarity

    def counting(self: Likeness, other: Likeness) -> float:
        compared[-1] += 1
        return original(self, other)

    similar.Likeness.similarity = counting  # type: ignore[method-assign]
    try:
        for size in (50, 1_000):
            while len(registry.list()) < size:
                fail(registry, search(f"report number {len(registry.list())} of the customers"))
            compared.append(0)
            registry.match(search("report number 7 of the customers of Bern"), at())
    finally:
        similar.Likeness.similarity = original  # type: ignore[method-assign]
    assert compared[1] <= max(compared[0], similar._MOST_CANDIDATES)
