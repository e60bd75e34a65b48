"""Summaries of prose: its best sentences for a query with their neighbours, verbatim and in their order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from governance.summaries.clipping import ELLIPSIS, clip
from governance.summaries.relevance import headings, sentence_scores
from governance.summaries.sentences import Span, sentences, starts_line

_LONGEST_SENTENCE = 300
_GAP = 3
"""Code points that a cut takes at most: the ellipsis and white space around it."""
_TOO_LITTLE_ROOM = 10


def summarise_prose(text: str, query: str | Sequence[str], limit: int) -> str:
    """Return the sentences of ``text`` that tell most about ``query`` (text or terms), within ``limit`` code points.

    An ellipsis stands where something is left out. Without a hit the beginnings, figures and outcomes are kept.
    """
    if len(text) <= limit:
        return text
    spans = sentences(text, max(_TOO_LITTLE_ROOM, min(_LONGEST_SENTENCE, limit - 2 * _GAP)))
    scores = sentence_scores(text, spans, query)
    chosen = _choose(text, spans, scores, limit)
    bare = _bare_headings(text, spans, chosen)
    if bare:
        chosen = _choose(text, spans, [0.0 if at in bare else score for at, score in enumerate(scores)], limit)
        chosen -= _bare_headings(text, spans, chosen)
    return _join(text, spans, sorted(chosen)) if chosen else clip(text.strip(), limit)


def _choose(text: str, spans: Sequence[Span], scores: Sequence[float], limit: int) -> set[int]:
    """Return the numbers of the spans to keep: the best first, as long as they fit with their cuts."""
    chosen: set[int] = set()
    seen: set[str] = set()
    room = limit - _GAP
    for at in sorted(range(len(spans)), key=lambda at: (-scores[at], at)):
        if room < _TOO_LITTLE_ROOM or scores[at] <= 0.0:
            break
        piece = text[spans[at].start : spans[at].end]
        cost = len(piece) + _GAP
        for left, right in ((at - 1, at), (at, at + 1)):
            if left in chosen or right in chosen:
                cost += spans[right].start - spans[left].end - _GAP
        if cost <= room and piece not in seen:
            chosen.add(at)
            seen.add(piece)
            room -= cost
    return chosen


def _bare_headings(text: str, spans: Sequence[Span], chosen: Collection[int]) -> set[int]:
    """Return the headings among the chosen below which nothing is chosen."""
    below = headings([text[span.start : span.end] for span in spans])
    return {at for at, under in below.items() if at in chosen and not any(number in chosen for number in under)}


def _join(text: str, spans: Sequence[Span], chosen: Sequence[int]) -> str:
    parts = [ELLIPSIS + _space(text, spans[chosen[0]])] if chosen[0] > 0 else []
    for at, following in pairwise([*chosen, len(spans)]):
        parts.append(text[spans[at].start : spans[at].end])
        if following == len(spans):
            if at < len(spans) - 1:
                parts.append(f" {ELLIPSIS}" if parts[-1][-1].isascii() else ELLIPSIS)
        elif following == at + 1:
            parts.append(text[spans[at].end : spans[following].start])
        else:
            space = _space(text, spans[following])
            parts.append(space + ELLIPSIS + space)
    return "".join(parts)


def _space(text: str, span: Span) -> str:
    """Return what stands between an ellipsis and the piece behind it."""
    if span.start > 0 and starts_line(text, span):
        return "\n"
    return " " if text[span.start].isascii() else ""
