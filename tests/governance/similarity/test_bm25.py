from __future__ import annotations

from math import log

import pytest

from governance.similarity.bm25 import bm25_scores

TEXTS = [
    "The payment gateway's certificate expired at night.",
    "Payments by invoice are due within thirty days.",
    "The walnut tree stands behind the schoolhouse.",
]


def test_the_text_that_answers_comes_first() -> None:
    scores = bm25_scores("which certificate has expired on the gateway", TEXTS)
    assert scores[0] > scores[1]
    assert scores[2] == 0.0


def test_a_score_by_hand() -> None:
    # One query term, held once by one of two texts of equal length: idf * tf * (k1 + 1) / (tf + k1) = idf.
    assert bm25_scores("walnut", ["walnut tree", "apple tree"]) == pytest.approx([log(1 + 1.5 / 1.5), 0.0])


def test_rare_words_weigh_more_than_common_ones() -> None:
    texts = ["order refund", "order delivery", "order delivery"]
    assert bm25_scores(["order", "refund"], texts)[0] > 2 * bm25_scores(["order"], texts)[0]


def test_repetition_saturates() -> None:
    once, often = bm25_scores("refund", ["refund " + "filler " * 19, "refund " * 20])
    assert once < often < 4 * once


@pytest.mark.parametrize("query", ["", "the of and", "zebra"])
def test_a_query_without_hits_scores_nothing(query: str) -> None:
    assert bm25_scores(query, TEXTS) == [0.0, 0.0, 0.0]


def test_no_texts_no_scores() -> None:
    assert bm25_scores("refund", []) == []
    assert bm25_scores("refund", ["", "the"]) == [0.0, 0.0]
