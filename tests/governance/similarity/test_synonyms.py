"""Words that are used for one another."""

from __future__ import annotations

from governance.similarity.index import Bm25Index
from governance.similarity.stemming import stem
from governance.similarity.synonyms import related


def index(*texts: str) -> Bm25Index:
    found = Bm25Index()
    for number, text in enumerate(texts):
        found.add(str(number), text)
    return found


def test_words_of_a_group_are_related_both_ways_and_none_to_itself() -> None:
    assert stem("apartment") in related(stem("house"))
    assert stem("house") in related(stem("apartment"))
    assert stem("house") not in related(stem("house"))


def test_a_word_of_no_group_is_related_to_nothing() -> None:
    assert related("zyx-17") == frozenset()


def test_a_related_word_is_found_where_it_is_asked_for() -> None:
    held = index("she signed for the apartment", "the pump drips")
    assert held.top("which house", 5) == []
    assert [id for id, _ in held.top("which house", 5, related=0.35)] == ["0"]


def test_the_word_itself_counts_more_than_one_for_it() -> None:
    held = index("she signed for the apartment", "she signed for the house")
    [(first, most), (_, less)] = held.top("house", 5, related=0.35)
    assert first == "1"
    assert most > 2 * less
