from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.tokens import EstimatingCounter, TokenCounter

CORPUS = Path(__file__).parent / "corpus"
COUNTS: dict[str, list[int]] = json.loads((CORPUS / "counts.json").read_text(encoding="utf-8"))["counts"]
COUNTER: TokenCounter = EstimatingCounter()


def snippets(part: str) -> list[str]:
    text = (CORPUS / f"{part}.txt").read_text(encoding="utf-8")
    return [snippet.rstrip("\n") for snippet in text.split("\n=====\n")]


@pytest.mark.parametrize("part", sorted(COUNTS))
def test_each_part_is_within_fifteen_percent_in_total(part: str) -> None:
    texts = snippets(part)
    assert len(texts) == len(COUNTS[part]) >= 10
    estimated = sum(COUNTER.count(text) for text in texts)
    assert estimated == pytest.approx(sum(COUNTS[part]), rel=0.15)


@pytest.mark.parametrize("part", sorted(COUNTS))
def test_no_snippet_is_off_by_a_quarter(part: str) -> None:
    for text, true in zip(snippets(part), COUNTS[part], strict=True):
        assert COUNTER.count(text) == pytest.approx(true, rel=0.25), text


def test_the_whole_corpus_is_within_five_percent() -> None:
    estimated = sum(COUNTER.count(text) for part in COUNTS for text in snippets(part))
    assert estimated == pytest.approx(sum(map(sum, COUNTS.values())), rel=0.05)


def test_empty_text_has_no_tokens() -> None:
    assert COUNTER.count("") == 0


@given(st.text(min_size=1))
def test_every_text_has_at_least_one_and_at_most_three_tokens_a_character(text: str) -> None:
    assert 1 <= COUNTER.count(text) <= 3 * len(text)


@given(st.sampled_from("a9A .\n\t-é中あ한🎉ж"), st.integers(min_value=1, max_value=300))
def test_more_of_the_same_character_never_counts_less_by_more_than_one_run(character: str, length: int) -> None:
    # Runs of five lower-case letters or four marks are cheaper than their parts, never below what stood before by 3.
    assert COUNTER.count(character * (length + 1)) >= COUNTER.count(character * length) - 3


def test_lone_surrogates_are_counted() -> None:
    assert COUNTER.count("\ud800") == 1
