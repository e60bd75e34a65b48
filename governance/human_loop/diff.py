"""Word-level differences between two texts, as hunks that a person can accept one by one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

# Chinese, Japanese and Korean write no spaces between words, so there a character is a word: kana, bopomofo,
# the ideographs with their extensions, hangul, and their punctuation and full-width forms.
_CJK: Final = "\u3000-\u30ff\u3100-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_WORDS: Final = re.compile(rf"[{_CJK}\U00020000-\U0003ffff]|\s+|[^\W{_CJK}\U00020000-\U0003ffff]+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change: `removed`, which stands at code points `start` to `end` of the text before, becomes `added`."""

    start: int
    end: int
    removed: str
    added: str


def word_diff(before: str, after: str) -> list[Hunk]:
    """The hunks that turn `before` into `after`, in order, without overlap; none where they are equal."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    offsets = [0]
    for word in old:
        offsets.append(offsets[-1] + len(word))
    head, old_end, new_end = _changed_middle(old, new)
    # White space stands between all words: as an anchor it would tie unrelated words together, and cost n * m.
    matcher = SequenceMatcher(str.isspace, old[head:old_end], new[head:new_end])
    return [
        Hunk(
            offsets[head + i1],
            offsets[head + i2],
            "".join(old[head + i1 : head + i2]),
            "".join(new[head + j1 : head + j2]),
        )
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]


def apply(before: str, hunks: Sequence[Hunk], accepted: Collection[int]) -> str:
    """`before` with the hunks whose positions in `hunks` are in `accepted`; the others stay as they were.

    Raises ValueError where a hunk is not of this text.
    """
    parts, position = [], 0
    for number, hunk in enumerate(hunks):
        if hunk.start < position or before[hunk.start : hunk.end] != hunk.removed:
            raise ValueError(f"hunk {number} does not belong to this text: {hunk.removed!r} at {hunk.start}")
        parts.append(before[position : hunk.start])
        parts.append(hunk.added if number in accepted else hunk.removed)
        position = hunk.end
    return "".join([*parts, before[position:]])


def _changed_middle(old: Sequence[str], new: Sequence[str]) -> tuple[int, int, int]:
    """Where the two differ at first, and the ends of both without their common tail."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, len(old) - tail, len(new) - tail
