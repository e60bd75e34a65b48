from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.similarity import index as index_module
from governance.similarity.bm25 import bm25_scores
from governance.similarity.index import Bm25Index

WORDS = ["order", "refund", "gateway", "A-17", "支付网关", "delivery", "flight_number", "the", "2026-05-16"]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
ids = st.sampled_from("abcdefgh")
changes = st.lists(st.tuples(ids, st.none() | texts), max_size=40)


def held_after(steps: list[tuple[str, str | None]]) -> tuple[Bm25Index, dict[str, str]]:
    index, held = Bm25Index(), dict[str, str]()
    for id, text in steps:
        if text is not None:
            index.add(id, text)
            held[id] = text
        elif id in held:
            index.remove(id)
            del held[id]
    return index, held


@given(changes, texts)
def test_after_any_changes_it_equals_a_fresh_index(steps: list[tuple[str, str | None]], query: str) -> None:
    index, held = held_after(steps)
    fresh = Bm25Index()
    for id in sorted(held):
        fresh.add(id, held[id])
    assert index.score(query) == fresh.score(query)
    assert index.top(query, 3) == fresh.top(query, 3)
    assert len(index) == len(held)


@given(changes, texts)
def test_it_scores_like_a_set_of_texts(steps: list[tuple[str, str | None]], query: str) -> None:
    index, held = held_after(steps)
    expected = dict(zip(held, bm25_scores(query, list(held.values())), strict=True))
    assert index.score(query) == {id: score for id, score in expected.items() if score > 0.0}


@given(changes, texts, st.sets(ids | st.just("unknown")))
def test_given_ids_score_as_among_all(steps: list[tuple[str, str | None]], query: str, given_ids: set[str]) -> None:
    index, _ = held_after(steps)
    everything = index.score(query)
    assert index.score(query, given_ids) == {id: everything[id] for id in given_ids & everything.keys()}


@given(changes, texts, st.integers(min_value=0, max_value=10))
def test_top_is_the_head_of_all_scores(steps: list[tuple[str, str | None]], query: str, limit: int) -> None:
    index, _ = held_after(steps)
    ranked = sorted(index.score(query).items(), key=lambda item: (-item[1], item[0]))
    assert index.top(query, limit) == ranked[:limit]


def test_many_hits_score_the_same_in_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    index = Bm25Index()
    for number in range(600):
        index.add(f"entry-{number}", " ".join(chance.choices(WORDS, k=chance.randrange(1, 30))))
    for number in range(0, 600, 7):
        index.remove(f"entry-{number}")
    query = "refund of order A-17 on 2026-05-16"
    few_ways = index.score(query), [index.top(query, limit) for limit in (0, 1, 50, 9999)]
    monkeypatch.setattr(index, "_arrays_from", 0)
    assert (index.score(query), [index.top(query, limit) for limit in (0, 1, 50, 9999)]) == few_ways


@pytest.mark.parametrize("seed", range(12))
def test_the_best_are_the_same_when_common_terms_are_looked_up_late(seed: int) -> None:
    chance = random.Random(seed)
    words = [f"word{number}" for number in range(400)]
    index, plain = Bm25Index(), Bm25Index()
    for number in range(1_500):
        text = " ".join(words[int(400 ** chance.random()) - 1] for _ in range(chance.randrange(1, 25)))
        index.add(f"entry-{number}", text)
        plain.add(f"entry-{number}", text)
    for number in range(0, 1_500, 5):
        index.remove(f"entry-{number}")
        plain.remove(f"entry-{number}")
    index._arrays_from, plain._arrays_from = 0, 1 << 30
    for limit in (1, 7, 60, 500):
        query = " ".join(words[int(400 ** chance.random()) - 1] for _ in range(10))
        assert index.top(query, limit) == plain.top(query, limit)


def test_arrays_are_used_from_few_hits_on_once_they_are_there() -> None:
    index = Bm25Index()
    for number in range(index_module._MANY_HITS):
        index.add(f"entry-{number}", "order" if number % 10 else "order refund")
    assert index._arrays_from == index_module._MANY_HITS
    index.top("order", 3)
    assert index._arrays_from == index_module._WORTH_ARRAYS
    assert index.top("refund", 500) == sorted(index.score("refund").items(), key=lambda each: (-each[1], each[0]))


def test_only_what_the_query_hits_is_scored() -> None:
    index = Bm25Index()
    index.add("policy", "refunds within thirty days")
    index.add("tree", "a walnut tree")
    assert index.score("refund the order").keys() == {"policy"}


def test_adding_again_replaces() -> None:
    index = Bm25Index()
    index.add("note", "walnut")
    index.add("note", "gateway")
    assert "note" in index
    assert index.score("walnut") == {}
    assert index.score("gateway").keys() == {"note"}


def test_removing_what_is_not_held_is_an_error() -> None:
    with pytest.raises(KeyError):
        Bm25Index().remove("note")


def test_an_empty_index_scores_nothing() -> None:
    index = Bm25Index()
    assert index.score("refund") == {}
    assert index.score("refund", ["note"]) == {}
    assert index.top("refund", 5) == []


def test_a_text_is_found_by_what_stands_around_it_and_less_so() -> None:
    index = Bm25Index()
    index.add("own", "the pump drips")
    index.add("beside", "it drips", "the pump", 0.5)
    index.add("none", "it drips")
    scored = index.score("pump")
    assert scored.keys() == {"own", "beside"}
    assert scored["own"] > scored["beside"]
    index.remove("beside")
    assert index.score("pump").keys() == {"own"}
