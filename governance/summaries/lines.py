"""Summaries of logs, code and listings: whole lines in their order, those that matter to a query or report trouble."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from governance.similarity.bm25 import bm25_scores
from governance.summaries.clipping import ELLIPSIS, clip
from governance.summaries.notes import left_out

_LONGEST_LINE = 240
_NOTE_ROOM = 40
_GAP = len(ELLIPSIS) + 1
_FIRST, _LAST, _WARNING, _TROUBLE = 0.3, 0.35, 0.3, 0.7
"""What a line counts by itself, against 1 for the best answer to the query."""
_BEFORE, _AFTER, _SECOND_AFTER = 0.3, 0.5, 0.25
"""What the lines around a line take over of what it counts; what follows an error explains it."""

_REPORTS_TROUBLE = re.compile(
    r"\b(?:error|fatal|critical|panic|exception|traceback|fail(?:ed|ures?|s)?|denied|refused|abort(?:ed)?|killed)\b"
    r"|[a-z](?:Error|Exception)\b|错误|失败|异常|拒绝|超时",
    re.IGNORECASE,
).search
_WARNS = re.compile(
    r"\b(?:warn(?:ing)?|deprecated|timed? ?out|retry(?:ing)?|skipped)\b|警告|重试", re.IGNORECASE
).search
_HANDLES_TROUBLE = re.compile(
    r"\b(?:raise|except|catch|throws?)\b"
    r"|^\s*(?:\d+[:|]\s*)?(?:#|//|/?\*|(?:class|def|from|if|elif|import|return)\b)"
).search
"""Code and comments that speak of errors report none."""
_FIGURES = re.compile(r"\w*\d\w*")


def summarise_lines(text: str, query: str | Sequence[str], limit: int) -> str:
    """Return the lines of ``text`` that matter for ``query`` (text or terms), within ``limit`` code points.

    An ellipsis stands where lines are left out, the last line says how many; a very long line is cut at a word's end.
    """
    if len(text) <= limit:
        return text
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    room = limit - min(_NOTE_ROOM, limit // 3)
    shown = [clip(line, min(_LONGEST_LINE, room - 2 * _GAP)) for line in lines]
    chosen = _choose(shown, _scores(lines, query), room)
    if not chosen:
        return clip(text.strip(), limit)
    parts = [ELLIPSIS] if chosen[0] > 0 else []
    for before, at in pairwise([chosen[0] - 1, *chosen]):
        parts.extend([ELLIPSIS] * (at > before + 1 and before >= chosen[0]))
        parts.append(shown[at])
    summary = "\n".join(parts)
    if len(chosen) == len(lines):
        return summary
    note = left_out(len(lines) - len(chosen), len(lines), "lines", limit - len(summary) - 1)
    return f"{summary}\n{note}" if note else summary


def _scores(lines: Sequence[str], query: str | Sequence[str]) -> list[float]:
    scores = bm25_scores(query, lines)
    best = max(scores)
    for at, line in enumerate(lines):
        own = _TROUBLE if _REPORTS_TROUBLE(line) else _WARNING if _WARNS(line) else 0.0
        own = 0.0 if own and _HANDLES_TROUBLE(line) else own
        own += _FIRST if at == 0 else _LAST if at == len(lines) - 1 else 0.0
        scores[at] = (scores[at] / best if best > 0.0 else 0.0) + own
    around = [0.0, 0.0, *scores, 0.0]
    return [
        max(score, _AFTER * around[at + 1], _SECOND_AFTER * around[at], _BEFORE * around[at + 3])
        for at, score in enumerate(scores)
    ]


def _choose(shown: Sequence[str], scores: Sequence[float], room: int) -> list[int]:
    """Return the numbers of the lines to keep, ascending; lines that differ in figures only come last."""
    chosen: list[int] = []
    alike: list[int] = []
    seen: set[str] = set()
    room -= _GAP
    ranked = sorted(range(len(shown)), key=lambda at: (-scores[at], at))
    for ranking in (ranked, alike):
        for at in ranking:
            cost = len(shown[at]) + 1 + _GAP
            if cost > room or shown[at] == ELLIPSIS:
                continue
            form = _FIGURES.sub("#", shown[at])
            if ranking is ranked and form in seen:
                alike.append(at)
                continue
            seen.add(form)
            chosen.append(at)
            room -= cost
    return sorted(chosen)
