"""How much each sentence of a text matters: to a query, beside its neighbours, and by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise

from governance.similarity.bm25 import bm25_scores
from governance.summaries.characters import CJK_CLAUSE_ENDS
from governance.summaries.sentences import Span

_NEAR, _SECOND = 0.35, 0.15
"""What a sentence takes over of the relevance of the better of its neighbours, and of theirs."""
_ACROSS = 0.5
"""How much of that passes from one paragraph to the next."""
_ANTECEDENT = 0.3
"""What a sentence takes over besides if the next one starts by pointing back to it."""
_HEADING = 0.9
"""What a heading takes over of the line below it."""
_FIRST, _PARAGRAPH, _LAST, _FIGURES, _OUTCOME = 0.15, 0.06, 0.06, 0.06, 0.12
"""What counts by itself: the first sentence of the text or of a paragraph, the last one, figures, outcomes."""
_BESIDE_QUERY = 0.5
"""Share of the above that is left where something answers the query."""
_FRAGMENT = 20
"""What is shorter (bytes of UTF-8) says something only in its paragraph: an answer "Yes.", not a "Kind regards,"."""

_POINTS_BACK = re.compile(
    r"(?:it|this|that|these|those|they|he|she|such|however|therefore|but|so|then|both|neither)\b|[它他她其该此这那因但而]",
    re.IGNORECASE,
).match
_STATES_OUTCOME = re.compile(
    r"\b(?:decision|decided|conclu\w+|results?|therefore|recommend\w*|in summary|must|agreed|root cause|because)\b"
    r"|结论|决定|决议|因此|建议|原因|必须|结果",
    re.IGNORECASE,
).search
_HAS_FIGURE = re.compile(r"\d").search
_IS_HEADING = re.compile(rf"#{{1,6}}\s|.{{1,80}}[:{CJK_CLAUSE_ENDS[1]}]$").match
_IS_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:-]*)+$").match


def sentence_scores(text: str, spans: Sequence[Span], query: str | Sequence[str]) -> list[float]:
    """Return for each span how much it matters for ``query`` (text or terms); the best answer has about 1."""
    pieces = [text[span.start : span.end] for span in spans]
    relevance = bm25_scores(query, pieces)
    best = max(relevance, default=0.0)
    if best > 0.0:
        relevance = [score / best for score in relevance]
    starts = [at == 0 or "\n\n" in text[spans[at - 1].end : spans[at].start] for at in range(len(spans))]
    own = _own_scores(pieces, starts)
    beside = _neighbour_scores(relevance, pieces, starts)
    share = _BESIDE_QUERY if best > 0.0 else 1.0
    scores = [sum(parts) for parts in zip(relevance, beside, (share * mine for mine in own), strict=True)]
    _lift_headings(scores, pieces)
    return scores


def _own_scores(pieces: Sequence[str], starts: Sequence[bool]) -> list[float]:
    scores = []
    for at, piece in enumerate(pieces):
        score = 0.0
        if not _is_fragment(piece):
            score += _FIRST if at == 0 else _PARAGRAPH if starts[at] else 0.0
            score += _LAST if at == len(pieces) - 1 else 0.0
            score += _FIGURES if _HAS_FIGURE(piece) else 0.0
            score += _OUTCOME if _STATES_OUTCOME(piece) else 0.0
        scores.append(score)
    return scores


def _neighbour_scores(relevance: Sequence[float], pieces: Sequence[str], starts: Sequence[bool]) -> list[float]:
    last = len(pieces) - 1
    scores = []
    for at in range(len(pieces)):
        across = 0.0 if _is_fragment(pieces[at]) else _ACROSS
        before = relevance[at - 1] * (across if starts[at] else 1.0) if at else 0.0
        after = relevance[at + 1] * (across if starts[at + 1] else 1.0) if at < last else 0.0
        second = relevance[at - 2] if at > 1 and not starts[at] and not starts[at - 1] else 0.0
        if at < last - 1 and not starts[at + 1] and not starts[at + 2]:
            second = max(second, relevance[at + 2])
        score = _NEAR * max(before, after) + _SECOND * second
        if after and _POINTS_BACK(pieces[at + 1]):
            score += _ANTECEDENT * after
        scores.append(score)
    return scores


def _is_fragment(piece: str) -> bool:
    return len(piece) < _FRAGMENT and len(piece.encode("utf-8", "surrogatepass")) < _FRAGMENT


def headings(pieces: Sequence[str]) -> dict[int, range]:
    """Return the positions of headings and of the heads of tables, each with the positions of what stands below it."""
    heads = {at: range(at + 1, len(pieces)) for at, piece in enumerate(pieces) if _IS_HEADING(piece)}
    for at, following in pairwise(heads):
        heads[at] = range(at + 1, following)
    for in_table, group in groupby(range(len(pieces)), key=lambda at: pieces[at].startswith("|")):
        rows = list(group)
        if in_table and len(rows) > 2 and _IS_TABLE_RULE(pieces[rows[1]]):
            heads[rows[0]] = heads[rows[1]] = range(rows[2], rows[-1] + 1)
    return heads


def _lift_headings(scores: list[float], pieces: Sequence[str]) -> None:
    """Give headings a share in the line below them, and the heads of tables what their best row has."""
    for at, below in sorted(headings(pieces).items(), reverse=True):
        if _IS_HEADING(pieces[at]):
            scores[at] = max(scores[at], _HEADING * max((scores[under] for under in below[:1]), default=0.0))
        else:
            scores[at] = max(scores[under] for under in below)
