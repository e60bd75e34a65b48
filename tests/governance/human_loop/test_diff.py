"""Word-level diffs: what a hunk is, and that hunks can be accepted in any selection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.human_loop.diff import Hunk, apply, word_diff

words = st.sampled_from(["alpha", "beta", " ", "\n", ",", "数", "据", "x1", "é", "。", "한", "𠀀"])
texts = st.one_of(st.text(max_size=40), st.lists(words, max_size=40).map("".join))


@given(texts, texts)
def test_accepting_all_gives_the_text_after_and_none_the_text_before(before: str, after: str) -> None:
    hunks = word_diff(before, after)
    assert apply(before, hunks, range(len(hunks))) == after
    assert apply(before, hunks, ()) == before
    assert bool(hunks) == (before != after)


@given(texts, texts, st.data())
def test_each_accepted_hunk_changes_its_place_only(before: str, after: str, data: st.DataObject) -> None:
    hunks = word_diff(before, after)
    accepted = data.draw(st.sets(st.sampled_from(range(len(hunks))))) if hunks else set()
    result = apply(before, hunks, accepted)
    rest = [hunk for number, hunk in enumerate(hunks) if number not in accepted]
    shift, moved = 0, []
    for number, hunk in enumerate(hunks):
        if number in accepted:
            shift += len(hunk.added) - len(hunk.removed)
        else:
            moved.append(Hunk(hunk.start + shift, hunk.end + shift, hunk.removed, hunk.added))
    assert len(moved) == len(rest)
    assert apply(result, moved, range(len(moved))) == after


def test_words_change_whole() -> None:
    assert word_diff("restart the primary database", "restart a replica database") == [
        Hunk(8, 19, "the primary", "a replica")
    ]


def test_chinese_changes_by_character() -> None:
    assert word_diff("数据库连接超时", "数据库连接失败") == [Hunk(5, 7, "超时", "失败")]


def test_one_hunk_of_two() -> None:
    before, after = "pool size 20, timeout 5 s", "pool size 40, timeout 9 s"
    hunks = word_diff(before, after)
    assert [(hunk.removed, hunk.added) for hunk in hunks] == [("20", "40"), ("5", "9")]
    assert apply(before, hunks, {1}) == "pool size 20, timeout 9 s"


def test_hunks_of_another_text_are_refused() -> None:
    hunks = word_diff("one two", "one three")
    with pytest.raises(ValueError, match="hunk 0 does not belong to this text: 'two' at 4"):
        apply("one four", hunks, {0})


def test_hunks_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="hunk 1 does not belong"):
        apply("one two", [Hunk(0, 7, "one two", "x"), Hunk(4, 7, "two", "y")], {0, 1})
