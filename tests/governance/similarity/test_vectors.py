from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.similarity.vectors import TextVector, text_similarity

SAME = 0.9
"""Above this two pieces of knowledge count as one."""


@given(st.text(), st.text())
def test_symmetric_and_in_range(a: str, b: str) -> None:
    similarity = text_similarity(a, b)
    assert 0.0 <= similarity <= 1.0
    assert similarity == text_similarity(b, a)


@given(st.text(min_size=1))
def test_equal_text_is_wholly_alike(text: str) -> None:
    assert text_similarity(text, text) == 1.0


def test_empty_text_is_like_nothing() -> None:
    assert text_similarity("", "") == 0.0
    assert text_similarity("", "refund") == 0.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Refunds are limited to 500 EUR for gold members.", "Refunds are limited to 500 EUR for the gold members"),
        ("退款限额为五百元", "退款限额为五百元。"),
        ("ORDER A-17 was approved", "order a-17 was approved."),
    ],
)
def test_near_copies_count_as_one(a: str, b: str) -> None:
    assert text_similarity(a, b) > SAME


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Refunds are limited to 500 EUR for gold members.", "Refunds are limited to 600 EUR for gold members."),
        ("The transfer was approved by the board.", "The transfer was not approved by the board."),
        ("move the stock from hall A-1 to hall B-2", "move the stock from hall B-2 to hall A-1"),
        ("申请已批准", "申请未批准"),
        ("Payment is due in thirty days.", "The walnut tree stands behind the schoolhouse."),
    ],
)
def test_different_facts_do_not_count_as_one(a: str, b: str) -> None:
    assert text_similarity(a, b) < SAME


def test_one_number_among_many_words_keeps_texts_apart() -> None:
    words = " ".join(f"word{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(200))
    assert text_similarity(f"{words} limit 500", f"{words} limit 600") < SAME


def test_a_vector_is_the_same_in_another_process() -> None:
    program = (
        "from governance.similarity.vectors import TextVector; print(TextVector.of('refund of order A-17').weights)"
    )
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == str(TextVector.of("refund of order A-17").weights)


def test_importing_and_using_it_leaves_numpy_alone() -> None:
    program = (
        "import sys; from governance.similarity.index import Bm25Index; from governance.similarity.vectors import "
        "text_similarity; index = Bm25Index(); index.add('a', 'refund'); index.top('refund', 1); "
        "text_similarity('a b', 'b a'); sys.exit('numpy' in sys.modules or 'sklearn' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
