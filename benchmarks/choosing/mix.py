"""The strongest simple way that was measured on conversations: four features by hand, no memory."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from benchmarks.choosing.selecting import Unit
from benchmarks.trace_sets.case import Case, Piece
from governance.similarity.bm25 import bm25_scores

_WORDS, _SESSION, _ENTITY, _NEIGHBOUR = 0.4, 0.2, 0.2, 0.2
_BEST_OF_SESSION: Final = 3
_NAME = re.compile(r"\b[A-Z][\w'-]+")


def simple_mix(case: Case, units: Sequence[Unit]) -> Sequence[float]:
    """0.4 BM25 of stems + 0.2 session + 0.2 speaker or entity + 0.2 neighbour, each from 0 to 1.

    Session: its three best turns, against the best session. Speaker or entity: 1 for a turn by somebody whom the query
    names, else the share of the query's other capitalised words that stand in it. Neighbour: the better of the turns
    before and after.
    """
    found = bm25_scores(f"{case.query} {case.tool}", [unit.text for unit in units])
    best = max(found, default=0.0) or 1.0
    words = [score / best for score in found]
    pieces = [case.pieces[unit.at] for unit in units]
    sessions = _sessions(pieces, words)
    named = {name.lower().removesuffix("'s") for name in _NAME.findall(case.query)}
    mixed = []
    for at, (piece, score) in enumerate(zip(pieces, words, strict=True)):
        beside = [words[next_] for next_ in (at - 1, at + 1) if _together(pieces, at, next_)]
        entity = _entity(piece.speaker, units[at].text, named)
        part = _SESSION * sessions[piece.group] + _NEIGHBOUR * max(beside, default=0.0)
        mixed.append(_WORDS * score + part + _ENTITY * entity)
    return mixed


def _sessions(pieces: Sequence[Piece], words: Sequence[float]) -> dict[str, float]:
    of_session: dict[str, list[float]] = defaultdict(list)
    for piece, score in zip(pieces, words, strict=True):
        of_session[piece.group].append(score)
    sums = {group: sum(sorted(scores)[-_BEST_OF_SESSION:]) for group, scores in of_session.items()}
    most = max(sums.values(), default=0.0) or 1.0
    return {group: total / most for group, total in sums.items()}


def _together(pieces: Sequence[Piece], at: int, other: int) -> bool:
    return 0 <= other < len(pieces) and pieces[at].group == pieces[other].group


def _entity(speaker: str, text: str, named: set[str]) -> float:
    if speaker.lower() in named:
        return 1.0
    lower = text.lower()
    return sum(name in lower for name in named) / len(named) if named else 0.0
