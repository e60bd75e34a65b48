"""Ways that need no memory: what ours is measured against."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.choosing.mix import simple_mix
from benchmarks.choosing.selecting import Kept, Ranked, Selector, Unit, filled
from benchmarks.trace_sets.case import Case, tokens
from governance.similarity.bm25 import bm25_scores
from governance.summaries.summary import summarise


def baselines() -> list[Selector]:
    """All of them; LangChain's is left out where it is not installed."""
    found: list[Selector] = [
        Ranked("keep_last", _latest),
        Ranked("bm25", _bm25),
        Ranked("simple_mix", simple_mix),
        Ranked("tfidf", _Tfidf().scores),
        Ranked("textrank", _TextRank().scores),
        ExtractiveSummary(),
        WrittenSummaries(),
        WrittenObservations(),
    ]
    trim = trim_messages()
    return found if trim is None else [trim, *found]


def trim_messages() -> Selector | None:
    """LangChain's `trim_messages(strategy="last")`, or None where langchain-core is not installed."""
    try:
        messages = import_module("langchain_core.messages")
    except ImportError:
        return None
    return TrimMessages(messages)


class TrimMessages:
    """The last whole messages that fit."""

    name = "trim_messages"

    def __init__(self, library: Any) -> None:
        self._library = library

    def keep(self, case: Case, budget: int) -> Kept:
        made = [self._library.HumanMessage(piece.text, id=piece.id) for piece in case.pieces]
        kept = self._library.trim_messages(
            made,
            max_tokens=budget,
            strategy="last",
            token_counter=lambda listed: sum(tokens(str(message.content)) for message in listed),
        )
        texts = [str(message.content) for message in kept]
        return Kept("\n".join(texts), frozenset(str(message.id) for message in kept))


class ExtractiveSummary:
    """One summary by rule of the whole history, for no query: what a compaction without a model writes."""

    name = "extractive_summary"

    def __init__(self) -> None:
        self._made: dict[tuple[str, int | None, int], Kept] = {}

    def keep(self, case: Case, budget: int) -> Kept:
        at = (case.history.id, case.upto, budget)
        if at not in self._made:
            whole = "\n\n".join(piece.text for piece in case.pieces)
            text = summarise(whole, query="", limit=budget * 4)
            self._made[at] = Kept(text, frozenset(piece.id for piece in case.pieces if piece.text in text))
        return self._made[at]


class WrittenSummaries:
    """Summaries that a model wrote and the set brings, the sentences that match the query first."""

    name = "llm_summaries"

    def keep(self, case: Case, budget: int) -> Kept | None:
        if not case.history.summaries:
            return None
        sentences = [part for text in case.history.summaries for part in _sentences(text)]
        units = [Unit("", sentence, at) for at, sentence in enumerate(sentences)]
        scores = bm25_scores(case.query, sentences)
        return filled((units[at] for at in sorted(range(len(units)), key=lambda at: -scores[at])), budget)


class WrittenObservations:
    """Facts that a model wrote down and the set brings, those that match the query first.

    A piece counts as kept if a fact that comes from it is: in that it has it easier than the other ways.
    """

    name = "llm_observations"

    def keep(self, case: Case, budget: int) -> Kept | None:
        observed = case.history.observations
        if not observed:
            return None
        scores = bm25_scores(case.query, [text for text, _ in observed])
        ranked = sorted(range(len(observed)), key=lambda at: -scores[at])
        kept = filled((Unit(str(at), observed[at][0], at) for at in ranked), budget)
        return Kept(kept.text, frozenset[str]().union(*(observed[int(at)][1] for at in kept.whole)))


def _sentences(text: str) -> list[str]:
    return [f"{part.strip()}." for part in text.split(". ") if part.strip()]


def _latest(case: Case, units: Sequence[Unit]) -> Sequence[float]:
    return range(len(units))


def _bm25(case: Case, units: Sequence[Unit]) -> Sequence[float]:
    return bm25_scores(f"{case.query} {case.tool}", [unit.text for unit in units])


class _Fitted(ABC):
    """What is computed once per history and asked for many queries."""

    def __init__(self) -> None:
        self._last: tuple[tuple[str, int | None], Any] | None = None

    def fitted(self, case: Case, units: Sequence[Unit]) -> Any:
        at = (case.history.id, case.upto)
        if self._last is None or self._last[0] != at:
            self._last = (at, self.fit([unit.text for unit in units]))
        return self._last[1]

    @abstractmethod
    def fit(self, texts: Sequence[str]) -> Any: ...


class _Tfidf(_Fitted):
    """scikit-learn's TfidfVectorizer with its defaults, cosine with the query."""

    def fit(self, texts: Sequence[str]) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer()
        return vectorizer, vectorizer.fit_transform(texts)

    def scores(self, case: Case, units: Sequence[Unit]) -> Sequence[float]:
        vectorizer, matrix = self.fitted(case, units)
        found: Sequence[float] = (matrix @ vectorizer.transform([f"{case.query} {case.tool}"]).T).toarray().ravel()
        return found


class _TextRank(_Fitted):
    """PageRank over the likeness of units, for no query."""

    def fit(self, texts: Sequence[str]) -> Any:
        import numpy as np
        from sklearn.feature_extraction.text import TfidfVectorizer

        matrix = TfidfVectorizer(sublinear_tf=True).fit_transform(texts)
        alike = (matrix @ matrix.T).toarray()
        np.fill_diagonal(alike, 0.0)
        sums = alike.sum(axis=1, keepdims=True)
        walk = alike / np.where(sums == 0.0, 1.0, sums)
        rank = np.full(len(texts), 1.0 / len(texts))
        for _ in range(40):
            rank = 0.15 / len(texts) + 0.85 * (walk.T @ rank)
        return rank

    def scores(self, case: Case, units: Sequence[Unit]) -> Sequence[float]:
        found: Sequence[float] = self.fitted(case, units)
        return found
